internal import Files
package import JSONFormat

/// library.json.
extension WriteSession {
    /// Changes settings in library.json, durably.
    package func change(_ values: [(LibraryFile.Setting, JSON?)]) throws(ItemError) {
        let staging = try staging()
        try locked { () throws(ItemError) in
            let current = try LibraryFile.read(in: store.root)
            let bytes = current.json.rewriting(values.map { ($0.0.rawValue, $0.1) }) { key in
                LibraryFile.Setting.allCases.firstIndex { $0.rawValue == key }
            }
            if bytes == current.json.bytes { return }
            let mark = try journal {
                .bytes(.file(Layout.libraryFile), old: .init(current.json.bytes), new: .init(bytes))
            }
            do throws(FileError) {
                try staging.directory.writeFile(Self.keptPrefix + Layout.libraryFile, bytes)
                try staging.directory.replace(
                    Self.keptPrefix + Layout.libraryFile, to: store.root, as: Layout.libraryFile)
                try store.root.sync()
            } catch {
                void(mark)
                throw .file(error)
            }
        }
    }

    /// Replaces library.json if it still has the bytes that were seen, as `change` does.
    func replaceSettings(_ seen: [UInt8], with new: [UInt8]) throws(ItemError) -> Bool {
        let staging = try staging()
        let temporary = Self.keptPrefix + Layout.libraryFile
        return try locked { () throws(ItemError) in
            let current = try LibraryFile.read(in: store.root)
            if current.json.bytes != seen { return false }
            // A step is believed no more than any file. The id may change: an archive brings its own into an empty library.
            let wanted = try LibraryFile(parsing: new, path: Layout.libraryFile)
            if wanted.format != current.format || !wanted.isWritable {
                throw .refused("\(Layout.libraryFile) in the step has another format")
            }
            let mark = try journal { .bytes(.file(Layout.libraryFile), old: .init(seen), new: .init(new)) }
            do throws(FileError) {
                try staging.directory.writeFile(temporary, new)
                try staging.directory.replace(temporary, to: store.root, as: Layout.libraryFile)
                try store.root.sync()
            } catch {
                void(mark)
                throw .file(error)
            }
            return true
        }
    }
}
