/// Base64 as browsers decode it: https://infra.spec.whatwg.org/#forgiving-base64-decode
package enum ForgivingBase64 {
    /// ASCII white space and the padding may be missing or there; `nil` for everything else that is wrong.
    package static func decoded(_ bytes: [UInt8]) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count / 4 * 3)
        var (buffer, count, padding) = (UInt32(0), 0, 0)
        for byte in bytes {
            let value: UInt8
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0C, 0x0D: continue
            case 0x41...0x5A: value = byte - 0x41
            case 0x61...0x7A: value = byte - 0x61 + 26
            case 0x30...0x39: value = byte - 0x30 + 52
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            case UInt8(ascii: "="):
                padding += 1
                continue
            default: return nil
            }
            if padding > 0 { return nil }
            buffer = buffer << 6 | UInt32(value)
            count += 1
            if count & 3 == 0 {
                output.append(UInt8(truncatingIfNeeded: buffer >> 16))
                output.append(UInt8(truncatingIfNeeded: buffer >> 8))
                output.append(UInt8(truncatingIfNeeded: buffer))
            }
        }
        if padding > 0, padding > 2 || (count + padding) & 3 != 0 { return nil }
        switch count & 3 {
        case 1: return nil
        case 2: output.append(UInt8(truncatingIfNeeded: buffer >> 4))
        case 3:
            output.append(UInt8(truncatingIfNeeded: buffer >> 10))
            output.append(UInt8(truncatingIfNeeded: buffer >> 2))
        default: break
        }
        return output
    }
}
