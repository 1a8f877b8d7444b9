/// Whether two texts have anything in common.
package enum SharedParagraph {
    /// Whether a paragraph is in both.
    package static func exists(in one: [UInt8], and other: [UInt8]) -> Bool {
        !Set(ParagraphText(one).paragraphs).isDisjoint(with: ParagraphText(other).paragraphs)
    }
}
