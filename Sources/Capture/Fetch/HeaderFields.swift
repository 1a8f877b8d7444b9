/// The fields of an answer in their order; names are compared without case (RFC 9110, 5.1).
package struct HeaderFields: Sendable, Equatable {
    package struct Field: Sendable, Equatable {
        /// In lower case.
        package let name: String
        /// Without surrounding white space; bytes that are not UTF-8 are read as ISO 8859-1.
        package let value: String
    }

    package private(set) var fields: [Field] = []

    package init() {}

    /// - Parameter pairs: names in lower case, and values.
    init(_ pairs: [(String, String)]) { fields = pairs.map { Field(name: $0.0, value: $0.1) } }

    package init(_ pairs: KeyValuePairs<String, String>) {
        fields = pairs.map { Field(name: $0.key.lowercased(), value: $0.value) }
    }

    /// The value of the first field with this name.
    package subscript(_ name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name == name }?.value
    }

    /// All values of fields with this name, in order.
    package func all(_ name: String) -> [String] {
        let name = name.lowercased()
        return fields.lazy.filter { $0.name == name }.map(\.value)
    }

    /// Adds a line `name: value`, with or without line end. Ignores an obsolete continuation, and any line that is no
    /// field.
    mutating func add(line: UnsafeRawBufferPointer) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return }
        let name = line[..<colon]
        guard name.allSatisfy(Self.isToken) else { return }
        var value = line[(colon + 1)...]
        while let first = value.first, Self.isSpace(first) { value = value.dropFirst() }
        while let last = value.last, Self.isSpace(last) { value = value.dropLast() }
        fields.append(Field(name: String(decoding: name, as: UTF8.self).lowercased(), value: Self.text(value)))
    }

    /// Whether a line is a field Set-Cookie.
    static func isSetCookie(_ line: UnsafeRawBufferPointer) -> Bool {
        let name = "set-cookie:".utf8
        return line.count > name.count && zip(line, name).allSatisfy { $0 | 0x20 == $1 || $0 == $1 }
    }

    /// tchar of RFC 9110, 5.6.2.
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) || byte == 0 }

    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte)) }
        return String(text)
    }
}
