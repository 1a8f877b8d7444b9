internal import Files

/// Small files in a library that tell other programs what to do with it; re-created when missing.
package enum SupportFile: CaseIterable, Sendable {
    case schema, gitIgnore, gitAttributes, syncthingIgnore

    package var path: String {
        switch self {
        case .schema: Layout.schemaFile
        case .gitIgnore: ".gitignore"
        case .gitAttributes: ".gitattributes"
        case .syncthingIgnore: ".stignore"
        }
    }

    package var bytes: [UInt8] {
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
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        if !folder.isEmpty { try root.makeDirectory(folder) }
        let temporary = ".sbfs-new-" + path.split(separator: "/").joined(separator: "-")
        try root.writeFile(temporary, bytes)
        do throws(FileError) {
            try root.move(temporary, to: root, as: path)
        } catch {
            try? root.removeFile(temporary)
            throw error
        }
    }

    /// Settings for Visual Studio Code and its kin, which `init` writes once: item.json is checked while it is typed.
    package static let editorSettings = JSONWriter.file(.members([
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
