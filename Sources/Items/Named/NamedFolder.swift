/// The folders with one small file for each name: FORMAT.md § 9.
public enum NamedFolder: String, CaseIterable, Sendable {
    case collections, tags, smart

    /// Relative to the library's folder.
    public var path: String {
        switch self {
        case .collections: Layout.collections
        case .tags: Layout.tags
        case .smart: Layout.smart
        }
    }

    /// What one of its files describes, with its article.
    public var phrase: String {
        switch self {
        case .collections: "a collection"
        case .tags: "a tag"
        case .smart: "a smart folder"
        }
    }
}
