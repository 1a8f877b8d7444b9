internal import Files

/// Collects documents and writes them as one segment.
struct SegmentBuilder: ~Copyable {
    private let table: UnsafeMutablePointer<TermTable>
    private(set) var columns = DocumentColumns()
    private var tokenizer = Tokenizer()
    /// The memory, in bytes, from which a segment should be written.
    private let byteLimit: Int

    /// The indexed bytes of one document's fields; further bytes are ignored.
    static let documentByteLimit = 8 << 20

    /// - Parameter byteLimit: memory for the terms of documents.
    init(byteLimit: Int, expectedTerms: Int = 512) {
        self.byteLimit = byteLimit
        table = .allocate(capacity: 1)
        table.initialize(
            to: TermTable(expectedTerms: expectedTerms, chunkByteLimit: byteLimit + Self.documentByteLimit * 12))
    }

    deinit {
        table.deinitialize(count: 1)
        table.deallocate()
    }

    var count: Int { columns.count }

    /// Whether a segment should be written before more documents are added.
    var isFull: Bool { max(table.pointee.byteCount, columns.stored.count) >= byteLimit }

    mutating func removeAll() {
        table.pointee.removeAll()
        columns = DocumentColumns()
    }

    mutating func add(_ document: borrowing IndexDocument) {
        let number = UInt32(columns.count)
        var room = Self.documentByteLimit
        var sink = OccurrenceSink(table: table, document: number)
        sink.beginField(OccurrenceSink.title)
        Self.scan(document.title, &tokenizer, &sink, &room)
        let title = sink.words
        sink.beginField(OccurrenceSink.tags)
        for tag in document.tags { Self.scan(tag, &tokenizer, &sink, &room) }
        let tags = sink.words
        sink.beginField(OccurrenceSink.text)
        for text in document.texts { Self.scan(text, &tokenizer, &sink, &room) }
        let text = sink.words
        sink.beginRest()
        for text in document.rest { Self.scan(text, &tokenizer, &sink, &room) }
        let length = LengthNorms.length(text: text, rest: sink.words)
        // As bytes, because only the first bytes of long values count, and a term counts once in a document.
        for term in Set(document.exactTerms.map(\.bytes)) {
            var bytes = term
            let length = bytes.count
            bytes.append(contentsOf: repeatElement(0, count: 8))
            bytes.withUnsafeBufferPointer {
                table.pointee.add(
                    $0.baseAddress.unsafelyUnwrapped, length, document: number, field: OccurrenceSink.text, position: 0)
            }
        }
        columns.add(
            document.key, text: length, title: title, tags: tags, updated: document.updated, created: document.created,
            rank: document.rank)
        columns.addStored(document.stored)
    }

    private static func scan(
        _ text: [UInt8], _ tokenizer: inout Tokenizer, _ sink: inout OccurrenceSink, _ room: inout Int
    ) {
        text.withUnsafeBufferPointer { bytes in
            let count = min(room, bytes.count)
            room -= count
            tokenizer.scan(UnsafeBufferPointer(rebasing: bytes[..<count]), into: &sink)
        }
        sink.endText()
    }

    /// Writes the added documents as a segment.
    ///
    /// - Parameter file: the target; in memory if `nil`.
    func write(
        identity: UInt64, spill: (any SpillPlace)?, to file: OpenFile?
    ) throws -> (summary: SegmentSummary, memory: MemoryImage?) {
        try columns.withNorms { norms in
            let box = PartBox(SegmentPart(norms: norms, documentCount: columns.count, spill: spill))
            try table.pointee.write(to: &box.part)
            let lists = box.part.finish()
            return try SegmentAssembly.write(columns, [box], lists, identity: identity, spill: spill, to: file)
        }
    }
}

/// Adds a document's tokens to the table.
struct OccurrenceSink: TokenSink {
    static let title: UInt8 = 0
    static let tags: UInt8 = 1
    static let text: UInt8 = 2
    /// The rest of the page: its positions continue those of the text.
    static let rest: UInt8 = 3

    private let table: UnsafeMutablePointer<TermTable>
    private let document: UInt32
    private var field: UInt8 = 0
    /// Position of the next plain token in its field. One position is skipped between texts, so that no phrase spans
    /// two texts.
    private var position: UInt32 = 0
    /// The number of plain tokens in the field so far.
    private(set) var words: UInt32 = 0
    /// The index of the text's first bigram; one index is skipped between texts, too.
    private var bigramBase: UInt32 = 0
    private var bigramEnd: UInt32 = 0

    init(table: UnsafeMutablePointer<TermTable>, document: UInt32) {
        self.table = table
        self.document = document
    }

    mutating func beginField(_ field: UInt8) {
        self.field = field
        position = 0
        words = 0
        bigramBase = 0
        bigramEnd = 0
    }

    /// Continues the text's positions with those of the rest of the page.
    mutating func beginRest() {
        field = Self.rest
        words = 0
    }

    mutating func endText() {
        position += 1
        bigramBase = bigramEnd + 2
    }

