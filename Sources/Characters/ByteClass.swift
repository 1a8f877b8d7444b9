/// Classes of ASCII bytes. Bytes from 0x80 belong to none of them.
extension UInt8 {
    /// ASCII letters in lower case. All other bytes are unchanged.
    @inlinable @inline(__always)
    package var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

    /// A–Z and a–z.
    @inlinable @inline(__always)
    package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// 0–9.
    @inlinable @inline(__always)
    package var isDigit: Bool { self &- 0x30 < 10 }

    /// 0–9, A–F and a–f.
    @inlinable @inline(__always)
    package var isHexadecimal: Bool { isDigit || (self | 0x20) &- 0x61 < 6 }

    /// ASCII white space of the HTML and URL Standards: tab, line feed, form feed, carriage return, space.
    @inlinable @inline(__always)
    package var isHTMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D || self == 0x0C }
}
