internal import JSONFormat

extension JSONDocument {
    /// The field that a key of the document names; `nil` for an unknown key.
    func field(_ key: Value) -> ItemField? {
        if let bytes = plainBytes(key) { return ItemField(key: bytes) }
        return string(key).flatMap { ItemField(key: Array($0.utf8)[...]) }
    }
}
