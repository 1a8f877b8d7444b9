/// A piece of a text with what was found in it.
public struct Snippet: Equatable, Sendable {
    /// UTF-8, one line: white space and control characters are one space, `…` stands where the text was cut.
    public var text: [UInt8]
    /// What was found, as ranges of bytes in `text`: rising, apart from each other, never within a character.
    public var marks: [Range<Int>]
}
