/// The host of a URL: https://url.spec.whatwg.org/#hosts-(domains-and-ip-addresses)
package enum Host: Hashable, Sendable {
    /// Lower-case ASCII, each label that is not ASCII in Punycode.
    case domain(String)
    /// The first byte is the highest: 127.0.0.1 is 0x7F00_0001.
    case ipv4(UInt32)
    /// Eight pieces.
    case ipv6([UInt16])
    /// The host of a scheme that is not special; percent-encoded.
    case opaque(String)
    /// As in `file:///`.
    case empty

    /// The host as written in a URL; IPv6 in brackets, without its longest run of zeros.
    package var text: String {
        switch self {
        case .domain(let text), .opaque(let text): text
        case .ipv4(let address): String(decoding: IPAddressText.text(ofIPv4: address), as: UTF8.self)
        case .ipv6(let pieces): "[" + String(decoding: IPAddressText.text(ofIPv6: pieces), as: UTF8.self) + "]"
        case .empty: ""
        }
    }
}
