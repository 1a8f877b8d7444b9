internal import Exchange
internal import Items

/// The path of an item's Markdown file in an exported folder.
///
/// A note imported from a folder goes back to its path, since other notes may link to it. Any other note goes into
/// the folder of its first collection; its name is the words of its title and the end of its id.
struct MarkdownPlace {
    /// The collection of the folder; `nil` for the top.
    let collection: String?
    /// Names of folders; none is hidden or leads out of the export. Those that are taken there get other names
    /// (`MarkdownFolder.settle`).
    var folders: [String]
    /// The file's name, and the one for where that is taken.
    private let name: String
    private let otherName: String
    /// The name of the file that the item came from; `nil` for what came from no folder.
    private let given: String?

    /// Where the file that the item came from was in the folder that was imported; `nil` for what came from no folder.
    var origin: String? { given.map { (folders + [$0]).joined(separator: "/") } }
    var path: String { (folders + [name]).joined(separator: "/") }
    var otherPath: String { (folders + [otherName]).joined(separator: "/") }
    /// The folders one within the other, the outermost first.
    var folderPaths: [String] { folders.indices.map { folders[...$0].joined(separator: "/") } }

    /// Another name for a folder; 2 is the first one's number.
    static func folder(_ name: String, number: Int) -> String { "\(name)-\(number)" }

    init(_ stored: StoredItem, title: String) {
        let collections = stored.item.collections
        let source = Self.text(.sourceFolderPath, of: stored)
        let sourceFolder = source.map { ExportFolder(of: $0) }
        let isThere = sourceFolder != nil && collections.contains { ExportFolder(of: $0) == sourceFolder }
        collection = isThere ? source : collections.first
        folders = (collection.map { ExportFolder(of: $0).path } ?? []).map(Self.safe)
        let usual = Self.slug(title, stored.id)
        given = Self.text(.sourceFileName, of: stored).flatMap { Self.safe($0) == $0 ? $0 : nil }
        if let given, given.lowercased().hasSuffix(".md") {
            name = given
            otherName = ImportedEntry.cut(String(given.dropLast(3)), 200) + "-" + stored.id.short + ".md"
        } else {
            name = usual
            otherName = stored.id.description + ".md"
        }
    }

    private static func text(_ field: ItemField, of stored: StoredItem) -> String? {
        stored.json.member(field.key, of: stored.json.root).flatMap { stored.json.string($0) }
    }

    /// A single visible name that every supported file system allows.
    private static func safe(_ name: String) -> String {
        var safe = ""
        for scalar in name.unicodeScalars {
            let isUnsafe = scalar == "/" || scalar.properties.generalCategory == .control
            safe.unicodeScalars.append(isUnsafe ? "_" : scalar)
        }
        safe = ImportedEntry.cut(safe, 240)
        return safe.isEmpty || safe.hasPrefix(".") ? "_" + safe : safe
    }

    private static func slug(_ title: String, _ id: ItemID) -> String {
        var words: [String] = [""]
        for scalar in title.unicodeScalars {
            if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                words[words.count - 1].unicodeScalars.append(scalar)
            } else if !words[words.count - 1].isEmpty {
                words.append("")
            }
        }
        let slug = ImportedEntry.cut(words.filter { !$0.isEmpty }.joined(separator: "-"), 80)
        return (slug.isEmpty ? "" : slug + "-") + id.short + ".md"
    }
}
