internal import Characters

/// Labels of authors in scripts without capital letters, or without spaces: "作者：", "글 ", "बقلم", "… द्वारा".
///
/// A label counts only before a mark or a space where a name could begin with the same characters.
enum AuthorLabel {
    /// Labels before a name that nobody's name begins with.
    private static let sure = [
        "本报记者", "本報記者", "特约记者", "记者", "記者", "作者", "撰文", "编辑", "編輯", "執筆者", "執筆", "著者", "筆者", "글쓴이", "지은이",
        "작성자", "लेखक", "लेखिका", "द्वारा", "লেখক", "লিখেছেন", "ผู้เขียน", "เขียนโดย", "โดย", "بقلم", "كتبت", "كتب", "الكاتب",
        "الكاتبة", "نویسنده", "نوشته", "تحریر", "מאת", "כותב", "כותבת", "Γράφει ο", "Γράφει η", "Автор", "Текст",
    ]
    /// Labels that are also parts of names, so that a mark must follow.
    private static let marked = [
        "文", "글", "图文", "圖文", "文字", "採訪", "采访", "取材", "글·사진", "사진", "Tác giả", "Oleh", "Penulis", "Yazar", "Yazan",
        "Írta",
        "Szerző", "Kirjoittaja", "Teksti", "Συντάκτης",
    ]
    /// What follows a name.
    private static let behind = [" 기자", "기자", " 특파원", " द्वारा", " 記者", "記者", " 记者"]
    private static let marks: Set<Unicode.Scalar> = [":", "：", "/", "／", "|", "｜", "・", "︰", "=", "＝"]
    private static let spaces: Set<Unicode.Scalar> = [" ", "\u{3000}", "\u{A0}"]

    /// The text without a label before the name or behind it.
    static func removed(from text: String) -> String { name(in: text, isLine: false) ?? text }

    /// The name in a text that begins or ends with a label; `nil` if it has none.
    ///
    /// - Parameter isLine: whether the text is any line of a page, in which a word may begin like a label.
    static func name(in text: String, isLine: Bool) -> String? {
        if let rest = afterLabel(text, isLine: isLine) { return cut(rest) }
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
        for label in behind where text.hasSuffix(label) && text.utf8.count > label.utf8.count + 3 {
            let name = text.dropLast(label.count)
            // A longer text is a sentence.
            return name.count <= (isLine ? 8 : 20) ? cut(String(name)) : nil
        }
        return nil
    }

    private static func afterLabel(_ text: String, isLine: Bool) -> String? {
        for (labels, isSure) in [(sure, true), (marked, false)] {
            for label in labels where text.hasPrefix(label) {
                let rest = text.unicodeScalars.dropFirst(label.unicodeScalars.count)
                let name = rest.drop { marks.contains($0) || spaces.contains($0) }
                let between = rest.prefix(rest.count - name.count)
                let hasMark = between.contains(where: marks.contains)
                // Words with spaces between them go on; characters that are words themselves do not.
                let isApart = hasMark || isSure && (!between.isEmpty || !isLine && isIdeographic(label))
                if isApart, let first = name.first, first.properties.isAlphabetic { return String(name) }
            }
        }
        return nil
    }

    private static func isIdeographic(_ label: String) -> Bool {
        label.unicodeScalars.allSatisfy { (0x3400...0x9FFF).contains($0.value) }
    }

    /// The name without the place or office behind a wide mark, and without another label and its name: "王小明／台北報導",
    /// "王小明 编辑：李四".
    private static func cut(_ name: String) -> String {
        let scalars = name.unicodeScalars
        let end = scalars.firstIndex { ["／", "｜", "（", "〔", "【"].contains($0) } ?? scalars.endIndex
        var text = withoutOthers(String(scalars[..<end]))
        for label in behind where text.hasSuffix(label) { text = String(text.dropLast(label.count)) }
        while let last = text.unicodeScalars.last, spaces.contains(last) { text.unicodeScalars.removeLast() }
        return text
    }

    /// The text before a space that a label with a mark follows.
    private static func withoutOthers(_ text: String) -> String {
        let scalars = text.unicodeScalars
        for place in scalars.indices where spaces.contains(scalars[place]) {
            let rest = String(scalars[scalars.index(after: place)...])
            for label in sure + marked where rest.hasPrefix(label) {
                let behind = rest.unicodeScalars.dropFirst(label.unicodeScalars.count).first { !spaces.contains($0) }
                if let behind, marks.contains(behind) { return String(scalars[..<place]) }
            }
        }
        return text
    }
}
