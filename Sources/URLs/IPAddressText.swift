import Characters
internal import Characters

/// Addresses in URLs: sections 3.5 (parsing) and 3.6 (serialising) of the URL Standard.
package enum IPAddressText {
    // MARK: IPv4

    /// Whether the last label is a number, so that the host must be an IPv4 address ("ends in a number checker").
    static func endsInNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var end = bytes.count
        if end > 0, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        var start = end
        while start > 0, bytes[start - 1] != UInt8(ascii: ".") { start -= 1 }
        if start == end { return false }
        if (start..<end).allSatisfy({ bytes[$0].isDigit }) { return true }
        return number(bytes, start, end) != nil
    }

    /// One to four numbers in decimal, octal (`0…`) or hexadecimal (`0x…`); the last one fills the remaining bytes.
    package static func ipv4(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32? {
        var end = bytes.count
        if end > 1, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        var numbers: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        var count = 0
        var start = 0
        while start <= end {
            var stop = start
            while stop < end, bytes[stop] != UInt8(ascii: ".") { stop += 1 }
            guard count < 4, start < stop, let value = number(bytes, start, stop) else { return nil }
            numbers = (numbers.1, numbers.2, numbers.3, value)
            count += 1
            start = stop + 1
        }
        let first = [numbers.0, numbers.1, numbers.2].suffix(count - 1)
        guard first.allSatisfy({ $0 < 256 }), numbers.3 < 1 << UInt64(8 * (5 - count)) else { return nil }
        var address = UInt32(numbers.3)
        for (index, value) in first.enumerated() { address |= UInt32(value) << UInt32(8 * (3 - index)) }
        return address
    }

    /// `nil` if the text is no number; a number that is too large reads as 2³³.
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> UInt64? {
        var (start, radix) = (start, UInt64(10))
        if end - start >= 2, bytes[start] == 0x30 {
            let isHexadecimal = bytes[start + 1] | 0x20 == UInt8(ascii: "x")
            radix = isHexadecimal ? 16 : 8
            start += isHexadecimal ? 2 : 1
        }
        var value: UInt64 = 0
        while start < end {
            guard let digit = Hexadecimal.value(of: bytes[start]), UInt64(digit) < radix else { return nil }
            value = min(value * radix + UInt64(digit), 1 << 33)
            start += 1
        }
        return value
    }

    package static func text(ofIPv4 address: UInt32) -> [UInt8] {
        Array("\(address >> 24).\(address >> 16 & 255).\(address >> 8 & 255).\(address & 255)".utf8)
    }

    // MARK: IPv6

    /// Eight pieces from the text between the brackets.
    package static func ipv6(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt16]? {
        var pieces = [UInt16](repeating: 0, count: 8)
        var (piece, at) = (0, 0)
        var compressed: Int?
        func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }
        let colon = UInt8(ascii: ":")
        if byte(0) == colon {
            guard byte(1) == colon else { return nil }
            at = 2
            piece = 1
            compressed = 1
        }
        while at < bytes.count {
            if piece == 8 { return nil }
            if bytes[at] == colon {
                if compressed != nil { return nil }
                at += 1
                piece += 1
                compressed = piece
                continue
            }
            var (value, length) = (UInt16(0), 0)
            while length < 4, at < bytes.count, let digit = Hexadecimal.value(of: bytes[at]) {
                value = value << 4 | UInt16(digit)
                at += 1
                length += 1
            }
            if byte(at) == UInt8(ascii: ".") {
                guard length > 0, piece <= 6 else { return nil }
                guard let address = dotted(bytes, at - length) else { return nil }
                pieces[piece] = UInt16(address >> 16)
                pieces[piece + 1] = UInt16(truncatingIfNeeded: address)
                piece += 2
                at = bytes.count
                break
            }
            if byte(at) == colon, at < bytes.count {
                at += 1
                if at == bytes.count { return nil }
            } else if at < bytes.count {
                return nil
            }
            pieces[piece] = value
            piece += 1
        }
        if let compressed {
            // The pieces after the gap move to the end.
            let moved = piece - compressed
            let tail = Array(pieces[compressed..<piece])
            for index in compressed..<8 { pieces[index] = 0 }
            for index in 0..<moved { pieces[8 - moved + index] = tail[index] }
        } else if piece != 8 {
            return nil
        }
        return pieces
    }

    /// Four decimal numbers without leading zeros, up to the end.
    private static func dotted(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> UInt32? {
        var (address, at) = (UInt32(0), start)
        for index in 0..<4 {
            if index > 0 {
                guard at < bytes.count, bytes[at] == UInt8(ascii: ".") else { return nil }
                at += 1
            }
            let first = at
            var value: UInt32 = 0
            while at < bytes.count, bytes[at].isDigit {
                if at > first, value == 0 { return nil }
                value = value * 10 + UInt32(bytes[at] - 0x30)
                if value > 255 { return nil }
                at += 1
            }
            if at == first { return nil }
            address = address << 8 | value
        }
        return at == bytes.count ? address : nil
    }

    package static func text(ofIPv6 pieces: [UInt16]) -> [UInt8] {
        precondition(pieces.count == 8, "an IPv6 address has eight pieces")
        // The first longest run of at least two zeros.
        var (gapStart, gapLength) = (-1, 1)
        var index = 0
        while index < 8 {
            var end = index
            while end < 8, pieces[end] == 0 { end += 1 }
            if end - index > gapLength { (gapStart, gapLength) = (index, end - index) }
            index = max(end, index + 1)
        }
        var output: [UInt8] = []
        index = 0
        while index < 8 {
            if index == gapStart {
                output += index == 0 ? "::".utf8 : ":".utf8
                index += gapLength
                continue
            }
            output += String(pieces[index], radix: 16).utf8
            if index < 7 { output.append(UInt8(ascii: ":")) }
            index += 1
        }
        return output
    }
}
