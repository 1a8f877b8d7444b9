internal import Files
internal import Glibc

extension ItemStore {
    /// Makes a folder a library. library.json is written last, so a half-made library is not a library.
    ///
    /// A folder that is already a library gets its missing parts and is otherwise left unchanged.
    ///
    /// - Parameters:
    ///   - path: made if missing, with the folders above it.
    ///   - isForced: whether the folder may hold other files.
    /// - Returns: whether this call made the library.
    /// - Throws: `ItemError.notEmpty` if the folder holds other files and `isForced` is false.
    package static func create(at path: String, name: String, isForced: Bool) throws(ItemError) -> Bool {
        try create(at: path, isForced: isForced, settings: LibraryFile.new(name: name))
    }

    /// Makes an empty folder a library with the settings of another copy, and so with its id.
    ///
    /// - Throws: `ItemError.notEmpty`, also if it is a library already.
    package static func create(at path: String, settings: [UInt8]) throws(ItemError) {
        if try !create(at: path, isForced: false, settings: settings) {
            throw .notEmpty(path: path, example: Layout.libraryFile)
        }
    }

    private static func create(at path: String, isForced: Bool, settings: [UInt8]) throws(ItemError) -> Bool {
        try files { () throws(FileError) in try Directory.make(path: path) }
        if try !canCreate(at: path, isForced: isForced) {
            _ = try ItemStore(path: path)
            return false
        }
        try files { () throws(FileError) in
            let root = try Directory(path: path)
            for folder in Layout.folders { try root.makeDirectory(folder) }
            for file in SupportFile.allCases { try file.write(in: root) }
            try SupportFile.place(SupportFile.editorSettings, as: Layout.editorFile, in: root)
            for folder in SmartFolder.initial {
                try SupportFile.place(
                    folder.bytes, as: Layout.smart + "/" + Layout.settingsFile(named: folder.name), in: root)
            }
            for folder in [Layout.smart, Layout.schemaFolder, Layout.editorFolder, Layout.inbox] {
                try root.directory(folder).sync()
            }
            try SupportFile.place(settings, as: Layout.libraryFile, in: root)
            try root.sync()
        }
        return true
    }

    /// Whether `create` would make a library; writes nothing.
    ///
    /// - Returns: false if there is one already.
    /// - Throws: `ItemError.notEmpty`, as `create` does.
    package static func canCreate(at path: String, isForced: Bool) throws(ItemError) -> Bool {
        let entries: [DirectoryEntry]
        do throws(FileError) {
            entries = try Directory(path: path).entries()
        } catch {
            if error.number == ENOENT { return true }
            throw .file(error)
        }
        let names = entries.map(\.name.repaired)
        if names.contains(Layout.libraryFile) { return false }
        let own = Set(Layout.folders.map { $0.split(separator: "/")[0] }.map(String.init))
        let foreign = names.filter { !own.contains($0) && !$0.hasPrefix(".") }
        if let example = foreign.min(), !isForced { throw .notEmpty(path: path, example: example) }
        return true
    }
}
