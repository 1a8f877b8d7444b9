import Characters

/// An encoding of the WHATWG Encoding Standard (https://encoding.spec.whatwg.org/).
package struct CharacterEncoding: Hashable, Sendable {
    /// Its place in the standard's list.
    let number: UInt8

    init(_ number: UInt8) { self.number = number }

    package static let utf8 = CharacterEncoding(0)
    package static let windows1252 = CharacterEncoding(21)
    package static let gbk = CharacterEncoding(29)
    package static let gb18030 = CharacterEncoding(30)
    package static let big5 = CharacterEncoding(31)
    package static let eucJP = CharacterEncoding(32)
    package static let iso2022JP = CharacterEncoding(33)
    package static let shiftJIS = CharacterEncoding(34)
    package static let eucKR = CharacterEncoding(35)
    /// The encodings that must not be decoded (ISO-2022-CN and others). The whole text is one U+FFFD.
    package static let replacement = CharacterEncoding(36)
    package static let utf16BigEndian = CharacterEncoding(37)
    package static let utf16LittleEndian = CharacterEncoding(38)
    package static let userDefined = CharacterEncoding(39)

    /// The standard's name, for example `windows-1252`.
    package var name: String { EncodingTables.name(number) }

    /// - Returns: `nil` if the text is not a label of the standard.
    package init?(label: String) { self.init(label: Array(label.utf8)[...]) }

    package init?(label: ArraySlice<UInt8>) {
        var label = label.drop(while: \.isHTMLSpace)
        while let last = label.last, last.isHTMLSpace { label.removeLast() }
        guard !label.isEmpty, label.count < 24, label.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        let wanted = label.map(\.lowercased)
        // About 3 kB of labels, searched from the front: this runs once or twice for each page.
        let table = UnsafeBufferPointer(
            start: EncodingTables.labels.utf8Start, count: EncodingTables.labels.utf8CodeUnitCount)
        var at = 0
        while at < table.count {
            var end = at
            while table[end] != 0x20 { end += 1 }
            let isFound = end - at == wanted.count && (0..<wanted.count).allSatisfy { table[at + $0] == wanted[$0] }
            var number: UInt8 = 0
            at = end + 1
            while table[at] != 0x20 {
                number = number * 10 + (table[at] - 0x30)
                at += 1
            }
            if isFound {
                self.init(number)
                return
            }
            at += 1
        }
        return nil
    }

    /// The encoding that a declaration in ASCII bytes means: UTF-8 instead of UTF-16, windows-1252 instead of
    /// x-user-defined (HTML Standard, section 13.2.3.2).
    var asDeclaredInASCII: CharacterEncoding {
        switch self {
        case .utf16LittleEndian, .utf16BigEndian: .utf8
        case .userDefined: .windows1252
        default: self
        }
    }
}

extension CharacterEncoding: CustomStringConvertible {
    package var description: String { name }
}
