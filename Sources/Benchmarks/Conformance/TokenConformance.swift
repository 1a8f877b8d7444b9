import Characters
internal import HTML
internal import JSONFormat

/// The tokenizer tests of html5lib-tests: start tags with their attributes, end tags, comments, document types and
/// characters. Parse errors are not compared, because our tokenizer reports none.
enum TokenConformance {
    static func run(_ document: JSONDocument) -> Conformance.Tally {
        var tally = Conformance.Tally()
        for test in document.member("tests", of: document.root).map(document.elements) ?? [] {
            let reading = Reading(document, test)
            let wanted = reading.lines(of: document.member("output", of: test).map(document.elements) ?? [])
            let states = document.member("initialStates", of: test).map(document.elements)
            for state in states?.map({ document.string($0) ?? "" }) ?? ["Data state"] {
                let found = lines(
                    of: normalized(reading.text(document.member("input", of: test))), state,
                    lastStartTag: document.text(test, "lastStartTag"))
                tally.count(
                    found == wanted,
                    "\(state), \((document.text(test, "input") ?? "").debugDescription): "
                        + "\(described(found)) instead of \(described(wanted))")
            }
        }
        return tally
    }

    /// A token as a line: its fields, each with a byte behind it that UTF-8 never has.
    private typealias Line = [UInt8]

    private static func line(_ fields: [[UInt8]]) -> Line { Line(fields.joined(separator: [0xFF])) }

    private static func line(_ kind: String, _ fields: [[UInt8]]) -> Line { line([Array(kind.utf8)] + fields) }

    private static func described(_ lines: [Line]) -> String {
        lines.map {
            $0.split(separator: 0xFF).map { String(decoding: $0, as: UTF8.self).debugDescription }.joined(
                separator: " ")
        }
        .description
    }

    /// Neighbouring characters are one token.
    private static func append(characters: [UInt8], to lines: inout [Line]) {
        if characters.isEmpty { return }
        if let last = lines.last, last.starts(with: Array("Character".utf8) + [0xFF]) {
            lines[lines.count - 1] += characters
        } else {
            lines.append(line("Character", [characters]))
        }
    }

    /// The standard's preprocessing of the input stream.
    private static func normalized(_ text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        for (index, byte) in text.enumerated() {
            if byte == 0x0A, index > 0, text[index - 1] == 0x0D { continue }
            output.append(byte == 0x0D ? 0x0A : byte)
        }
        return output
    }

    // MARK: What is wanted

    private struct Reading {
        let document: JSONDocument
        let isEscapedTwice: Bool

        init(_ document: JSONDocument, _ test: JSONDocument.Value) {
            self.document = document
            isEscapedTwice = document.member("doubleEscaped", of: test).map(document.kind) == .true
        }

        /// A string's bytes; those of surrogates without a partner as UTF-8 would have them.
        func text(_ value: JSONDocument.Value?) -> [UInt8] {
            let bytes = Array((value.flatMap(document.string) ?? "").utf8)
            if !isEscapedTwice { return bytes }
            var output: [UInt8] = []
            var place = 0
            while place < bytes.count {
                guard bytes[place...].starts(with: "\\u".utf8), place + 6 <= bytes.count,
                    let unit = UInt16(String(decoding: bytes[(place + 2)..<(place + 6)], as: UTF8.self), radix: 16)
                else {
                    output.append(bytes[place])
                    place += 1
                    continue
                }
                if let scalar = Unicode.Scalar(unit) {
                    output += Array(Character(scalar).utf8)
                } else {
                    output += [UInt8(0xE0 | unit >> 12), UInt8(0x80 | unit >> 6 & 63), UInt8(0x80 | unit & 63)]
                }
                place += 6
            }
            return output
        }

        func lines(of outputs: [JSONDocument.Value]) -> [Line] {
            var lines: [Line] = []
            for output in outputs {
                let parts = document.elements(output)
                let kind = document.string(parts[0]) ?? ""
                switch kind {
                case "Character": append(characters: text(parts[1]), to: &lines)
                case "StartTag":
                    let attributes = document.members(parts[2]).map { line([text($0.key), text($0.value)]) }
                    lines.append(line(kind, [text(parts[1])] + sorted(attributes) + (parts.count > 3 ? [[0x2F]] : [])))
                case "DOCTYPE":
                    let names = parts[1...3].map { document.kind($0) == .null ? [0xFE] : text($0) }
                    lines.append(line(kind, names + [Array(document.spelling(parts[4]))]))
                default: lines.append(line(kind, parts[1...].map { text($0) }))
                }
            }
            return lines
        }
    }

    private static func sorted(_ lines: [Line]) -> [Line] { lines.sorted { $0.lexicographicallyPrecedes($1) } }

    // MARK: What is found

