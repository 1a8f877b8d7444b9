/// BM25F normalisation: the influence of a document's lengths on the weight of its frequencies.
///
/// Source: Robertson, Zaragoza & Taylor, "Simple BM25 extension to multiple weighted fields" (CIKM 2004), with k1
/// 1.2. Title: weight 10, b 0.3; tags: weight 6, b 0; text: weight 1, b 0.75. A term's part of a document's score is
/// `idf · x / (k1 + x)` with `x = Σ weight · tf / (1 − b + b · length / mean length)`. The weights were chosen by
/// known-item search, see Benchmarks/Search/words.py. A word of the rest of a page counts as a quarter of a word of the
/// text, in frequencies and in lengths. Segments hold bounds of x: other weights need another `SegmentLayout.version`.
struct LengthNorms {
    static let k1: Float = 1.2
    static let textShare: Float = 0.75
    static let titleShare: Float = 0.3
    static let titleWeight: Float = 10
    /// The number of tags has no influence: their b is 0.
    static let tagsWeight: Float = 6

    /// What one word of the rest of a page counts less than one of the text.
    static let restDiscount: Float = 0.75

    /// The number of words in each document's text, and a quarter of those in the rest of its page.
    let textLengths: UnsafePointer<UInt32>
    /// The number of words in each document's title (low 16 bits) and tags (high 16 bits).
    let fieldLengths: UnsafePointer<UInt32>
    private let text: Float
    private let title: Float

    init(textLengths: UnsafePointer<UInt32>, fieldLengths: UnsafePointer<UInt32>, means: MeanLengths) {
        self.textLengths = textLengths
        self.fieldLengths = fieldLengths
        text = Self.textShare / means.text
        title = Self.titleShare / means.title
    }

    /// The divisor for one occurrence in the text.
    @inline(__always)
    func textDivisor(_ document: UInt32) -> Float {
        (1 - Self.textShare) + text * Float(Int32(bitPattern: textLengths[Int(document)]))
    }

    @inline(__always)
    func text(_ frequency: Float, _ document: UInt32) -> Float { frequency / textDivisor(document) }

    /// The part of x from the text.
    ///
    /// - Parameter rest: how many of the occurrences are in the rest of the page.
    @inline(__always)
    func text(_ frequency: UInt32, rest: UInt32, _ document: UInt32) -> Float {
        text(Float(Int32(bitPattern: frequency)) - Self.restDiscount * Float(Int32(bitPattern: rest)), document)
    }

    /// The length of a text with the rest of its page, in words.
    static func length(text: UInt32, rest: UInt32) -> UInt32 { text &+ (rest &+ 3) / 4 }

    /// x of a term with these frequencies.
    @inline(__always)
    func value(_ found: Frequencies, _ document: UInt32) -> Float {
        let x = text(found.text, rest: found.rest, document)
        if found.title | found.tags == 0 { return x }
        return x + fields(Float(Int32(bitPattern: found.title)), Float(Int32(bitPattern: found.tags)), document)
    }

    /// The part of x from title and tags.
    @inline(__always)
    func fields(_ titleFrequency: Float, _ tagsFrequency: Float, _ document: UInt32) -> Float {
        let length = fieldLengths[Int(document)] & 0xFFFF
        let titleDivisor = (1 - Self.titleShare) + title * Float(Int32(bitPattern: length))
        return Self.titleWeight * titleFrequency / titleDivisor + Self.tagsWeight * tagsFrequency
    }
}

/// Mean number of words of each field over all documents.
struct MeanLengths: Equatable {
    var text: Float
    var title: Float
    var tags: Float

    init(_ totals: FieldTotals, documents: Int) {
        let count = Double(max(1, documents))
        text = Float(max(1e-3, Double(totals.text) / count))
        title = Float(max(1e-3, Double(totals.title) / count))
        tags = Float(max(1e-3, Double(totals.tags) / count))
    }

    /// The largest factor by which any x grows when the means change from `self` to `other`: a divisor shrinks at
    /// most as much as the mean grows.
    func growth(to other: MeanLengths) -> Float {
        max(1, other.text / text, other.title / title) * 1.00001
    }
}

/// The number of words of each field in all documents together.
struct FieldTotals: Equatable {
    var text: UInt64 = 0
    var title: UInt64 = 0
    var tags: UInt64 = 0

    static func += (a: inout FieldTotals, b: FieldTotals) {
        a.text += b.text
        a.title += b.title
        a.tags += b.tags
    }
}
