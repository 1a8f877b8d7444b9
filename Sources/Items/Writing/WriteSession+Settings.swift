internal import Files
package import JSONFormat

/// library.json.
extension WriteSession {
    /// Changes settings in library.json, durably. Applied again to a version that another program saves meanwhile.
    package func change(_ values: [(LibraryFile.Setting, JSON?)]) throws(ItemError) {
        let path = store.root.full(Layout.libraryFile)
        _ = try FileChange(session: self, target: .library) { [self] bytes in
            let current = try LibraryFile(parsing: bytes, path: path)
            if !current.isWritable { throw current.readOnlyError(path: store.root.path) }
            let changes = values.map { ($0.0.rawValue, $0.1) }
            let new = try current.json.rewriting(changes, limit: Layout.settingsByteLimit) { key in
                LibraryFile.Setting.allCases.firstIndex { $0.rawValue == key }
            }
            return new == bytes ? nil : new
        } describe: { error, _ in
            if error is FileChange.Overtaken { return .overtaken(path: path) }
            if let error = error as? JSONOutgrown { return .unsuitable(path: Layout.libraryFile, .outgrown(error)) }
            return error as? ItemError ?? .refused(.other(error))
        }.run()
    }

    /// Replaces library.json if it still has the bytes that were seen.
    ///
    /// - Returns: false if it has other bytes; then it stays unchanged.
    func replaceSettings(_ seen: [UInt8], with new: [UInt8]) throws(ItemError) -> Bool {
        // The bytes come from a step and are not trusted more than any file. The id may differ: importing a full
        // export into an empty library brings an id.
        let wanted = try LibraryFile(parsing: new, path: Layout.libraryFile)
        let current = try LibraryFile(parsing: seen, path: store.root.full(Layout.libraryFile))
        if wanted.format != current.format || !wanted.isWritable {
            throw .refused(.otherFormat(path: Layout.libraryFile))
        }
        return try Swap(session: self, target: .library).run(seen, new)
    }
}
