internal import Files
internal import JSONFormat

/// Small files in a library that tell other programs what to do with it; re-created when missing.
public enum SupportFile: CaseIterable, Sendable {
    case schema, gitIgnore, gitAttributes, syncthingIgnore

    /// Where the file lies, relative to the library's folder.
    public var path: String {
        switch self {
        case .schema: Layout.schemaFile
        case .gitIgnore: ".gitignore"
        case .gitAttributes: ".gitattributes"
        case .syncthingIgnore: ".stignore"
        }
    }

    /// What the file holds where the library makes it.
    public var bytes: [UInt8] {
        switch self {
        case .schema: ItemSchema.bytes
        case .gitIgnore: Array("/.sbfs/\n".utf8)
        // Line ends and every other byte are the person's: git must not translate them.
        case .gitAttributes: Array("* -text\n".utf8)
        case .syncthingIgnore: Array("/.sbfs\n".utf8)
        }
    }

    /// Writes the file unless one is there.
    func write(in root: borrowing Directory) throws(FileError) {
        try Self.place(bytes, as: path, in: root)
    }

    /// Puts a new file in place in one step, unless the name is taken; its folder is made if missing.
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

    /// Settings for Visual Studio Code and its kin, which `init` writes once: item.json is checked while it is typed.
    public static let editorSettings = JSONWriter.file(
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
