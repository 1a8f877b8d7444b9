/// White space and control characters, from small tables: the standard library's functions take ten times as long.
package enum WhiteSpace {
    /// Unicode's White_Space (which is stable), and general category Cc: C0, DEL, C1.
    @inlinable
    package static func isSpaceOrControl(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0...0x20, 0x7F...0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// The text with each run of white space and control characters replaced by one space, and none at the ends.
    package static func collapsed(_ text: String) -> String {
        var text = text
        let changed = text.withUTF8 { bytes -> String? in
            if isCollapsed(bytes) { return nil }
            var output: [UInt8] = []
            output.reserveCapacity(bytes.count)
            forEachScalar(bytes) { place, length, isSpace in
                if !isSpace {
                    output += bytes[place..<place + length]
                } else if let last = output.last, last != 0x20 {
                    output.append(0x20)
                }
                return true
            }
            if output.last == 0x20 { output.removeLast() }
            return String(decoding: output, as: UTF8.self)
        }
        return changed ?? text
    }

    /// Whether the text has only single spaces between other characters, as nearly all titles and tags.
    private static func isCollapsed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var isCollapsed = true
        var isBehindSpace = true
        forEachScalar(bytes) { place, _, isSpace in
            if isSpace, isBehindSpace || bytes[place] != 0x20 { isCollapsed = false }
            isBehindSpace = isSpace
            return isCollapsed
        }
        return isCollapsed && (!isBehindSpace || bytes.isEmpty)
    }

    /// - Parameters:
    ///   - bytes: well-formed UTF-8, as in a `String`.
    ///   - body: receives the offset, length and kind of each scalar; returns `false` to stop.
    @inline(__always)
    private static func forEachScalar(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (Int, Int, Bool) -> Bool) {
        var place = 0
        while place < bytes.count {
            let lead = bytes[place]
            let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
            if !body(place, length, isSpaceOrControl(scalar(bytes, place, length))) { return }
            place += length
        }
    }

    /// The scalar at an offset. For four bytes, which are never a space, only the lead byte.
    @inline(__always)
    private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int, _ length: Int) -> UInt32 {
        let lead = UInt32(bytes[place])
        if length == 1 { return lead }
        let second = UInt32(bytes[place + 1]) & 0x3F
        if length == 2 { return (lead & 0x1F) << 6 | second }
        if length == 3 { return (lead & 0x0F) << 12 | second << 6 | UInt32(bytes[place + 2]) & 0x3F }
        return 0x10000
    }
}
