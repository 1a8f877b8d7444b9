/// Collects the postings of plain tokens that share a prefix, while terms are written in order: for prefixes of three
/// to six characters, and for each longer token. For prefixes with many postings it writes the number of documents
/// and an upper bound of x for each range of documents, so that the best documents can be found without evaluating
/// all of them. Where many tokens share a prefix, walking over their lists takes longer than reading the documents: such
/// a prefix gets the union as a list too.
struct Beginnings: ~Copyable {
    /// Prefixes with fewer postings are added up when requested.
    static let postingThreshold = 4096
    static let characterCounts = 3...6
    /// From this number of tokens on, the union is kept as a list: more in large segments, whose lists are longer.
    static func listTokenThreshold(documentCount: Int) -> Int { max(512, documentCount / 512) }
    /// Follows the prefix in the name of its list. No character has this byte.
    static let listMark: UInt8 = 0xFF
    /// Longer tokens get no such data.
    private static let longestByteCount = 64

    private struct Posting {
        let document: UInt32
        let text: UInt32
        let fields: UInt32
        let rest: UInt32
    }

    private let documentCount: Int
    private let listTokenThreshold: Int
    private let norms: LengthNorms
    /// Postings since the shortest open prefix; those of each longer prefix are the last ones of them.
    private var postings: UnsafeMutablePointer<Posting>
    private var capacity = 1 << 12
    private var count = 0
    /// The current term.
    private let term = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
    private var length = 0
    /// The number of terms begun so far.
    private var tokenCount = 0
    /// Prefixes of the current term, the shortest first: their length in bytes, the index of their first posting, and the
    /// number of terms before them.
    private var open: [(length: Int, start: Int, tokens: Int)] = []
    private var union: PrefixLists.Union
    private(set) var lists: [PrefixLists.List] = []

    init(norms: LengthNorms, documentCount: Int, listTokenThreshold: Int? = nil) {
        self.norms = norms
        self.listTokenThreshold = listTokenThreshold ?? Self.listTokenThreshold(documentCount: documentCount)
        self.documentCount = documentCount
        postings = .allocate(capacity: capacity)
        union = PrefixLists.Union(documentCount)
    }

    deinit {
        postings.deallocate()
        term.deallocate()
    }

    /// Called before the postings of each plain term.
    mutating func begin(_ next: UnsafePointer<UInt8>, _ nextLength: Int, _ encoder: inout PostingsEncoder) {
        var shared = 0
        while shared < min(length, nextLength), term[shared] == next[shared] { shared += 1 }
        close(longerThan: shared, &encoder)
        if open.isEmpty { count = 0 }
        let known = open.last?.length ?? 0
        term.update(from: next, count: nextLength)
        length = nextLength
        var end = 0
        for characters in 1...Self.characterCounts.upperBound where end < length {
            end = min(length, end + PrefixLists.characterLength(term[end]))
            if characters >= Self.characterCounts.lowerBound, end > known { open.append((end, count, tokenCount)) }
        }
        if end < length, length <= Self.longestByteCount { open.append((length, count, tokenCount)) }
        tokenCount += 1
    }

    @inline(__always)
    mutating func add(_ document: UInt32, text: UInt32, title: UInt32, tags: UInt32, rest: UInt32 = 0) {
        if open.isEmpty { return }
        if count == capacity { grow() }
        postings[count] = Posting(document: document, text: text, fields: title | tags << 16, rest: rest)
        count &+= 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Posting>.allocate(capacity: capacity * 2)
        larger.update(from: postings, count: count)
        postings.deallocate()
        postings = larger
        capacity *= 2
    }

    mutating func finish(_ encoder: inout PostingsEncoder) { close(longerThan: 0, &encoder) }

    private mutating func close(longerThan shared: Int, _ encoder: inout PostingsEncoder) {
        while let last = open.last, last.length > shared {
            open.removeLast()
            if count - last.start < Self.postingThreshold { continue }
            for index in last.start..<count {
                let posting = postings[index]
                union.add(Int(posting.document), posting.text, posting.fields, posting.rest)
            }
            let beginning = Array(UnsafeBufferPointer(start: term, count: last.length))
            lists.append(union.bounds(beginning, norms))
            if tokenCount - last.tokens >= listTokenThreshold {
                lists.append(union.list(beginning + [Self.listMark], &encoder))
            }
            union.clear()
        }
    }
}
