/// What a matcher asks of a document; each text is asked for only when it is needed.
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
    /// All other texts, each one a field of its own.
    func texts() -> [[UInt8]]
}

extension Searchable {
    package var tagTexts: [String] { tags }
}
