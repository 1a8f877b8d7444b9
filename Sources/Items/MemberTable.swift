import JSONFormat

/// The values of item.json by key; a null counts as no value.
struct MemberTable {
    private let document: JSONDocument
    /// Built only for many look-ups, each of which would otherwise walk through all members.
    private let values: JSONDocument.KeyedMembers?

    init(_ document: JSONDocument, lookUps: Int) {
        self.document = document
        values = lookUps > 16 ? document.keyedMembers(document.root) : nil
    }

    subscript(_ key: String) -> JSON? {
        let found = values.map { $0[key] } ?? document.member(key, of: document.root)
        guard let found, document.kind(found) != .null else { return nil }
        return document.copy(found)
    }
}
