internal import Glibc

/// An IPv4 or IPv6 address as a number, in host byte order.
package enum NetworkAddress: Hashable, Sendable {
    case v4(UInt32)
    /// The first and the last eight bytes.
    case v6(high: UInt64, low: UInt64)

    /// Reads the usual spellings (RFC 5952 and longer ones; four decimal parts), with or without brackets.
    ///
    /// A zone (`%eth0`) is ignored: it does not change the kind of address.
    package init?(_ text: String) {
        var spelling = text.utf8[...]
        if spelling.first == UInt8(ascii: "["), spelling.last == UInt8(ascii: "]") {
            spelling = spelling.dropFirst().dropLast()
        }
        if let percent = spelling.firstIndex(of: UInt8(ascii: "%")) { spelling = spelling[..<percent] }
        let plain = String(decoding: spelling, as: UTF8.self)
        var four = in_addr()
        if inet_pton(AF_INET, plain, &four) == 1 {
            self = .v4(UInt32(bigEndian: four.s_addr))
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, plain, &six) == 1 else { return nil }
        self = withUnsafeBytes(of: &six) { Self.v6(bytes: $0) }
    }

    /// Reads an address from the resolver; `nil` for families other than the two, or a truncated structure.
    package init?(_ address: UnsafeRawBufferPointer) {
        guard address.count >= MemoryLayout<sockaddr>.size else { return nil }
        switch Int32(address.loadUnaligned(as: sockaddr.self).sa_family) {
        case AF_INET where address.count >= MemoryLayout<sockaddr_in>.size:
            self = .v4(UInt32(bigEndian: address.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr))
        case AF_INET6 where address.count >= MemoryLayout<sockaddr_in6>.size:
            var six = address.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            self = withUnsafeBytes(of: &six) { Self.v6(bytes: $0) }
        default: return nil
        }
    }

    private static func v6(bytes: UnsafeRawBufferPointer) -> NetworkAddress {
        .v6(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}

extension NetworkAddress: CustomStringConvertible {
    package var description: String {
        switch self {
        case .v4(let number):
            "\(number >> 24).\(number >> 16 & 0xFF).\(number >> 8 & 0xFF).\(number & 0xFF)"
        case .v6(let high, let low): Self.spelling(high, low)
        }
    }

    private static func spelling(_ high: UInt64, _ low: UInt64) -> String {
        var six = in6_addr()
        withUnsafeMutableBytes(of: &six) {
            $0.storeBytes(of: high.bigEndian, as: UInt64.self)
            $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            guard let text = inet_ntop(AF_INET6, &six, buffer.baseAddress, socklen_t(buffer.count)) else { return "?" }
            return String(cString: text)
        }
    }
}
