/// A text file of the person with a block of our lines, between two lines that mark it.
struct MarkedFile {
    static let first = "# Begin: written by \"sbfs git setup\"; \"sbfs git setup --remove\" takes it out."
    static let last = "# End: written by \"sbfs git setup\"."

    /// Where a block goes.
    enum Place {
        /// Where the block is now; else at the end.
        case same
        case end
    }

    /// Each with its line end.
    private let lines: [ArraySlice<UInt8>]
    /// The places of the two marks and what is between them.
    private let block: ClosedRange<Int>?

    /// - Throws: `CommandFailure` if one of the two marks is missing, or there are several blocks.
    init(_ bytes: [UInt8], name: String) throws {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
            lines.append(bytes[start..<end])
            start = end
        }
        self.lines = lines
        func places(_ mark: String) -> [Int] {
            lines.indices.filter { lines[$0].prefix { $0 != 0x0A && $0 != 0x0D }.elementsEqual(mark.utf8) }
        }
        let firsts = places(Self.first), lasts = places(Self.last)
        switch (firsts.count, lasts.count) {
        case (0, 0): block = nil
        case (1, 1) where firsts[0] < lasts[0]: block = firsts[0]...lasts[0]
        default:
            let place = (firsts + lasts).min() ?? 0
            throw CommandFailure(
                .failed,
                "\(name), line \(place + 1): the lines that mark what sbfs wrote are incomplete or there twice; remove them and what "
                    + "is between them, then run this again")
        }
    }

    /// The person's own lines with their numbers, from 1.
    var ownLines: [(number: Int, text: String)] {
        lines.indices.filter { !(block?.contains($0) ?? false) }
            .map { ($0 + 1, String(decoding: lines[$0].filter { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)) }
    }

    /// The number of the block's first line, from 1, and the lines between its marks; `nil` without a block.
    var ownBlock: (number: Int, lines: [String])? {
        block.map { block in
            let inner = lines[(block.lowerBound + 1)..<block.upperBound]
            return (
                block.lowerBound + 1,
                inner.map { String(decoding: $0.filter { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self) }
            )
        }
    }

    /// The bytes with a block of these lines.
    func with(_ text: [String], at place: Place) -> [UInt8] {
        let body = Array(([Self.first] + text + [Self.last]).map { $0 + "\n" }.joined().utf8)
        if place == .same, let block {
            return Array(lines[..<block.lowerBound].joined()) + body + lines[(block.upperBound + 1)...].joined()
        }
        let own = withoutBlock
        return own + (own.isEmpty || own.last == 0x0A ? [] : [0x0A]) + body
    }

    /// The person's own bytes.
    var withoutBlock: [UInt8] {
        guard let block else { return Array(lines.joined()) }
        return Array(lines[..<block.lowerBound].joined()) + lines[(block.upperBound + 1)...].joined()
    }
}
