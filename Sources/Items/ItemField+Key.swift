internal import JSONFormat

extension JSONDocument {
    /// The field that a key of the document names, if it is a known one.
    func field(_ key: Value) -> ItemField? {
        if let bytes = plainBytes(key) { return ItemField(key: bytes) }
        return string(key).flatMap { ItemField(key: Array($0.utf8)[...]) }
    }
}
