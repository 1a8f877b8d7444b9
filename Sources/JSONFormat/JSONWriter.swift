/// Writes JSON in the canonical form of FORMAT.md § Canonical JSON, or on one line.
///
/// Canonical: two spaces a level, one member and one element a line, `": "` after a key, empty arrays and objects as
/// `[]` and `{}`, numbers as spelt, strings in UTF-8 with the fewest escapes, a final newline.
package struct JSONWriter: Sendable {
    /// The use of white space.
    package enum Form: Sendable { case canonical, oneLine }

    /// The output so far, in UTF-8.
    package private(set) var bytes: [UInt8] = []
    private let form: Form
    private let limit: Int

    /// Makes a writer without output.
    ///
    /// - Parameter limit: the largest useful number of bytes; writing stops soon after it is exceeded (`isCut`).
    package init(_ form: Form, limit: Int = .max) {
        self.form = form
        self.limit = limit
    }

    /// Whether `bytes` exceed the limit; then they are incomplete.
    package var isCut: Bool { bytes.count > limit }

    /// A whole file in canonical form.
    package static func file(_ value: JSON) -> [UInt8] {
        var writer = JSONWriter(.canonical)
        writer.write(value)
        return writer.bytes + [0x0A]
    }

    /// Writes a value.
    package mutating func write(_ value: JSON, level: Int = 0) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let flag): bytes += (flag ? "true" : "false").utf8
        case .number(let spelling): bytes += spelling.utf8
        case .string(let text): JSONString.append(text, to: &bytes)
        case .array(let elements):
            list("[", "]", elements, level) { writer, element in writer.write(element, level: level + 1) }
        case .object(let members):
            list("{", "}", members, level) { writer, member in
                writer.key(member.key)
                writer.write(member.value, level: level + 1)
            }
        }
    }

    /// Writes a value of a document; numbers, and strings with only one possible spelling, keep theirs.
    package mutating func write(_ value: JSONDocument.Value, of document: JSONDocument, level: Int = 0) {
        switch document.kind(value) {
        case .null, .true, .false, .number: bytes += document.spelling(value)
        case .string: string(value, of: document)
        case .array:
            list("[", "]", document.nodes(in: value), level) { writer, node in
                let element = JSONDocument.Value(index: node)
                writer.write(element, of: document, level: level + 1)
                return document.node(behind: element)
            }
        case .object:
            list("{", "}", document.nodes(in: value), level) { writer, node in
                let value = JSONDocument.Value(index: node + 1)
                writer.string(JSONDocument.Value(index: node), of: document)
                writer.colon()
                writer.write(value, of: document, level: level + 1)
                return document.node(behind: value)
            }
        }
    }

    /// Writes an opening and a closing character with the elements between them.
    mutating func list<Element>(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ elements: [Element], _ level: Int,
        _ element: (inout JSONWriter, Element) -> Void
    ) {
        list(open, close, 0..<elements.count, level) { writer, index in
            element(&writer, elements[index])
            return index + 1
        }
    }

    /// - Parameter element: writes the element at an index, and returns the index of the next one.
    private mutating func list(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ places: Range<Int>, _ level: Int,
        _ element: (inout JSONWriter, Int) -> Int
    ) {
        bytes.append(UInt8(ascii: open))
        var place = places.lowerBound
        while place < places.upperBound {
            // Indentation can turn two bytes into 60, so writing stops once the limit is passed.
            if isCut { return }
            if place > places.lowerBound { bytes.append(UInt8(ascii: ",")) }
            newline(level + 1)
            place = element(&self, place)
        }
        if !places.isEmpty { newline(level) }
        bytes.append(UInt8(ascii: close))
    }

    mutating func key(_ key: String) {
        JSONString.append(key, to: &bytes)
        colon()
    }

    mutating func string(_ value: JSONDocument.Value, of document: JSONDocument) {
        if !document.nodes[value.index].isEscaped {
            // Nothing to decode: only a raw DEL would be written differently.
            let spelling = document.spelling(value)
            if !spelling.contains(0x7F) {
                bytes += spelling
                return
            }
        }
        let inner = document.spelling(value).dropFirst().dropLast()
        if JSONString.hasLoneSurrogate(inner) {
            bytes += document.spelling(value)
        } else {
            JSONString.append(document.string(value) ?? "", to: &bytes)
        }
    }

    mutating func colon() {
        bytes.append(UInt8(ascii: ":"))
        if form == .canonical { bytes.append(0x20) }
    }

    private mutating func newline(_ level: Int) {
        if form == .oneLine { return }
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: level * 2))
    }
}
