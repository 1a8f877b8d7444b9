internal import JSONFormat

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

    /// Whether a name in one of the folders is that of a file of sbfs.
    package static func isFile(_ name: String) -> Bool { name.hasSuffix(".json") && !Layout.isTemporary(name) }

    /// Whether the bytes of a file are a JSON object.
    package static func isReadable(_ bytes: [UInt8]) -> Bool {
        guard let json = try? JSONDocument(parsing: bytes) else { return false }
        return json.kind(json.root) == .object
    }
}
