import Characters

/// The general entities that the document type of an SVG file declares. Drawing programs write name spaces with them.
///
/// Entities are text: markup in an entity is written as text. Limits on declarations and expansion stop documents that
/// multiply.
struct XMLEntities {
    private static let countLimit = 64
    private static let valueLimit = 4096
    private static let expansionLimit = 1 << 20

    private var values: [[UInt8]: [UInt8]] = [:]

    init?(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) {
        var place = start
        while place < end, values.count < Self.countLimit {
            guard bytes[place] == 0x3C, bytes.matches("<!entity", at: place) else {
                place += 1
                continue
            }
            place += 8
            func skipSpace() { while place < end, bytes[place].isHTMLSpace { place += 1 } }
            skipSpace()
            let nameStart = place
            while place < end, !bytes[place].isHTMLSpace, bytes[place] != 0x3E { place += 1 }
            let name = Array(bytes[nameStart..<place])
            skipSpace()
            guard place < end, bytes[place] == 0x22 || bytes[place] == 0x27 else { continue }
            let quote = bytes[place]
            let valueStart = place + 1
            place = valueStart
            while place < end, bytes[place] != quote { place += 1 }
            if !name.isEmpty, place - valueStart <= Self.valueLimit, values[name] == nil {
                // References in an entity are not expanded: they stay text.
                values[name] = CharacterReferences.decoded(bytes[valueStart..<place].map { $0 }[...], in: .text)
            }
        }
        if values.isEmpty { return nil }
    }

    /// The text with declared entities replaced by escaped text. Other references stay.
    func expanded(_ text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var place = 0
        while place < text.count {
            let byte = text[place]
            if byte == 0x26, let end = text[place...].prefix(64).firstIndex(of: 0x3B),
                let value = values[Array(text[(place + 1)..<end])], output.count < Self.expansionLimit
            {
                for byte in value {
                    if byte == 0x22 { output += "&quot;".utf8 } else { Markup.appendText([byte], to: &output) }
                }
                place = end + 1
            } else {
                output.append(byte)
                place += 1
            }
        }
        return output
    }
}
