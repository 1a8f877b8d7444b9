internal import Files
internal import Items

/// Files and folders of the person's own in collections/, tags/ and smart/: they do not travel.
extension SyncRun {
    /// Names each once; the status names all.
    func nameNotSmallFiles() throws {
        let found = try notSmallFiles()
        report.notSmallFiles = found.filter { !memory.notSmallFiles.contains($0) }
        memory.notSmallFiles = found
    }

    /// - Returns: paths in the library, sorted. A folder that may not be read is named already.
    private func notSmallFiles() throws -> [String] {
        var paths: [String] = []
        for folder in NamedFolder.allCases {
            _ = try ItemError.denial {
                guard try store.root.statusIfPresent(of: folder.path)?.kind == .directory else { return }
                for entry in try store.root.directory(folder.path).entries() {
                    if let name = entry.name.string {
                        if Layout.isTemporary(name) || entry.kind == .regular && NamedFolder.isFile(name) { continue }
                    }
                    paths.append(folder.path + "/" + entry.name.repaired)
                }
            }
        }
        return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
