import Characters
internal import HTML

/// What the class and id of an element say about its role in the page.
///
/// Both are split into words at punctuation, digits and changes of case, so `article-body`, `articleBody` and
/// `article__body` are equal. `HintWords` has the words.
struct Hints: OptionSet, Sendable {
    let rawValue: UInt32

    /// The first half of a name for the text of an article: the subject (article, post, story …).
    static let subject = Hints(rawValue: 1 << 0)
    /// The second half: the text of it (body, content, text, copy …).
    static let matter = Hints(rawValue: 1 << 1)
    /// A whole name: `articlebody`, or a subject followed by a matter in one class.
    static let article = Hints(rawValue: 1 << 2)
    static let comments = Hints(rawValue: 1 << 3)
    static let share = Hints(rawValue: 1 << 4)
    static let related = Hints(rawValue: 1 << 5)
    static let navigation = Hints(rawValue: 1 << 6)
    static let footer = Hints(rawValue: 1 << 7)
    static let sidebar = Hints(rawValue: 1 << 8)
    static let advertisement = Hints(rawValue: 1 << 9)
    static let subscription = Hints(rawValue: 1 << 10)
    static let consent = Hints(rawValue: 1 << 11)
    static let byline = Hints(rawValue: 1 << 12)
    static let meta = Hints(rawValue: 1 << 13)
    static let tags = Hints(rawValue: 1 << 14)
    static let hidden = Hints(rawValue: 1 << 15)
    static let caption = Hints(rawValue: 1 << 16)
    static let interface = Hints(rawValue: 1 << 17)
    static let title = Hints(rawValue: 1 << 18)
    static let date = Hints(rawValue: 1 << 19)
    static let widget = Hints(rawValue: 1 << 20)
    static let summary = Hints(rawValue: 1 << 21)
    static let header = Hints(rawValue: 1 << 22)
    static let embed = Hints(rawValue: 1 << 23)
    static let name = Hints(rawValue: 1 << 25)
    static let teaser = Hints(rawValue: 1 << 24)
    /// A box with a note or a warning in the text.
    static let notice = Hints(rawValue: 1 << 26)

    /// The hints with names for people.
    static let names: [(hint: Hints, name: String)] = [
        (subject, "subject"), (matter, "matter"), (article, "article"), (comments, "comments"), (share, "share"),
        (related, "related"), (navigation, "navigation"), (footer, "footer"), (sidebar, "sidebar"),
        (advertisement, "advertisement"), (subscription, "subscription"), (consent, "consent"), (byline, "byline"),
        (meta, "meta"), (tags, "tags"), (hidden, "hidden"), (caption, "caption"), (interface, "interface"),
        (title, "title"), (date, "date"), (widget, "widget"), (summary, "summary"), (header, "header"),
        (embed, "embed"), (teaser, "teaser"), (name, "name"), (notice, "notice"),
    ]

    /// Never part of an article's text.
    static let boilerplate: Hints = [
        .comments, .share, .related, .navigation, .footer, .sidebar, .advertisement, .subscription, .consent, .byline,
        .tags, .hidden, .interface, .teaser,
    ]

    /// The hints of one class or id attribute.
    ///
    /// The part of a class after `--` is a state of the element, and so are names that begin with `is-`, `has-`, `js-`
    /// and similar. They say nothing about its role. The same holds for class names that a system derives from words of
    /// the article (`tag-…`).
    static func of(_ bytes: ArraySlice<UInt8>, _ words: HintWords) -> Hints {
        var hints: Hints = []
        var index = bytes.startIndex
        let end = min(bytes.endIndex, bytes.startIndex + 1024)
        while index < end {
            while index < end, bytes[index].isHTMLSpace { index += 1 }
            let start = index
            while index < end, !bytes[index].isHTMLSpace { index += 1 }
            if index > start { hints.formUnion(ofName(bytes[start..<index], words)) }
        }
        return hints
    }

    private static func ofName(_ name: ArraySlice<UInt8>, _ words: HintWords) -> Hints {
        var hints: Hints = []
        var whole = NameKey()
        for byte in name where byte != 0x2D && byte != 0x5F { whole.append(byte.lowercased) }
        if let found = words.whole.find(whole) { hints.formUnion(found) }
        var key = NameKey()
        /// The last word of this class was a subject.
        var afterSubject = false
        var wasLower = false
        var isFirst = true
        var previous: UInt8 = 0
        /// - Returns: false if the rest of the name has no meaning.
        func endWord() -> Bool {
            if key.count == 0 { return true }
            defer {
                key = NameKey()
                isFirst = false
            }
            if isFirst, words.states.find(key) != nil { return false }
            if let found = words.words.find(key) ?? words.beginning(key) {
                hints.formUnion(found)
                if afterSubject, found.contains(.matter) { hints.insert(.article) }
                afterSubject = found.contains(.subject)
            } else {
                afterSubject = false
            }
            return true
        }
        for byte in name {
            if byte.isLetter {
                let isUpper = byte & 0x20 == 0
                if isUpper, wasLower, !endWord() { return hints }
                key.append(byte.lowercased)
                wasLower = !isUpper
            } else {
                if !endWord() { return hints }
                if byte == 0x2D, previous == 0x2D { return hints }
                wasLower = false
            }
            previous = byte
        }
        _ = endWord()
        return hints
    }
}
