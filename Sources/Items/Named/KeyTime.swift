internal import JSONFormat
internal import Time

/// When a key of a small file was set or removed, as `changedAt` says it: FORMAT.md § 9.2.
struct KeyTime: Equatable {
    /// A value at a time.
    struct Mark: Hashable, Comparable {
        /// In milliseconds since 1970.
        let at: Int64
        /// The first 8 digits of the hash of the value; of no bytes if the key was removed.
        let hash: String

        static func < (a: Mark, b: Mark) -> Bool { (a.at, a.hash) < (b.at, b.hash) }
    }

    /// The value tells whether an editor changed the key since.
    let mark: Mark
    /// The values that it replaced, the latest first.
    let former: [Mark]

    /// So many former values are kept.
    static let formerLimit = 4

    init(_ mark: Mark, former: [Mark]) {
        self.mark = mark
        // In whatever order states meet, the same ones are kept.
        self.former = Array(Set(former.filter { $0.at < mark.at }).sorted(by: >).prefix(Self.formerLimit))
    }

    /// - Returns: `nil` for text of another form.
    init?(_ text: String) {
        let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        var marks: [Mark] = []
        for place in stride(from: 0, to: words.count, by: 2) {
            guard place + 1 < words.count, let at = Self.time(words[place]), Self.isHash(words[place + 1]) else {
                return nil
            }
            marks.append(Mark(at: at, hash: String(decoding: words[place + 1], as: UTF8.self)))
        }
        guard let mark = marks.first else { return nil }
        self.init(mark, former: Array(marks.dropFirst()))
    }

    /// A time and a hash, and those of the former values, with a space between them.
    var text: String {
        ([mark] + former).map { Timestamp(milliseconds: $0.at).rfc3339 + " " + $0.hash }.joined(separator: " ")
    }

    /// Whether a key still has the value that it got at this time.
    func fits(_ value: JSON?) -> Bool { Self.hash(value) == mark.hash }

    /// The hash of a value on one line, without spaces; of no bytes without a value.
    static func fullHash(_ value: JSON?) -> ContentHash { ContentHash(of: value?.oneLine ?? []) }

    static func hash(_ value: JSON?) -> String { String(fullHash(value).hex.prefix(8)) }

    private static func isHash(_ word: Substring.UTF8View) -> Bool {
        word.count == 8 && word.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// A time as it is written: it has one spelling. In the year 9999 there may be no later one that can be written, so a change of the
    /// key would lose in each join.
    private static func time(_ word: Substring.UTF8View) -> Int64? {
        let text = String(decoding: word, as: UTF8.self)
        guard !text.hasPrefix("9999-"), let time = Timestamp(text), time.rfc3339 == text else { return nil }
        return time.milliseconds
    }
}
