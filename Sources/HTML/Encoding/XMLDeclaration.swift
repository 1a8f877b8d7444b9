/// The encoding that an XML declaration names: HTML Standard, "get an XML encoding".
enum XMLDeclaration {
    static func encoding(_ bytes: UnsafeBufferPointer<UInt8>) -> CharacterEncoding? {
        func starts(_ pattern: [UInt8]) -> Bool { bytes.count >= pattern.count && bytes.prefix(pattern.count).elementsEqual(pattern) }
        if starts([0x3C, 0, 0x3F, 0, 0x78, 0]) { return .utf16LittleEndian }
        if starts([0, 0x3C, 0, 0x3F, 0, 0x78]) { return .utf16BigEndian }
        guard starts(Array("<?xml".utf8)), let end = bytes.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let word = Array("encoding".utf8)
        var at = 5
        while at + word.count <= end, !(0..<word.count).allSatisfy({ bytes[at + $0] == word[$0] }) { at += 1 }
        at += word.count
        func skipSpaces() { while at < end, bytes[at] <= 0x20 { at += 1 } }
        skipSpaces()
        guard at < end, bytes[at] == UInt8(ascii: "=") else { return nil }
        at += 1
        skipSpaces()
        guard at < end, bytes[at] == 0x22 || bytes[at] == 0x27 else { return nil }
        guard let close = bytes[(at + 1)..<end].firstIndex(of: bytes[at]) else { return nil }
        let label = Array(bytes[(at + 1)..<close])
        guard !label.contains(where: { $0 <= 0x20 }) else { return nil }
        return CharacterEncoding(label: label[...])?.asDeclaredInASCII
    }
}
