/// Where a line may end between two letters, in scripts without spaces: Chinese, Japanese and Yi. Korean has spaces.
///
/// A part of UAX #14: ideographs and kana (class ID), but not before closing marks and small kana (CL, NS, CJ), nor behind
/// opening marks (OP).
enum LineBreaks {
    static func mayBreak(between one: Unicode.Scalar, and two: Unicode.Scalar) -> Bool {
        if two.value < 0x300 && one.value < 0x300 { return false }
        if isMark(two) || notFirst.contains(two) || notLast.contains(one) { return false }
        return isIdeograph(one) || isIdeograph(two)
    }

    private static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2E80...0x2FDF, 0x3001...0x303E, 0x3041...0x312F, 0x31A0...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xF900...0xFAFF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .format: true
        default: false
        }
    }

    private static let notFirst = Set(
        "、。，．・：；？！）］｝」』】〉》〕〗〙〛’”ー々〻ゝゞヽヾぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ%),.:;?!]}…"
            .unicodeScalars)
    private static let notLast = Set("（［｛「『【〈《〔〖〘〚‘“([{$¥£".unicodeScalars)
}
