import Characters

/// JSON as pages write it. It accepts trailing commas, line ends in strings, comments and garbage around the value. If
/// the text ends early, the part before is kept.
///
/// Limits: 64 nested levels and 100,000 values. Deeper and further values are dropped.
indirect enum LenientJSON: Sendable {
    case string(String)
    case number(String)
    case array([LenientJSON])
    case object([(key: String, value: LenientJSON)])
    case other

    static func parse(_ bytes: ArraySlice<UInt8>) -> LenientJSON? {
        var parser = Parser(bytes: Array(bytes))
        return parser.value(depth: 0)
    }

    subscript(key: String) -> LenientJSON? {
        if case .object(let members) = self { return members.first { $0.key == key }?.value }
        return nil
    }

    /// The text of a string, or the first of an array of them.
    var text: String? {
        switch self {
        case .string(let text): text
        case .array(let elements): elements.lazy.compactMap(\.text).first
        default: nil
        }
    }

    var elements: [LenientJSON] {
        switch self {
        case .array(let elements): elements
        case .other: []
        default: [self]
        }
    }

    private struct Parser {
        let bytes: [UInt8]
        var place = 0
        var count = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        /// Skips everything that is not part of a value: white space, commas, comments, a byte order mark, `<!--`,
        /// `//<![CDATA[`.
        mutating func skip() {
            while place < bytes.count {
                switch bytes[place] {
                case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]"),
                    UInt8(ascii: "-"), UInt8(ascii: ":"), 0x30...0x39, 0x61...0x7A:
                    return
                case UInt8(ascii: "/") where place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "/"):
                    while place < bytes.count, bytes[place] != 0x0A { place += 1 }
                case UInt8(ascii: "/") where place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "*"):
                    place += 2
                    while place + 1 < bytes.count,
                        bytes[place] != UInt8(ascii: "*") || bytes[place + 1] != UInt8(ascii: "/")
                    {
                        place += 1
                    }
                    place += 2
                default: place += 1
                }
            }
        }

        mutating func value(depth: Int) -> LenientJSON? {
            skip()
            count += 1
            guard place < bytes.count, depth < 64, count < 100_000 else {
                place = bytes.count
                return nil
            }
            switch bytes[place] {
            case UInt8(ascii: "{"): return object(depth)
            case UInt8(ascii: "["): return array(depth)
            case UInt8(ascii: "\""): return .string(string())
            case UInt8(ascii: "-"), 0x30...0x39: return .number(word())
            default:
                let start = place
                _ = word()
                if place == start { place += 1 }
                return .other
            }
        }

        mutating func word() -> String {
            let start = place
            while place < bytes.count,
                bytes[place].isLetter || bytes[place].isDigit || [0x2B, 0x2D, 0x2E].contains(bytes[place])
            {
                place += 1
            }
            return String(decoding: bytes[start..<place], as: UTF8.self)
        }

        mutating func object(_ depth: Int) -> LenientJSON {
            var members: [(key: String, value: LenientJSON)] = []
            place += 1
            while true {
                skip()
                guard place < bytes.count else { break }
                if bytes[place] == UInt8(ascii: "}") {
                    place += 1
                    break
                }
                guard bytes[place] == UInt8(ascii: "\"") else {
                    place += 1
                    continue
                }
                let key = string()
                skip()
                guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else { continue }
                place += 1
                guard let value = value(depth: depth + 1) else { break }
                members.append((key, value))
            }
            return .object(members)
        }

        mutating func array(_ depth: Int) -> LenientJSON {
            var elements: [LenientJSON] = []
            place += 1
            while true {
                skip()
                guard place < bytes.count else { break }
                if bytes[place] == UInt8(ascii: "]") {
                    place += 1
                    break
                }
                if bytes[place] == UInt8(ascii: "}") || bytes[place] == UInt8(ascii: ":") {
                    place += 1
                    continue
                }
                guard let value = value(depth: depth + 1) else { break }
                elements.append(value)
            }
            return .array(elements)
        }

        mutating func string() -> String {
            var output: [UInt8] = []
            place += 1
            while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
                if bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count {
                    place += 1
                    escape(&output)
                } else {
                    output.append(bytes[place])
                    place += 1
                }
            }
            place += 1
            return String(decoding: output, as: UTF8.self)
        }

        private mutating func escape(_ output: inout [UInt8]) {
            let byte = bytes[place]
            place += 1
            switch byte {
            case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): output.append(0x20)
            case UInt8(ascii: "b"), UInt8(ascii: "f"): break
            case UInt8(ascii: "u"):
                guard var value = unit() else { return }
                if value & 0xFC00 == 0xD800, place + 1 < bytes.count, bytes[place] == 0x5C,
                    bytes[place + 1] == UInt8(ascii: "u")
                {
                    let back = place
                    place += 2
                    if let low = unit(), low & 0xFC00 == 0xDC00 {
                        value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
                    } else {
                        place = back
                    }
                }
                output += Array(String(Character(Unicode.Scalar(value) ?? "\u{FFFD}")).utf8)
            default: output.append(byte)
            }
        }

        private mutating func unit() -> UInt32? {
            guard place + 4 <= bytes.count,
                let value = UInt32(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
            else { return nil }
            place += 4
            return value
        }
    }
}
