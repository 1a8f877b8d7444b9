import StuffBucket

/// The look of a collection, a tag or a smart folder, from its file.
struct Look: Sendable {
    let colour: Colour?
    /// One character of one or two columns; icons given by name are not shown.
    let icon: String?

    init(_ file: NamedFile?) {
        colour = file?.colour.flatMap(Colour.init)
        icon = file?.icon.flatMap { icon in
            let isSign = icon.count == 1 && icon.unicodeScalars.allSatisfy { !$0.properties.isAlphabetic }
            return isSign && (1...2).contains(TextWidth.of(icon)) && Printable.line(icon) == icon ? icon : nil
        }
    }

    /// The icon followed by a space; empty without an icon.
    var mark: String { icon.map { $0 + " " } ?? "" }
}

/// The looks of a library's tags and collections, by their lower-case names. `String` compares these as tags are
/// compared.
struct Looks: Sendable {
    private var tags: [String: Look] = [:]
    private var collections: [String: Look] = [:]

    static let none = Looks()

    private init() {}

    /// Files that cannot be read give no look; `sbfs check` names them.
    init(_ library: Library) {
        tags = Self.looks(library, .tags)
        collections = Self.looks(library, .collections)
    }

    private static func looks(_ library: Library, _ folder: NamedFolder) -> [String: Look] {
        let files = (try? library.namedFiles(in: folder).files) ?? []
        return Dictionary(files.map { ($0.name.lowercased(), Look($0)) }) { first, _ in first }
    }

    var isEmpty: Bool { tags.isEmpty && collections.isEmpty }

    func colour(ofTag tag: String) -> Colour? { tags.isEmpty ? nil : tags[tag.lowercased()]?.colour }

    func colour(ofCollection name: String) -> Colour? {
        collections.isEmpty ? nil : collections[name.lowercased()]?.colour
    }
}
