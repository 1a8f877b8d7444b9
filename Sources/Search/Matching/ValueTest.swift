import Characters
internal import Characters

/// A filter's test of an exact value: for a prefix, a piece or words.
///
/// The index and the scan test the same bytes: the value as in its exact term, cut to `ExactTerm.byteLimit`.
struct ValueTest: Sendable {
    private enum Way {
        /// A folded prefix.
        case beginning
        /// Lower-case ASCII, anywhere in the value.
        case piece([UInt8])
        /// A pattern for a `WordRow`, and the longest of its words, which every matching value contains.
        case words([UInt8], longest: [UInt8])
    }

    let kind: ExactTerm.Kind
    /// The prefix of every matching value.
    let beginning: [UInt8]
    private let way: Way

    private init(_ kind: ExactTerm.Kind, beginning: [UInt8] = [], _ way: Way) {
        self.kind = kind
        self.beginning = beginning
        self.way = way
    }

    /// The filter's test; `nil` if the filter needs none.
    init?(_ filter: Filter) {
        switch filter {
        case .tagBeginning(let text): self = Self.beginning(.tag, text)
        case .collectionBeginning(let text): self = Self.beginning(.collection, text)
        case .url(let text):
            guard let test = Self.url(text) else { return nil }
            self = test
        case .title(let words): self.init(.title, Self.words(words))
        case .author(let words): self.init(.author, Self.words(words))
        case .type, .tag, .collection, .source, .site, .text, .language, .state, .part, .status, .created, .updated:
            return nil
        }
    }

    private static func beginning(_ kind: ExactTerm.Kind, _ text: String) -> ValueTest {
        ValueTest(kind, beginning: Array(Folding.fold(text.utf8).prefix(ExactTerm.byteLimit)), .beginning)
    }

    /// A piece of a normalised link (FORMAT.md § 5.6): characters are encoded as there, and a fragment is dropped.
    ///
    /// - Returns: `nil` if nothing is left.
    static func url(_ text: String) -> ValueTest? {
        var piece: [UInt8] = []
        let bytes = Array(text.utf8)
        for (place, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "#") {
                let next = place + 1 < bytes.count ? bytes[place + 1] : 0
                if next != UInt8(ascii: "/"), next != UInt8(ascii: "!") { break }
            }
            if byte > 0x20, byte < 0x7F {
                piece.append(byte.lowercased)
            } else {
                let digits = Array("0123456789abcdef".utf8)
                piece += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return piece.isEmpty ? nil : ValueTest(.link, .piece(piece))
    }

    private static func words(_ words: Filter.Words) -> Way {
        let pattern = WordPattern.of(words)
        let longest = pattern.split(separator: 0x20).max { $0.count < $1.count }.map(Array.init) ?? []
        return .words(pattern, longest: longest)
    }

    /// Whether a value passes the test.
    func holds(_ value: some RandomAccessCollection<UInt8>) -> Bool {
        let bytes = Array(value.prefix(ExactTerm.byteLimit))
        guard bytes.starts(with: beginning) else { return false }
        switch way {
        case .beginning: return kind != .tag || beginning.starts(with: Self.nested) || !bytes.starts(with: Self.nested)
        case .piece(let piece): return bytes.map(\.lowercased).firstRange(ofBytes: piece) != nil
        case .words(let pattern, let longest):
            return bytes.firstRange(ofBytes: longest) != nil && WordRow(bytes).contains(pattern)
        }
    }

    /// The prefix of collection tags: a prefix of a tag matches them only if it contains this one.
    private static let nested = Array("collection:".utf8)
}
