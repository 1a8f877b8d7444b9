/// What an element does to the visible text of a page, by the first eight bytes of its lower-case name.
struct PageElements: Sendable {
    enum Kind: UInt8, Sendable {
        /// Leaves no trace.
        case inline
        /// Begins a line.
        case block
        /// Its content is left out, markup in it counts.
        case skipped
        /// Its content is left out up to its end tag, whatever is in it.
        case raw
        /// Is allowed in the head.
        case inHead
    }

    static let shared = PageElements()
    static let head = key("head")

    /// Open addressing: names and kinds, a power of two of places.
    private let names: [UInt64]
    private let kinds: [Kind]
    private static let size = 512

    private init() {
        var names = [UInt64](repeating: 0, count: Self.size)
        var kinds = [Kind](repeating: .inline, count: Self.size)
        for (kind, words) in Self.words {
            for word in words.split(separator: " ") {
                let name = Self.key(String(word))
                var place = Self.place(name)
                while names[place] != 0 { place = (place + 1) % Self.size }
                names[place] = name
                kinds[place] = kind
            }
        }
        self.names = names
        self.kinds = kinds
    }

    private static let words: [(Kind, String)] = [
        (
            .block,
            """
            address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption \
            figure footer form frame frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol \
            optgroup option p plaintext pre search section select summary table tbody td textarea tfoot th thead tr ul xmp
            """
        ),
        (.skipped, "head noscript svg template"),
        (.raw, "iframe noembed noframes script style"),
        (.inHead, "base link meta title"),
    ]

    private static func key(_ name: String) -> UInt64 {
        var key: UInt64 = 0
        for (index, byte) in name.utf8.prefix(8).enumerated() { key |= UInt64(byte) << UInt64(index * 8) }
        return key
    }

    @inline(__always)
    private static func place(_ name: UInt64) -> Int {
        Int(truncatingIfNeeded: (name &* 0x9E37_79B9_7F4A_7C15) >> 55)
    }

    @inline(__always)
    func kind(_ name: UInt64) -> Kind {
        var place = Self.place(name)
        while names[place] != 0 {
            if names[place] == name { return kinds[place] }
            place = (place + 1) % Self.size
        }
        return .inline
    }
}
