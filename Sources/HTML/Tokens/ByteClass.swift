extension UInt8 {
    /// ASCII letters in lower case. All other bytes are unchanged.
    @inline(__always)
    var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

    @inline(__always)
    var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    @inline(__always)
    var isDigit: Bool { self &- 0x30 < 10 }

    /// ASCII white space of the HTML Standard: tab, line feed, form feed, carriage return, space.
    @inline(__always)
    var isHTMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D || self == 0x0C }
}

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
