import Characters
internal import Characters

/// Searches for words at the start of a line, ignoring case.
///
/// It works on bytes, because it runs for every short line of a page. It knows the case of ASCII, Latin-1, Latin
/// Extended-A and Cyrillic, where both cases of a letter have the same length. Letters with combining marks are
/// composed first.
struct LineOpenings: Sendable {
    /// The longest first.
    private let words: [[UInt8]]
    /// The first two bytes of each.
    private let keys: [UInt16]
    private let longest: Int

    /// - Parameter words: in lower case, at least two bytes each.
    init(_ words: [String]) {
        self.words = words.map { Array($0.utf8) }.sorted { $0.count > $1.count }
        keys = self.words.map { UInt16($0[0]) << 8 | UInt16($0[1]) }
        longest = self.words.first?.count ?? 0
    }

    /// The rest of a line after its longest opening, which begins at the first letter. `nil` if the line has no
    /// opening, or a letter follows it, so that the word is longer.
    func rest(of line: [UInt8]) -> ArraySlice<UInt8>? {
        guard let start = Self.firstLetter(line) else { return nil }
        let beginning = line[start..<min(line.count, start + longest)]
        if beginning.contains(where: { $0 == 0xCC || $0 == 0xCD }) {
            let composed = Array(CanonicalComposition.nfc(String(decoding: line[start...], as: UTF8.self)).utf8)
            return rest(of: composed, from: 0)
        }
        return rest(of: line, from: start)
    }

    private func rest(of line: [UInt8], from start: Int) -> ArraySlice<UInt8>? {
        guard line.count - start >= 2 else { return nil }
        let key = Self.lowered(line, start, start + 2)
        for (index, other) in keys.enumerated() where other == UInt16(key[0]) << 8 | UInt16(key[1]) {
            let word = words[index]
            guard line.count - start >= word.count else { continue }
            let end = start + word.count
            if Self.lowered(line, start, end) == word, !Self.isLetter(line, end) { return line[end...] }
        }
        return nil
    }

    private static func firstLetter(_ line: [UInt8]) -> Int? {
        var at = 0
        while at < line.count {
            if isLetter(line, at) { return at }
            at += max(1, UTF8Sequence.length(in: line, at: at))
        }
        return nil
    }

    /// Whether the character at a place is a letter; false at the end.
    private static func isLetter(_ line: [UInt8], _ at: Int) -> Bool {
        guard at < line.count else { return false }
        if line[at] < 0x80 { return line[at].isLetter }
        let length = UTF8Sequence.length(in: line, at: at)
        guard length > 1 else { return false }
        var scalar = UInt32(line[at]) & (0xFF >> UInt32(length + 1))
        for byte in line[(at + 1)..<(at + length)] { scalar = scalar << 6 | UInt32(byte & 0x3F) }
        return Unicode.Scalar(scalar)?.properties.isAlphabetic ?? false
    }

    private static func lowered(_ line: [UInt8], _ start: Int, _ end: Int) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(end - start)
        var at = start
        while at < end {
            let byte = line[at]
            if byte >= 0xC3, byte <= 0xD1, at + 1 < end, line[at + 1] & 0xC0 == 0x80 {
                let scalar = lowered(UInt32(byte & 0x1F) << 6 | UInt32(line[at + 1] & 0x3F))
                output.append(0xC0 | UInt8(scalar >> 6))
                output.append(0x80 | UInt8(scalar & 0x3F))
                at += 2
            } else {
                output.append(byte.lowercased)
                at += 1
            }
        }
        return output
    }

    /// The lower case of U+00C0 to U+047F. The result has two bytes in UTF-8 too.
    private static func lowered(_ scalar: UInt32) -> UInt32 {
        switch scalar {
        case 0xC0...0xDE where scalar != 0xD7: scalar + 0x20
        // Pairs whose even character is the capital, then pairs whose odd character is. Two characters have their lower
        // case elsewhere.
        case 0x130, 0x178: scalar
        case 0x100...0x137, 0x14A...0x177: scalar | 1
        case 0x139...0x148, 0x179...0x17E: scalar + (scalar & 1)
        case 0x400...0x40F: scalar + 0x50
        case 0x410...0x42F: scalar + 0x20
        default: scalar
        }
    }
}
