/// What two texts have in common.
package enum SharedParagraph {
    /// Whether at least half of the different paragraphs of each are in the other.
    package static func areMost(in one: [UInt8], and other: [UInt8]) -> Bool {
        let one = Set(ParagraphText(one).paragraphs), other = Set(ParagraphText(other).paragraphs)
        let count = one.intersection(other).count
        return count > 0 && count * 2 >= max(one.count, other.count)
    }
}
