/// What the class and id of an element say about its part in the page.
///
/// Both are split into words at punctuation, digits and camel humps, so that `article-body`, `articleBody` and `article__body`
/// read alike; a word is looked up in `HintWords`.
struct Hints: OptionSet, Sendable {
    let rawValue: UInt32

    /// Half of a name for an article's text: what it is about (article, post, story …).
    static let subject = Hints(rawValue: 1 << 0)
    /// The other half: that it is the text (body, content, text, copy …).
    static let matter = Hints(rawValue: 1 << 1)
    /// A whole name for it: `articlebody`, or a subject followed by a matter in one class.
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

    /// Never part of an article's text.
    static let boilerplate: Hints = [
        .comments, .share, .related, .navigation, .footer, .sidebar, .advertisement, .subscription, .consent, .byline,
        .tags, .hidden, .interface,
    ]

    /// The hints of one class or id attribute.
    static func of(_ bytes: ArraySlice<UInt8>, _ table: NameTable<Hints>) -> Hints {
        var hints: Hints = []
        var key = NameKey()
        /// The last word of this class was a subject.
        var afterSubject = false
        var wasLower = false
        func endWord() {
            if key.count == 0 { return }
            if let found = table.find(key) {
                hints.formUnion(found)
                if afterSubject, found.contains(.matter) { hints.insert(.article) }
                afterSubject = found.contains(.subject)
            } else {
                afterSubject = false
            }
            key = NameKey()
        }
        for byte in bytes.prefix(512) {
            let isUpper = byte &- 0x41 < 26
            if isLetter(byte) {
                if isUpper, wasLower { endWord() }
                key.append(lowered(byte))
                wasLower = !isUpper
            } else {
                endWord()
                wasLower = false
                if isSpace(byte) { afterSubject = false }
            }
        }
        endWord()
        return hints
    }
}
