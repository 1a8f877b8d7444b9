/// An address of HTML as the target of a link in Markdown.
enum MarkdownAddress {
    /// The address, in angle brackets if it needs them.
    case written([UInt8])
    /// The address would run a script.
    case runsScript
    case empty

    init(_ value: String) {
        var address = value.utf8.filter { $0 >= 0x20 && $0 != 0x7F }
        while address.first == 0x20 { address.removeFirst() }
        while address.last == 0x20 { address.removeLast() }
        let start = String(decoding: address.prefix(12), as: UTF8.self).lowercased()
        if address.isEmpty {
            self = .empty
        } else if start.hasPrefix("javascript:") || start.hasPrefix("vbscript:") {
            self = .runsScript
        } else {
            self = .written(address.allSatisfy(Self.isPlain) ? address : Self.bracketed(address))
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"): false
        default: byte > 0x20
        }
    }

    private static func bracketed(_ address: [UInt8]) -> [UInt8] {
        var escaped: [UInt8] = [UInt8(ascii: "<")]
        for byte in address {
            switch byte {
            case UInt8(ascii: "<"): escaped += Array("%3C".utf8)
            case UInt8(ascii: ">"): escaped += Array("%3E".utf8)
            case UInt8(ascii: "\\"): escaped += Array("%5C".utf8)
            default: escaped.append(byte)
            }
        }
        return escaped + [UInt8(ascii: ">")]
    }
}
