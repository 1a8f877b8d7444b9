import JSONFormat

/// The values of item.json by their keys; a null is the same as no value.
struct MemberTable {
    private let document: JSONDocument
    /// Made where there are many look-ups, each of which would walk through all members.
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
