/// Makes text from others safe to print: it cannot control a terminal, change the writing direction, or hide
/// anything.
///
/// Every invisible character in a wrong place is escaped: `\t \n \r`, `\xNN` below U+0080 and for bytes that are
/// not UTF-8, `\uNNNN`, `\UNNNNNNNN`. Time is linear in the bytes; text without such characters is returned
/// unchanged.
public enum Printable: Sendable {
    private enum Form {
        case line, text, field, json, visible
    }

    /// One line: line ends and tabs are escaped too.
    public static func line(_ text: String) -> String { string(text, .line) }

    /// Several lines: line feeds and tabs stay.
    public static func text(_ text: String) -> String { string(text, .text) }

    /// Several lines given as bytes.
    public static func text(_ bytes: [UInt8]) -> [UInt8] { escaped(bytes, .text) ?? bytes }

    /// One field of a tab-separated line: the backslash is escaped too, so that the line can be parsed again.
    public static func field(_ text: String) -> String { string(text, .field) }

    /// JSON in which the same characters are written as `\uXXXX`, which means the same; it must be well-formed.
    public static func json(_ bytes: [UInt8]) -> [UInt8] { escaped(bytes, .json) ?? bytes }

    /// The text without the characters that `line` escapes.
    package static func visible(_ text: String) -> String { string(text, .visible) }

    /// Whether a text is one line that is printed unchanged.
    public static func isPlain(_ text: String) -> Bool { escaped(Array(text.utf8), .line) == nil }

    private static func string(_ text: String, _ form: Form) -> String {
        // The usual case.
        let isSimple = text.utf8.allSatisfy { byte in
            byte >= 0x20 && byte < 0x7F && (byte != UInt8(ascii: "\\") || form != .field)
        }
        if isSimple { return text }
        return escaped(Array(text.utf8), form).map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// - Returns: `nil` if nothing must be escaped.
    private static func escaped(_ bytes: [UInt8], _ form: Form) -> [UInt8]? {
        let first = bytes.firstIndex { byte in
            Invisible.mayBegin(byte) && !isOwn(byte, form) || form == .field && byte == UInt8(ascii: "\\")
        }
        guard first != nil else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 16)
        var reading = Invisible.Reading()
        var offset = 0
        var isChanged = false
        while offset < bytes.count {
            let length = UTF8Sequence.length(in: bytes, at: offset)
            guard length > 0 else {
                if form != .visible {
                    output += "\\x".utf8
                    append(UInt32(bytes[offset]), 2, to: &output)
                }
                reading.note(0, isKept: false)
                isChanged = true
                offset += 1
                continue
            }
            let value = scalar(bytes, offset, length)
            var isKept = !Invisible.contains(value) || length == 1 && isOwn(bytes[offset], form)
            if !isKept {
                let next = offset + length
                isKept = reading.keeps(value) { scalar(bytes, behind: next, $0) }
            }
            if isKept, form != .field || value != 0x5C {
                output += bytes[offset..<offset + length]
            } else {
                append(escape: value, form, to: &output)
                isChanged = true
            }
            reading.note(value, isKept: isKept)
            offset += length
        }
        return isChanged ? output : nil
    }

    /// Controls that the form allows: line ends between lines, white space between tokens of JSON.
    private static func isOwn(_ byte: UInt8, _ form: Form) -> Bool {
        (byte == 0x0A || byte == 0x09) && (form == .text || form == .json)
    }

    private static func scalar(_ bytes: [UInt8], _ offset: Int, _ length: Int) -> UInt32 {
        if length == 1 { return UInt32(bytes[offset]) }
        var value = UInt32(bytes[offset]) & (0x7F >> UInt32(length))
        for index in 1..<length { value = value << 6 | UInt32(bytes[offset + index] & 0x3F) }
        return value
    }

    /// The character `count` characters after an offset; 0 after the end.
    private static func scalar(_ bytes: [UInt8], behind offset: Int, _ count: Int) -> UInt32 {
        var offset = offset
        for _ in 0..<count { offset += max(1, UTF8Sequence.length(in: bytes, at: offset)) }
        let length = UTF8Sequence.length(in: bytes, at: offset)
        return length == 0 ? 0 : scalar(bytes, offset, length)
    }

    private static func append(escape value: UInt32, _ form: Form, to output: inout [UInt8]) {
        if form == .visible { return }
        if form == .json {
            // RFC 8259, section 7: UTF-16, so two escapes above U+FFFF.
            for unit in Unicode.Scalar(value).map({ Array(String(Character($0)).utf16) }) ?? [] {
                output += "\\u".utf8
                append(UInt32(unit), 4, to: &output)
            }
            return
        }
        switch value {
        case 0x5C: output += "\\\\".utf8
        case 0x0A: output += "\\n".utf8
        case 0x09: output += "\\t".utf8
        case 0x0D: output += "\\r".utf8
        case 0..<0x80:
            output += "\\x".utf8
            append(value, 2, to: &output)
        case 0..<0x10000:
            output += "\\u".utf8
            append(value, 4, to: &output)
        default:
            output += "\\U".utf8
            append(value, 8, to: &output)
        }
    }

    private static func append(_ value: UInt32, _ digits: Int, to output: inout [UInt8]) {
        for place in stride(from: (digits - 1) * 4, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: value >> UInt32(place)) & 0xF
            output.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }
}
