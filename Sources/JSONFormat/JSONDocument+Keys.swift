extension JSONDocument {
    /// The members of an object by the bytes of their keys, for many look-ups.
    package struct KeyedMembers: Sendable {
        private let document: JSONDocument
        private var table = KeyTable()

        fileprivate init(_ document: JSONDocument, _ object: Value) {
            self.document = document
            for (key, _) in document.members(object) { _ = table.insert(key.index, document.bytes, document.nodes) }
        }

        /// The value of a key, given as bytes with escapes resolved; `nil` if there is none.
        package subscript(_ key: ArraySlice<UInt8>) -> Value? {
            table.node(key, document.bytes, document.nodes).map { Value(index: $0 + 1) }
        }

        /// The value of a key; `nil` if there is none.
        package subscript(_ key: String) -> Value? { self[Array(key.utf8)[...]] }
    }

    /// A table of an object's members; empty for other kinds.
    package func keyedMembers(_ object: Value) -> KeyedMembers { KeyedMembers(self, object) }

    /// The members of the root that another document's root lacks or has with another value.
    package func members(unlike other: JSONDocument) -> [(key: Value, value: Value)] {
        var unlike: [(key: Value, value: Value)] = []
        // Nearly all members are in both documents, in the same order. The table is built only for the others.
        var table: KeyedMembers?
        let end = other.kind(other.root) == .object ? Int(other.nodes[0].next) : 0
        var next = 1
        for (key, value) in members(root) {
            let bytes = keyBytes(key)
            var found: Value?
            if next < end, other.keyBytes(Value(index: next)) == bytes {
                found = Value(index: next + 1)
            } else {
                let made = table ?? other.keyedMembers(other.root)
                table = made
                found = made[bytes]
            }
            if let found {
                next = Int(other.nodes[found.index].next)
                if isEqual(value, found, of: other) { continue }
            }
            unlike.append((key, value))
        }
        return unlike
    }

    private func isEqual(_ value: Value, _ otherValue: Value, of other: JSONDocument) -> Bool {
        spelling(value) == other.spelling(otherValue) || copy(value) == other.copy(otherValue)
    }
}