    private static func lines(of input: [UInt8], _ state: String, lastStartTag: String?) -> [Line] {
        let isSection = state == "CDATA section state"
        let isData = state == "Data state"
        // Without a last start tag no end tag ends raw text.
        let last = lastStartTag ?? (state == "Script data state" ? "script" : "plaintext")
        let source = Array((isSection ? "<svg><![CDATA[" : isData ? "<p>" : "<\(last)>").utf8) + input
        return source.withUnsafeBufferPointer { bytes in
            var tokens = HTMLTokenizer(bytes)
            _ = tokens.next()
            if !isData, !isSection { tokens.beginRawText(tokens.element) }
            var lines: [Line] = []
            while tokens.next() {
                append(tokens, isEscapable: state == "RCDATA state", to: &lines)
                // Nothing but a tree builder sets another state.
                if tokens.kind == .startTag { tokens.beginMarkup() }
            }
            return lines
        }
    }

    private static func append(_ tokens: HTMLTokenizer, isEscapable: Bool, to lines: inout [Line]) {
        let bytes = tokens.bytes
        let inner = bytes[tokens.innerStart..<tokens.innerEnd]
        switch tokens.kind {
        case .text:
            append(
                characters: CharacterReferences.decoded(
                    UnsafeBufferPointer(rebasing: bytes[tokens.start..<tokens.end]), in: .text), to: &lines)
        case .rawText:
            append(characters: replaced(isEscapable ? decoded(inner, .text) : Array(inner)), to: &lines)
        case .cdata: append(characters: Array(inner), to: &lines)
        case .comment: lines.append(line("Comment", [replaced(Array(inner))]))
        case .endTag: lines.append(line("EndTag", [name(inner)]))
        case .startTag:
            var attributes: [[UInt8]: [UInt8]] = [:]
            for attribute in tokens.attributes {
                let key = name(bytes[attribute.nameStart..<attribute.nameEnd])
                if attributes[key] != nil { continue }
                attributes[key] = replaced(decoded(bytes[attribute.valueStart..<attribute.valueEnd], .attribute))
            }
            lines.append(
                line(
                    "StartTag",
                    [name(inner)] + sorted(attributes.map { line([$0.key, $0.value]) })
                        + (tokens.isSelfClosing ? [[0x2F]] : [])))
        case .doctype:
            var type = DoctypeReading(Array(inner), isCut: tokens.end == tokens.innerEnd)
            lines.append(line("DOCTYPE", type.fields()))
        case .nothing, .processingInstruction, .end: break
        }
    }

    private static func decoded(_ text: Slice<UnsafeBufferPointer<UInt8>>, _ place: CharacterReferences.Place)
        -> [UInt8]
    {
        CharacterReferences.decoded(UnsafeBufferPointer(rebasing: text), in: place)
    }

    /// U+FFFD for each NUL.
    fileprivate static func replaced(_ text: some Sequence<UInt8>) -> [UInt8] {
        text.flatMap { $0 == 0 ? [0xEF, 0xBF, 0xBD] : [$0] }
    }

    fileprivate static func name(_ text: some Sequence<UInt8>) -> [UInt8] {
        replaced(text.map { $0.lowercased })
    }
}

/// The parts of a document type (HTML Standard, sections 13.2.5.53 to 13.2.5.68). The tokenizer gives its span only: what
/// it says changes nothing that we do.
private struct DoctypeReading {
    private var rest: ArraySlice<UInt8>
    private let isCut: Bool

    init(_ text: [UInt8], isCut: Bool) {
        rest = text[...]
        self.isCut = isCut
    }

    /// Name, public and system identifier (0xFE where there is none), and whether it is correct.
    mutating func fields() -> [[UInt8]] {
        var isCorrect = !isCut
        skipSpace()
        let name = TokenConformance.name(rest.prefix { !Self.isSpace($0) })
        rest = rest.drop { !Self.isSpace($0) }
        if name.isEmpty { isCorrect = false }
        skipSpace()
        var identifiers: [[UInt8]] = [[0xFE], [0xFE]]
        if !rest.isEmpty {
            let key = TokenConformance.name(rest.prefix(6))
            rest = rest.dropFirst(6)
            let first = key == Array("public".utf8) ? 0 : key == Array("system".utf8) ? 1 : 2
            if first == 2 { isCorrect = false }
            for index in first..<2 {
                skipSpace()
                guard let quote = rest.first else {
                    if index == first { isCorrect = false }
                    break
                }
                guard quote == 0x22 || quote == 0x27 else {
                    isCorrect = false
                    rest = []
                    break
                }
                rest = rest.dropFirst()
                identifiers[index] = TokenConformance.replaced(rest.prefix { $0 != quote })
                rest = rest.drop { $0 != quote }
                if rest.isEmpty { isCorrect = false }
                rest = rest.dropFirst()
                skipSpace()
                // What stands behind the last one means nothing, not even that the source ends there.
                if index == 1, !rest.isEmpty, isCut { isCorrect = true }
            }
        }
        return [name.isEmpty ? [0xFE] : name] + identifiers + [Array("\(isCorrect)".utf8)]
    }

    private mutating func skipSpace() { rest = rest.drop(while: Self.isSpace) }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0C, 0x20].contains(byte) }
}
