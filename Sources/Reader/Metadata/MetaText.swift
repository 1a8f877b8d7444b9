import Characters
internal import HTML

/// Cleans short texts of metadata.
enum MetaText {
    /// Decodes character references again (they are often escaped twice), removes markup and control characters, and
    /// collapses white space. `nil` if nothing is left. Only the first 2,000 bytes are read.
    static func clean(_ text: String) -> String? {
        var bytes = Array(text.utf8.prefix(2000))
        if bytes.contains(0x26) { bytes = CharacterReferences.decoded(bytes[...], in: .text) }
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "<"), index + 1 < bytes.count,
                bytes[index + 1].isLetter || bytes[index + 1] == UInt8(ascii: "/"),
                let end = bytes[index...].prefix(200).firstIndex(of: UInt8(ascii: ">"))
            {
                index = end + 1
                continue
            }
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
