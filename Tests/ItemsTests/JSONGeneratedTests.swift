import JSONFormat
import TestSupport
import Testing

@testable import Items

/// Generated values and faults.
struct JSONGeneratedTests {
    static let small = Array(
        #"{"id":"0198","title":"\u00e9\n😀","tags":["a","b c"],"n":[-0.5e+3,1,null],"o":{"t":true,"f":false}}"#.utf8)

    private func value(_ generator: inout SeededGenerator, depth: Int) -> JSON {
        switch Int.random(in: 0..<(depth > 4 ? 4 : 6), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .number(number(&generator))
        case 3: return .string(generator.text(upTo: 12))
        case 4:
            return .array(
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                    value(&generator, depth: depth + 1)
                })
        default:
            // Numbered, since a key may occur once.
            return .object(
                (0..<Int.random(in: 0...30, using: &generator)).map { number in
                    .init("\(number)" + generator.text(upTo: 5), value(&generator, depth: depth + 3))
                })
        }
    }

    private func number(_ generator: inout SeededGenerator) -> String {
        var text = Bool.random(using: &generator) ? "-" : ""
        text += String(UInt64.random(in: 0...(.max), using: &generator) >> UInt64.random(in: 0..<64, using: &generator))
        if Bool.random(using: &generator) { text += ".0" + String(UInt16.random(in: 0...(.max), using: &generator)) }
        if Bool.random(using: &generator) { text += ["e", "E+", "e-"].randomElement(using: &generator) ?? "e" }
        if let last = text.last, !last.isNumber { text += "07" }
        return text
    }

    @Test func `written bytes are read back, and writing again gives the same bytes`() throws {
        var generator = SeededGenerator(seed: 8259)
        for round in 0..<1500 {
            let value = value(&generator, depth: 0)
            let bytes = JSONWriter.file(value)
            let json = try JSONDocument(parsing: bytes)
            #expect(json.copy(json.root) == value, "round \(round)")
            var writer = JSONWriter(.canonical)
            writer.write(json.root, of: json)
            #expect(writer.bytes + [0x0A] == bytes, "round \(round)")
            var line = JSONWriter(.oneLine)
            line.write(value)
            let short = try JSONDocument(parsing: line.bytes)
            #expect(short.copy(short.root) == value, "round \(round)")
        }
    }

    @Test func `every beginning of a document is an error at or before its end`() throws {
        _ = try JSONDocument(parsing: Self.small)
        for count in 0..<Self.small.count {
            let prefix = Array(Self.small[..<count])
            let error = #expect(throws: JSONError.self, "\(count) bytes") { _ = try JSONDocument(parsing: prefix) }
            #expect((error?.offset ?? .max) <= count)
        }
    }

    @Test func `with any bit of a document flipped, it is refused or still whole`() throws {
        var accepted = 0
        for index in Self.small.indices {
            for bit in 0..<8 {
                var bytes = Self.small
                bytes[index] ^= 1 << UInt8(bit)
                guard let json = try? JSONDocument(parsing: bytes) else { continue }
                accepted += 1
                let copy = json.copy(json.root)
                let again = try JSONDocument(parsing: JSONWriter.file(copy))
                #expect(again.copy(again.root) == copy, "byte \(index), bit \(bit)")
                _ = try json.rewriting([("title", .string("x"))]) { ItemField(rawValue: $0)?.rank }
            }
        }
        // Letters inside strings may change, structure may not.
        #expect(accepted > 50)
    }

    @Test func `with any byte of a document replaced or taken out, nothing crashes`() {
        var refused = 0
        for index in Self.small.indices {
            for byte in [0x00, 0x0A, 0x22, 0x5C, 0x7B, 0x7D, 0x80, 0xFF] as [UInt8] {
                var bytes = Self.small
                bytes[index] = byte
                if (try? JSONDocument(parsing: bytes)) == nil { refused += 1 }
            }
            var shorter = Self.small
            shorter.remove(at: index)
            if (try? JSONDocument(parsing: shorter)) == nil { refused += 1 }
        }
        #expect(refused > Self.small.count * 4)
    }

    @Test func `bytes at random are refused or read, never worse`() {
        var generator = SeededGenerator(seed: 1)
        let alphabet = Array("{}[]\",:\\u0123eE+-.truefalsn \n".utf8) + [0xC3, 0xA9, 0xFF]
        var refused = 0
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            if (try? JSONDocument(parsing: bytes)) == nil { refused += 1 }
        }
        #expect(refused > 10_000)
    }
}
