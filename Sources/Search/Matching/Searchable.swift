/// What a matcher asks of a document; each text is requested only when it is needed.
package protocol Searchable {
    var type: String { get }
    var title: [UInt8] { get }
    /// Regular tags and collections, as they are spelt.
    var tags: [String] { get }
    /// Words of tags and collections, as they are shown; the same as `tags` unless said otherwise.
    var tagTexts: [String] { get }
    /// Names of the collections that hold it.
    var collections: [String] { get }
    var source: String { get }
    /// Lower-case host of its link; empty if there is none.
    var site: String { get }
    /// Milliseconds since 1970 UTC.
    var created: Int64 { get }
    /// Milliseconds since 1970 UTC.
    var updated: Int64 { get }
    var isTrashed: Bool { get }
    func holds(_ state: Filter.State) -> Bool
    func has(_ part: Filter.Part) -> Bool
    func holds(_ status: Filter.Status) -> Bool
    /// Display title, folded.
    var displayTitle: [UInt8] { get }
    /// The link in normal form; empty if there is none.
    var link: String { get }
    /// The page's author; empty if there is none.
    var author: String { get }
    /// The page's language as a BCP 47 tag; empty if there is none.
    var language: String { get }
    /// All other texts, each one a field of its own.
    func texts() -> [[UInt8]]
}

extension Searchable {
    package var tagTexts: [String] { tags }

    /// The values of a kind, as their exact terms have them.
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

    /// The languages that a document is in: its own, and what that is a variant of.
    package var languages: [[UInt8]] {
        let own = Array(ExactTerm.language(language).prefix(ExactTerm.byteLimit))
        let ends = own.indices.filter { own[$0] == UInt8(ascii: "-") }.prefix(8)
        return own.isEmpty ? [] : ends.map { Array(own[..<$0]) } + [own]
    }
}
