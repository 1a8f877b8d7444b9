/// How all lines of a text end.
enum LineEnds {
    case lf, crlf

    /// `nil` if no line ends, or not all in one way.
    init?(of text: some Collection<UInt8>) {
        var previous: UInt8 = 0, lines = 0, returns = 0
        for byte in text {
            if byte == 0x0A {
                lines += 1
                if previous == 0x0D { returns += 1 }
            }
            previous = byte
        }
        if lines == 0 || returns != 0 && returns != lines { return nil }
        self = returns == 0 ? .lf : .crlf
    }

    /// The bytes with these ends of lines.
    func given(to text: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        for byte in text {
            if byte == 0x0A {
                if bytes.last == 0x0D { bytes.removeLast() }
                if self == .crlf { bytes.append(0x0D) }
            }
            bytes.append(byte)
        }
        return bytes
    }

    /// The ends that one side, or both, gave to all lines of the base; `nil` if none did. They are those of the joined text.
    static func changed(base: [UInt8], _ a: [UInt8], _ b: [UInt8]) -> LineEnds? {
        guard let old = LineEnds(of: base) else { return nil }
        return [a, b].lazy.compactMap { LineEnds(of: $0) }.first { $0 != old }
    }
}
