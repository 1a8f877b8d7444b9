/// The terms of a range with their postings, before they go into a segment. One thread writes one part.
struct SegmentPart: ~Copyable {
    var encoder: PostingsEncoder
    var dictionary = DictionaryWriter()
    var documents: SectionBuffer
    var positions: SectionBuffer
    private var prefixes: PrefixLists?
    private var beginnings: Beginnings?
    private var gathersPrefixes = false

    /// Segments with fewer documents store no data about prefixes.
    static let prefixDocumentThreshold = 4096

    init(norms: LengthNorms, documentCount: Int, spill: (any SpillPlace)?) {
        encoder = PostingsEncoder(norms: norms)
        documents = SectionBuffer(spill: spill)
        positions = SectionBuffer(spill: spill)
        let isLarge = documentCount >= Self.prefixDocumentThreshold
        prefixes = isLarge ? PrefixLists(norms: norms, documentCount: documentCount) : nil
        beginnings = isLarge ? Beginnings(norms: norms, documentCount: documentCount) : nil
    }

    /// Begins a term; terms come in rising order of their bytes.
    mutating func begin(_ term: UnsafePointer<UInt8>, _ length: Int) {
        gathersPrefixes = prefixes != nil && term[0] >= 0x20
        if gathersPrefixes {
            prefixes?.begin(term, length, &encoder)
            beginnings?.begin(term, length, &encoder)
        }
        encoder.begin(PostingDetail(firstByte: term[0]))
    }

    @inline(__always)
    mutating func add(_ document: UInt32, text: UInt32, title: UInt32, tags: UInt32, rest: UInt32 = 0) {
        encoder.add(document, text: text, title: title, tags: tags, rest: rest)
        if gathersPrefixes {
            prefixes?.add(document, text: text, title: title, tags: tags, rest: rest)
            beginnings?.add(document, text: text, title: title, tags: tags, rest: rest)
        }
    }

    mutating func end(_ term: UnsafePointer<UInt8>, _ length: Int) throws {
        if encoder.count == 0 { return }
        encoder.finish()
        try dictionary.add(term, length, encoder, documents: &documents, positions: &positions)
    }

    /// Adds the data about a prefix. Prefixes come in rising order, before all other terms.
    mutating func add(_ list: PrefixLists.List) throws {
        let term = [PostingDetail.prefixMark] + list.prefix
        try list.bytes.withUnsafeBytes { raw in
            let base = raw.baseAddress.unsafelyUnwrapped
            try dictionary.add(
                term, term.count, count: list.count, base, raw.count, base, 0, documents: &documents,
                positions: &positions)
        }
    }

    /// Ends the part and returns the prefix lists to store.
    mutating func finish() -> [PrefixLists.List] {
        prefixes?.finish(&encoder)
        beginnings?.finish(&encoder)
        let lists = (prefixes?.lists ?? []) + (beginnings?.lists ?? [])
        prefixes = nil
        beginnings = nil
        return lists
    }
}
