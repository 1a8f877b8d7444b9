/// RFC 4648, section 4.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count / 3 + 1) * 4)
        var place = 0
        while place < bytes.count {
            let second = place + 1 < bytes.count ? bytes[place + 1] : 0
            let third = place + 2 < bytes.count ? bytes[place + 2] : 0
            let group = UInt32(bytes[place]) << 16 | UInt32(second) << 8 | UInt32(third)
            for shift: UInt32 in [18, 12, 6, 0] { output.append(alphabet[Int(group >> shift & 63)]) }
            place += 3
        }
        if place > bytes.count { output[output.count - 1] = 0x3D }
        if place > bytes.count + 1 { output[output.count - 2] = 0x3D }
        return output
    }
}
