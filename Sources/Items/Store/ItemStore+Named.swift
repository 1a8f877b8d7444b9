internal import Files

/// Files of collections/, tags/ and smart/, found by the name that they describe.
extension ItemStore {
    /// The files of a folder, in order, one for each name, and the errors of unusable files.
    ///
    /// If several files have one name, the file named after it counts, else the first by the bytes of its file name.
    package func namedFiles(in folder: NamedFolder) throws(ItemError) -> (files: [NamedFile], faults: [ItemError]) {
        let status = try files { () throws(FileError) in try root.statusIfPresent(of: folder.path) }
        if status?.kind != .directory { return ([], []) }
        let place = try files { () throws(FileError) -> Directory in try root.directory(folder.path) }
        let names = try files { () throws(FileError) in try place.entries() }.filter { $0.kind == .regular }
            .compactMap(\.name.string).filter { $0.hasSuffix(".json") && !Layout.isTemporary($0) }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var found: [String: NamedFile] = [:]
        var faults: [ItemError] = []
        for name in names {
            do throws(ItemError) {
                let contents = try files { () throws(FileError) in
                    try place.contentsIfPresent(of: name, limit: Layout.settingsByteLimit)
                }
                // The file was removed after the listing.
                guard let contents else { continue }
                let file = try NamedFile(folder: folder, file: name, bytes: contents.bytes)
                let key = Layout.settingsFile(named: file.name)
                if found[key] == nil || file.isNamedRight { found[key] = file }
            } catch {
                faults.append(error)
            }
        }
        return (found.values.filter { !$0.isDeleted }.sorted(by: NamedFile.precedes), faults)
    }

    /// The file for a name, whatever its file name; `nil` if there is none.
    package func namedFile(_ folder: NamedFolder, _ name: String) throws(ItemError) -> NamedFile? {
        try named(folder, name)?.file
    }

    /// The file for a name, with its bytes and its time.
    func named(
        _ folder: NamedFolder, _ name: String
    ) throws(ItemError) -> FoundNamed? {
        let usual = Layout.settingsFile(named: name)
        if let found = try? namedFile(folder, at: usual), !found.file.isDeleted,
            NamedFile.areSame(found.file.name, name)
        {
            return found
        }
        // A person may have given the file another name.
        let other = try namedFiles(in: folder).files.first { NamedFile.areSame($0.name, name) }
        guard let other, let found = try namedFile(folder, at: other.file) else { return nil }
        return NamedFile.areSame(found.file.name, name) ? found : nil
    }

    /// The bytes of the file that says that a name was deleted; `nil` if there is none.
    func deletedNamed(_ folder: NamedFolder, _ name: String) -> [UInt8]? {
        guard let found = try? namedFile(folder, at: Layout.settingsFile(named: name)), found.file.isDeleted,
            NamedFile.areSame(found.file.name, name)
        else { return nil }
        return found.bytes
    }

    func namedFile(
        _ folder: NamedFolder, at name: String
    ) throws(ItemError) -> FoundNamed? {
        let contents = try files { () throws(FileError) -> FileContents? in
            try root.contentsIfPresent(of: folder.path + "/" + name, limit: Layout.settingsByteLimit)
        }
        guard let contents else { return nil }
        let file = try NamedFile(folder: folder, file: name, bytes: contents.bytes)
        return FoundNamed(file: file, state: NamedState(contents.bytes, modified: contents.status.modified))
    }
}

/// A file of collections/, tags/ or smart/ with its bytes and its time.
struct FoundNamed {
    let file: NamedFile
    let state: NamedState

    var bytes: [UInt8] { state.bytes }
}
