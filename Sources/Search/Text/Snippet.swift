/// A passage of a text with its matches.
public struct Snippet: Equatable, Sendable {
    /// UTF-8 in one line: white space and control characters become one space, `…` marks each cut.
    public var text: [UInt8]
    /// The matches, as ranges of bytes in `text`: rising, not overlapping, never within a character.
    public var marks: [Range<Int>]
}
