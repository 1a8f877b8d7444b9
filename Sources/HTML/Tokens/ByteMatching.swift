import Characters

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes at a place equal a lower-case ASCII text, ignoring case.
    func matches(_ text: StaticString, at place: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        if place < 0 || count - place < length { return false }
        let text = text.utf8Start
        for index in 0..<length where self[place + index].lowercased != text[index] { return false }
        return true
    }

    /// Whether a span equals a lower-case ASCII text, ignoring case.
    func equals(_ text: StaticString, _ start: Int, _ end: Int) -> Bool {
        end - start == text.utf8CodeUnitCount && matches(text, at: start)
    }
}
