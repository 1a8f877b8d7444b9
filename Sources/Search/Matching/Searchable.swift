/// The properties of a document that a matcher reads. Each text is requested only when needed.
package protocol Searchable {
    var type: String { get }
    var title: [UInt8] { get }
    /// Plain tags and collections, as spelt.
    var tags: [String] { get }
    /// Words of tags and collections, as shown; by default the same as `tags`.
    var tagTexts: [String] { get }
    /// Names of the document's collections.
    var collections: [String] { get }
    var source: String { get }
    /// The lower-case host of the link; empty if there is none.
    var site: String { get }
    /// Milliseconds since 1970 UTC.
    var created: Int64 { get }
    /// Milliseconds since 1970 UTC.
    var updated: Int64 { get }
    var isTrashed: Bool { get }
    func holds(_ state: Filter.State) -> Bool
    func has(_ part: Filter.Part) -> Bool
    func holds(_ status: Filter.Status) -> Bool
    /// The display title, folded.
    var displayTitle: [UInt8] { get }
    /// The normalised link; empty if there is none.
    var link: String { get }
    /// The page's author; empty if there is none.
    var author: String { get }
    /// The page's language as a BCP 47 tag; empty if there is none.
    var language: String { get }
    /// All other texts, each one a separate field.
    func texts() -> [[UInt8]]
}

extension Searchable {
    package var tagTexts: [String] { tags }

    /// The values of a kind, in the form of exact terms.
    func values(of kind: ExactTerm.Kind) -> [[UInt8]] {
        let values: [[UInt8]] =
            switch kind {
            case .tag: tags.map { Folding.fold($0.utf8) }
            case .collection: collections.map { Folding.fold($0.utf8) }
            case .link: [Array(link.utf8)]
            case .title: [displayTitle]
            case .author: [Folding.fold(author.utf8)]
            case .type, .source, .site, .property, .language: []
            }
        return values.filter { !$0.isEmpty }
    }

    /// The document's language, and the languages of which it is a variant.
    package var languages: [[UInt8]] {
        let own = Array(ExactTerm.language(language).prefix(ExactTerm.byteLimit))
        let ends = own.indices.filter { own[$0] == UInt8(ascii: "-") }.prefix(8)
        return own.isEmpty ? [] : ends.map { Array(own[..<$0]) } + [own]
    }
}
