internal import Files
internal import Time

extension ItemStore {
    /// Makes a folder a library: its marker library.json is written last, so that a half-made library is none.
    ///
    /// A folder that is a library already is completed and otherwise left as it is.
    ///
    /// - Parameters:
    ///   - path: made if missing, with the folders above it.
    ///   - isForced: whether the folder may hold other things.
    /// - Returns: whether the library was made now.
    /// - Throws: `ItemError.notEmpty` if it may not and does.
    package static func create(at path: String, name: String, isForced: Bool) throws(ItemError) -> Bool {
        let root = try files { () throws(FileError) -> Directory in
            try Directory.make(path: path)
            return try Directory(path: path)
        }
        if try files({ () throws(FileError) in try root.statusIfPresent(of: Layout.libraryFile) }) != nil {
            _ = try ItemStore(path: path)
            return false
        }
        let own = Set(Layout.folders.map { $0.split(separator: "/")[0] }.map(String.init))
        let foreign = try files { () throws(FileError) in try root.entries() }
            .map(\.name.repaired).filter { !own.contains($0) && !$0.hasPrefix(".") }
        if let example = foreign.min(), !isForced { throw .notEmpty(path: path, example: example) }
        try files { () throws(FileError) in
            for folder in Layout.folders { try root.makeDirectory(folder) }
            for file in SupportFile.allCases where try root.statusIfPresent(of: file.path) == nil {
                try file.write(in: root)
            }
            if try root.statusIfPresent(of: Layout.editorFile) == nil {
                try root.makeDirectory(Layout.editorFolder)
                try root.writeFile(Layout.editorFile, SupportFile.editorSettings)
            }
            for folder in SmartFolder.initial {
                let path = Layout.smart + "/" + Layout.settingsFile(named: folder.name)
                if try root.statusIfPresent(of: path) == nil { try root.writeFile(path, folder.bytes) }
            }
            try root.directory(Layout.smart).sync()
            let temporary = ".sbfs-new-" + Layout.libraryFile
            try root.writeFile(temporary, LibraryFile.new(name: name))
            try root.replace(temporary, to: root, as: Layout.libraryFile)
            try root.sync()
        }
        return true
    }

    /// Changes settings in library.json, durably.
    package func change(_ values: [(LibraryFile.Setting, JSON?)]) throws(ItemError) {
        let staging = try staging()
        try locked { () throws(ItemError) in
            let current = try LibraryFile.read(in: root)
            let bytes = current.json.rewriting(values.map { ($0.0.rawValue, $0.1) }) { key in
                LibraryFile.Setting.allCases.firstIndex { $0.rawValue == key }
            }
            try files { () throws(FileError) in
                try staging.directory.writeFile("kept-library", bytes)
                try staging.directory.replace("kept-library", to: root, as: Layout.libraryFile)
                try root.sync()
            }
        }
    }
}

/// A saved query: a file of its own in smart/.
package struct SmartFolder: Sendable {
    package let name: String
    package let query: String

    /// What every new library has.
    package static let initial = [
        SmartFolder(name: "Today", query: "updated:today"),
        SmartFolder(name: "This Week", query: "updated:week"),
        SmartFolder(name: "Pinned", query: "is:pinned"),
    ]

    package var bytes: [UInt8] {
        JSONWriter.file(.members([("name", .string(name)), ("query", .string(query))]))
    }
}
