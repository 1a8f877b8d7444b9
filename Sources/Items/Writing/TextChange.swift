/// A change of an item's text.
public enum TextChange: Sendable {
    /// Adds a paragraph at the end, after a blank line.
    case append([UInt8])
    /// Replaces the whole text that the person saw; `base` is `nil` if there was none.
    case replace(base: [UInt8]?, with: [UInt8])
}

extension TextChange {
    /// Another program changed the text after the person saw it.
    struct Clash: Error {}

    /// - Returns: `nil` if the text already is as wanted.
    func apply(to current: [UInt8]?) throws(Clash) -> [UInt8]? {
        switch self {
        case .append(let paragraph):
            guard let current, !current.isEmpty else { return paragraph }
            let end = current.suffix(2)
            let gap = end.elementsEqual([0x0A, 0x0A]) ? "" : end.last == 0x0A ? "\n" : "\n\n"
            return current + gap.utf8 + paragraph
        case .replace(let base, let new):
            if current == new { return nil }
            if current != base { throw Clash() }
            return new
        }
    }
}
