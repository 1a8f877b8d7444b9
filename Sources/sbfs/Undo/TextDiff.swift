import StuffBucket

/// The lines that differ between two texts, as `log` and `history` show them.
enum TextDiff {
    private static let lineLimit = 1000
    private static let byteLimit = 500

    static func lines(_ old: [UInt8]?, _ new: [UInt8]?, _ style: Style) -> [String] {
        let texts = [old, new].map { String(decoding: $0 ?? [], as: UTF8.self) }
        return LineDiff.lines(texts[0], texts[1]).prefix(lineLimit).map { line in
            switch line {
            case .removed(let text): style.removed("  - " + Printable.line(String(text.prefix(byteLimit))))
            case .added(let text): style.added("  + " + Printable.line(String(text.prefix(byteLimit))))
            case .same(let count): style.dim("    … \(count) line\(count == 1 ? "" : "s")")
            }
        }
    }
}
