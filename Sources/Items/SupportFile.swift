internal import Files
internal import JSONFormat

/// Small files that tell other programs how to treat the library; made again when missing.
package enum SupportFile: CaseIterable, Sendable {
    case schema, gitIgnore, gitAttributes, syncthingIgnore

    /// The file's path relative to the library's folder.
    package var path: String {
        switch self {
        case .schema: Layout.schemaFile
        case .gitIgnore: ".gitignore"
        case .gitAttributes: ".gitattributes"
        case .syncthingIgnore: ".stignore"
        }
    }

    /// The contents with which the library makes the file.
    package var bytes: [UInt8] {
        switch self {
        case .schema: ItemSchema.bytes
        case .gitIgnore: Array("/.sbfs/\n".utf8)
        // All bytes, line ends too, are the person's, so git must not translate them.
        case .gitAttributes: Array("* -text\n".utf8)
        case .syncthingIgnore: Array("/.sbfs\n".utf8)
        }
    }

    /// Writes the file unless it exists.
    func write(in root: borrowing Directory) throws(FileError) {
        try Self.place(bytes, as: path, in: root)
    }

    /// Puts a new file in place atomically unless the name is taken. Makes its folder if missing.
    static func place(_ bytes: [UInt8], as path: String, in root: borrowing Directory) throws(FileError) {
        if try root.statusIfPresent(of: path) != nil { return }
        guard let slash = path.lastIndex(of: "/") else { return try place(bytes, named: path, in: root) }
        let folder = String(path[..<slash])
        try root.makeDirectory(folder)
        try place(bytes, named: String(path[path.index(after: slash)...]), in: root.directory(folder))
    }

    private static func place(_ bytes: [UInt8], named name: String, in folder: borrowing Directory) throws(FileError) {
        let temporary = ".sbfs-new-" + name
        try folder.writeFile(temporary, bytes)
        do throws(FileError) {
            try folder.move(temporary, to: folder, as: name)
        } catch {
            try? folder.removeFile(temporary)
            if !error.isTaken { throw error }
        }
    }

    /// Settings for Visual Studio Code and its relatives: they check item.json while a person types. `init` writes
    /// them once.
    package static let editorSettings = JSONWriter.file(
        .members([
            (
                "json.schemas",
                .array([
                    .members([
                        ("fileMatch", .strings(["/items/*/*/item.json"])), ("url", .string("./" + Layout.schemaFile)),
                    ])
                ])
            ),
            ("files.exclude", .members([("**/.sbfs", .bool(true))])),
        ]))
}
