internal import Exchange
internal import Files
internal import HTML
internal import Items

/// A file found in inbox/, with what belongs to it.
struct InboxEntry {
    let version: InboxVersion
    /// `NAME.comment` beside it.
    var comment: InboxVersion?
    /// Folders with the files of a saved page.
    var companions: [FileName] = []

    var folder: [FileName] { version.folder }
    var name: FileName { version.name }
    var status: FileStatus { version.status }

    /// The path below inbox/, for a person.
    var path: String { String(decoding: version.path, as: UTF8.self) }

    /// The name without its extension, and the extension in lower case, without a dot.
    var parts: (stem: String, suffix: String) {
        let text = name.repaired
        guard let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")), dot > text.utf8.startIndex else {
            return (text, "")
        }
        return (String(text[..<dot]), text[text.utf8.index(after: dot)...].lowercased())
    }

    /// Whether its name is one of a saved page; the content decides.
    var mayBePage: Bool { Self.pageSuffixes.contains(parts.suffix) }

    static let pageSuffixes: Set<String> = ["html", "htm", "xhtml", "mhtml", "mht", "webarchive"]
    static let textSuffixes: Set<String> = ["txt", "text", "md", "markdown"]

    /// The spelling of the path in the file that says why an entry was rejected.
    var spelling: String {
        (folder + [name]).map { name in
            let (stored, original) = Layout.documentName(for: name)
            return original ?? stored
        }.joined(separator: "/")
    }

    /// The collection that the sub-folders name; `nil` at the top.
    var collection: CollectionName? {
        CollectionName(FolderPath.joined(FolderPath.cleaned(folder.map(\.repaired))))
    }
}
