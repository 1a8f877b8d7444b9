import Characters
internal import HTML

/// Cleans short texts of metadata.
enum MetaText {
    /// The bytes of a text that are read.
    private static let byteLimit = 2000

    /// Text that holds no markup, such as a name: character references are decoded again, and whatever looks like a tag
    /// is removed. `nil` if nothing is left. Only the first 2,000 bytes are read.
    static func clean(_ text: String) -> String? {
        var bytes = Array(text.utf8.prefix(byteLimit))
        if bytes.contains(0x26) { bytes = CharacterReferences.decoded(bytes[...], in: .text) }
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<"), index + 1 < bytes.count,
                bytes[index + 1].isLetter || bytes[index + 1] == UInt8(ascii: "/"),
                let end = bytes[index...].prefix(200).firstIndex(of: UInt8(ascii: ">"))
            {
                index = end + 1
                continue
            }
            output.append(bytes[index])
            index += 1
        }
        return collapsed(output)
    }

    /// Metadata, which some pages write as HTML: pairs of inline tags are removed, and then character references are
    /// decoded, once. Every other angle bracket is text: a title may be about `<b>` or `Vector<int>`.
    static func ofMetadata(_ text: String) -> String? {
        var bytes = InlinePairs.removed(from: Array(text.utf8.prefix(byteLimit)))
        if bytes.contains(0x26) { bytes = CharacterReferences.decoded(bytes[...], in: .text) }
        return collapsed(bytes)
    }

    /// Text as the page shows it: nothing is decoded or removed but white space and control characters.
    static func collapsed(_ text: String) -> String? { collapsed(Array(text.utf8.prefix(byteLimit))) }

    private static func collapsed(_ bytes: [UInt8]) -> String? {
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte <= 0x20 || byte == 0x7F {
                if let last = output.last, last != 0x20 { output.append(0x20) }
            } else if byte == 0xC2, index + 1 < bytes.count, bytes[index + 1] == 0xA0 {
                if let last = output.last, last != 0x20 { output.append(0x20) }
                index += 1
            } else if byte == 0xE2, index + 2 < bytes.count, bytes[index + 1] == 0x80, bytes[index + 2] == 0x8B {
                // Zero width space.
                index += 2
            } else {
                output.append(byte)
            }
            index += 1
        }
        while output.last == 0x20 { output.removeLast() }
        return output.isEmpty ? nil : String(decoding: output, as: UTF8.self)
    }

    /// Lower-cased letters and digits only, for comparing names and titles.
    static func skeleton(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.lowercased().unicodeScalars.filter {
                    $0.properties.isAlphabetic || $0.properties.numericType != nil
                }))
    }
}
