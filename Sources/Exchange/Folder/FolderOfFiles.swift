internal import Files
internal import Glibc

/// A folder of any files: sub-folders are collections, texts are notes, shortcuts to pages are links, and all other
/// files are documents.
///
/// Symbolic links to files within the folder are followed, others are not: a folder from somebody else must not
/// import this machine's files. Hidden names and temporary files of programs are skipped and named.
enum FolderOfFiles {
    private static let depthLimit = 64
    /// A longer text is a document.
    private static let textByteLimit = 4 << 20

    static func read(_ path: String, isTemporary: (String) -> Bool, _ sink: ImportSink) throws {
        let root = try Directory(path: path)
        try walk(root, [], FilePath.real(path), isTemporary, sink)
    }

    private static func walk(
        _ folder: borrowing Directory, _ path: [String], _ base: String?, _ isTemporary: (String) -> Bool,
        _ sink: ImportSink
    ) throws {
        var names: [(name: String, kind: FileKind)] = []
        for entry in try folder.entries() {
            guard let name = entry.name.string else {
                try sink(.fault(ImportFault(.file(relative(path, entry.name.repaired)), .nameNotUTF8)))
                continue
            }
            if isTemporary(name) {
                try sink(.untaken(passedOver(name, entry.kind)))
            } else {
                names.append((name, entry.kind))
            }
        }
        // By bytes, so that the same folder always gives the same order.
        names.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        if names.isEmpty, !path.isEmpty { try sink(.folder(ImportedFolder(path))) }
        for (name, kind) in names {
            let place = ImportPlace.file(relative(path, name))
            do {
                switch kind {
                case .directory:
                    if path.count >= depthLimit {
                        try sink(.fault(ImportFault(place, .nestedTooDeep(limit: depthLimit))))
                    } else {
                        try walk(folder.directory(name), path + [name], base, isTemporary, sink)
                    }
                case .regular: try sink(.entry(file(folder.full(name), name, path, place)))
                case .symbolicLink:
                    // Opening tells whether it leads to a file.
                    _ = try Descriptor.open(path: folder.full(name))
                    guard let base, let target = FilePath.real(folder.full(name)), target.hasPrefix(base + "/") else {
                        try sink(.fault(ImportFault(place, .linkOutOfFolder)))
                        continue
                    }
                    try sink(.entry(file(folder.full(name), name, path, place)))
                default: try sink(.fault(ImportFault(place, .notRegularFile)))
                }
            } catch let error as FileError {
                try sink(.fault(ImportFault(place, .file(error))))
            }
        }
    }

    /// The name of a skipped entry's kind in the summary.
    private static func passedOver(_ name: String, _ kind: FileKind) -> String {
        if kind != .directory { return name }
        return name == ".obsidian" ? "\(name)/, settings of the vault" : name + "/"
    }

    private static func relative(_ path: [String], _ name: String) -> String { (path + [name]).joined(separator: "/") }

    private static func file(
        _ full: String, _ name: String, _ path: [String], _ place: ImportPlace
    ) throws -> ImportedEntry {
        let file = try Descriptor.open(path: full)
        let status = try file.status()
        let parts = name.split(separator: ".")
        let suffix = parts.count > 1 ? parts.last?.lowercased() ?? "" : ""
        let stem = suffix.isEmpty ? name : String(name.dropLast(suffix.count + 1))
        func bytes() throws -> [UInt8] { try file.readAll(expecting: status.byteCount, limit: textByteLimit) }
        var entry: ImportedEntry?
        switch suffix {
        case "md", "markdown", "txt", "text":
            if status.byteCount <= textByteLimit {
                let bytes = try bytes()
                if !bytes.contains(0) || bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
                    let text = ImportText(bytes)
                    var note = MarkdownNote.entry(text.bytes, at: place, path: relative(path, name))
                    note.remarks += text.faults.map(ImportRemark.text)
                    // A text's first heading is its title; a plain text gets its file's name.
                    let isTitled = note.text?.starts(with: "# ".utf8) ?? false
                    if note.title == nil, !isTitled, note.itemID == nil { note.title = stem }
                    // Links between notes use the file's name. A name that an export made comes from the title.
                    let isOurs =
                        note.itemID.map { name.hasSuffix("-" + $0.short + ".md") || name == $0.short + ".md" } ?? false
                    if !isOurs { note.fileName = name }
                    entry = note
                }
            }
        case _ where Shortcut.suffixes.contains(suffix):
            if status.byteCount <= Shortcut.byteLimit, let url = try Shortcut.url(in: bytes()) {
                var link = ImportedEntry(at: place)
                link.url = url
                link.title = stem
                entry = link
            }
        default: break
        }
        var found = entry ?? document(full, relative(path, name), status, place)
        // A file from an export names its collections itself.
        if found.folder.isEmpty, found.itemID == nil { found.folder = path }
        found.createdAt = found.createdAt ?? ImportDate.timestamp(Double(status.modified) / 1e9, expected: .seconds)
        return found
    }

    private static func document(
        _ full: String, _ relative: String, _ status: FileStatus, _ place: ImportPlace
    ) -> ImportedEntry {
        var entry = ImportedEntry(at: place)
        entry.documentPath = full
        // Path, size and time identify the file. Reading every file twice would double the time.
        let key = "\(relative)\0\(status.byteCount)\0\(status.modified)"
        entry.externalID = "file:" + SHA256.hex(Array(key.utf8)).prefix(32)
        return entry
    }
}