    @inline(__always)
    mutating func plain(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        table.pointee.add(bytes, count, document: document, field: field, position: position)
        position &+= 1
        words &+= 1
    }

    mutating func part(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        marked(PostingDetail.partMark, bytes, count, 0)
    }

    mutating func bigram(_ bytes: UnsafePointer<UInt8>, _ count: Int, index: Int) {
        bigramEnd = bigramBase + UInt32(index)
        marked(PostingDetail.bigramMark, bytes, count, bigramEnd)
    }

    private mutating func marked(_ mark: UInt8, _ bytes: UnsafePointer<UInt8>, _ count: Int, _ position: UInt32) {
        let count = min(count, DictionaryWriter.termByteLimit - 1)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count + 9) { term in
            let base = term.baseAddress.unsafelyUnwrapped
            base[0] = mark
            (base + 1).update(from: bytes, count: count)
            (base + 1 + count).update(repeating: 0, count: 8)
            table.pointee.add(base, count + 1, document: document, field: field, position: position)
        }
    }
}

extension DocumentColumns {
    /// Calls `body` with the lengths of the documents.
    func withNorms<Result>(_ body: (LengthNorms) throws -> Result) rethrows -> Result {
        try textLengths.withUnsafeBufferPointer { texts in
            try fieldLengths.withUnsafeBufferPointer { fields in
                try body(
                    LengthNorms(
                        textLengths: texts.baseAddress ?? PartBox.nothing,
                        fieldLengths: fields.baseAddress ?? PartBox.nothing, means: means))
            }
        }
    }

    mutating func addStored(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { addStored($0) }
    }

    mutating func addStored(_ bytes: UnsafeRawBufferPointer) {
        if let base = bytes.baseAddress { stored.append(base, bytes.count) }
        storedEnds.append(UInt32(stored.count))
    }
}

extension TermTable {
    /// Writes all terms in their order.
    func write(to part: inout SegmentPart) throws {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 272) { term in
            let base = term.baseAddress.unsafelyUnwrapped
            for index in sorted() {
                let length = copyTerm(Int(index), to: base)
                part.begin(base, length)
                var chain = chain(Int(index))
                switch PostingDetail(firstByte: base[0]) {
                case .positions: chain.writePositions(to: &part)
                case .frequencies: chain.writeFrequencies(to: &part)
                case .documents: chain.writeDocuments(to: &part)
                }
                try part.end(base, length)
            }
        }
    }
}

extension TermTable.Chain {
    fileprivate mutating func writePositions(to part: inout SegmentPart) {
        var document: UInt32 = 0
        var field: UInt32 = 0
        var found = Frequencies(text: 0, title: 0, tags: 0)
        // The last position in the text.
        var last: UInt32 = 0
        while !isAtEnd {
            let number = number()
            var delta = number >> 1
            if number & 1 != 0 {
                if number >> 3 > 0 { Self.endPosting(document, &found, to: &part) }
                document &+= number >> 3
                field = number >> 1 & 3
                delta = self.number()
                // Positions in the rest of the page continue those of the text.
                if field == UInt32(OccurrenceSink.rest), found.text > 0 { delta &-= last } else { last = 0 }
            }
            if field >= UInt32(OccurrenceSink.text) {
                part.encoder.addTextDelta(delta)
                last &+= delta
            } else {
                part.encoder.addFieldDelta(delta)
            }
            found.count(field)
        }
        Self.endPosting(document, &found, to: &part)
    }

    fileprivate mutating func writeFrequencies(to part: inout SegmentPart) {
        var document: UInt32 = 0
        var field: UInt32 = 0
        var found = Frequencies(text: 0, title: 0, tags: 0)
        while !isAtEnd {
            let number = number()
            if number & 1 != 0 {
                if number >> 3 > 0 { Self.endPosting(document, &found, to: &part) }
                document &+= number >> 3
                field = number >> 1 & 3
                _ = self.number()
            }
            found.count(field)
        }
        Self.endPosting(document, &found, to: &part)
    }

    @inline(__always)
    private static func endPosting(_ document: UInt32, _ found: inout Frequencies, to part: inout SegmentPart) {
        if found.title | found.tags | found.text == 0 { return }
        part.add(document, text: found.text, title: found.title, tags: found.tags, rest: found.rest)
        found = Frequencies(text: 0, title: 0, tags: 0)
    }

    fileprivate mutating func writeDocuments(to part: inout SegmentPart) {
        var document: UInt32 = 0
        while !isAtEnd {
            document &+= number() >> 3
            _ = number()
            part.add(document, text: 1, title: 0, tags: 0)
        }
    }
}

extension Frequencies {
    /// Counts one occurrence in a field of `OccurrenceSink`.
    @inline(__always)
    fileprivate mutating func count(_ field: UInt32) {
        switch UInt8(truncatingIfNeeded: field) {
        case OccurrenceSink.title: title &+= 1
        case OccurrenceSink.tags: tags &+= 1
        case OccurrenceSink.rest:
            text &+= 1
            rest &+= 1
        default: text &+= 1
        }
    }
}
