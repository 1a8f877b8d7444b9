/// The kind of network to which an address belongs, by the IANA special-purpose address registries (RFC 6890 and
/// later additions).
package enum AddressScope: String, Sendable {
    /// A public address.
    case global
    case loopback = "this machine itself"
    case unspecified = "no particular machine"
    case privateUse = "a private network"
    case sharedCarrier = "a provider's inner network"
    case linkLocal = "the local link"
    case multicast = "a multicast group"
    case broadcast = "everybody on the local network"
    case documentation = "examples in documents"
    case benchmarking = "measurements"
    case reserved = "no use yet"
}

extension NetworkAddress {
    /// The narrowest scope of the address, or of an IPv4 address within it.
    package var scope: AddressScope {
        switch self {
        case .v4(let number): Self.scope(v4: number)
        case .v6(let high, let low): Self.scope(high, low)
        }
    }

    /// Base, length of the prefix in bits, scope; the first match counts.
    private static let v4Blocks: [(base: UInt32, bits: UInt32, scope: AddressScope)] = [
        (0x0000_0000, 32, .unspecified), (0x0000_0000, 8, .reserved),  // 0.0.0.0/8: Linux connects 0.0.0.0 to itself
        (0x0A00_0000, 8, .privateUse), (0x6440_0000, 10, .sharedCarrier), (0x7F00_0000, 8, .loopback),
        (0xA9FE_0000, 16, .linkLocal), (0xAC10_0000, 12, .privateUse),
        (0xC000_0000, 24, .reserved),  // 192.0.0.0/24, protocol assignments: DS-Lite, NAT64 discovery
        (0xC000_0200, 24, .documentation),
        (0xC058_6300, 24, .reserved),  // 192.88.99.0/24, formerly the relays of 6to4
        (0xC0A8_0000, 16, .privateUse), (0xC612_0000, 15, .benchmarking), (0xC633_6400, 24, .documentation),
        (0xCB00_7100, 24, .documentation), (0xE000_0000, 4, .multicast), (0xFFFF_FFFF, 32, .broadcast),
        (0xF000_0000, 4, .reserved),
    ]

    private static func scope(v4 number: UInt32) -> AddressScope {
        v4Blocks.first { (number ^ $0.base) >> (32 - $0.bits) == 0 }?.scope ?? .global
    }

    private static func scope(_ high: UInt64, _ low: UInt64) -> AddressScope {
        if high == 0 {
            if low == 0 { return .unspecified }
            if low == 1 { return .loopback }
            // ::ffff:a.b.c.d is the IPv4 host itself, ::a.b.c.d (RFC 4291, 2.5.5.1) was it formerly, ::ffff:0:a.b.c.d
            // is a translated one (RFC 2765). No name on the web has such an address, so it is refused even if the
            // host is global.
            guard [0, 0xFFFF, 0xFFFF_0000].contains(low >> 32) else { return .reserved }
            let carried = scope(v4: UInt32(truncatingIfNeeded: low))
            return carried == .global ? .reserved : carried
        }
        switch high >> 48 {
        case 0x0064 where high == 0x0064_FF9B_0000_0000 && low >> 32 == 0:
            // 64:ff9b::/96, NAT64 (RFC 6052): the way from an IPv6-only network to the IPv4 web.
            return scope(v4: UInt32(truncatingIfNeeded: low))
        case 0x0064 where high >> 16 == 0x0064_FF9B_0001: return .privateUse  // 64:ff9b:1::/48, RFC 8215
        case 0x2001 where high >> 32 == 0x2001_0000:  // 2001::/32, Teredo (RFC 4380): server, then the client inverted
            let server = scope(v4: UInt32(truncatingIfNeeded: high))
            let client = scope(v4: ~UInt32(truncatingIfNeeded: low))
            return server != .global ? server : client
        case 0x2001 where high >> 32 == 0x2001_0DB8: return .documentation
        case 0x2001 where high >> 16 == 0x2001_0002_0000: return .benchmarking
        case 0x2001 where high >> 41 == 0x2001_0000 >> 9: return .reserved  // 2001::/23, protocol assignments
        case 0x2002: return scope(v4: UInt32(truncatingIfNeeded: high >> 16))  // 2002::/16, 6to4 (RFC 3056)
        case 0x3FFF where high >> 44 == 0x3FFF0: return .documentation  // 3fff::/20, RFC 9637
        case 0x5F00: return .reserved  // SRv6 SIDs, RFC 9602
        case 0xFC00...0xFDFF: return .privateUse
        case 0xFE80...0xFEBF: return .linkLocal
        case 0xFEC0...0xFEFF: return .privateUse  // site-local, RFC 3879
        case 0xFF00...0xFFFF: return .multicast
        case 0x2000...0x3FFF: return .global  // the only block from which global unicast addresses are assigned
        default: return .reserved
        }
    }
}
