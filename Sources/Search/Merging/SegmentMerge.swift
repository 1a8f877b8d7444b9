internal import Files

/// Merges segments into one: documents in the order of the segments, without deleted ones.
struct SegmentMerge: Sendable {
    struct Input: Sendable {
        let segment: Segment
        let deletions: Deletions?
    }

    private let inputs: [Input]
    /// For each input, the new number of its first document, or of every document if some were deleted.
    private let numbers: [Renumbering]
    private let documentCount: Int
    private let isCancelled: @Sendable () -> Bool
    /// Documents or terms between two questions whether to end.
    private static let stride = 256

    enum Renumbering: Sendable {
        case from(UInt32)
        /// `.max` for a dropped document.
        case map([UInt32])
    }

    /// - Parameter isCancelled: asked often, by any thread; then `write` throws `MergeCancelled`.
    init(_ inputs: [Input], isCancelled: @escaping @Sendable () -> Bool = { false }) {
        self.inputs = inputs
        self.isCancelled = isCancelled
        var next: UInt32 = 0
        numbers = inputs.map { input in
            let first = next
            guard let deletions = input.deletions, deletions.count > 0 else {
                next += UInt32(input.segment.documentCount)
                return .from(first)
            }
            return .map(
                (0..<input.segment.documentCount).map { document in
                    if deletions.contains(document) { return .max }
                    defer { next += 1 }
                    return next
                })
        }
        documentCount = Int(next)
    }

    /// - Parameters:
    ///   - threads: the number of threads, which share the work by ranges of terms.
    ///   - file: the target; in memory if `nil`.
    func write(
        identity: UInt64, threads: Int, spill: (any SpillPlace)?, to file: OpenFile?
    ) throws -> (summary: SegmentSummary, memory: MemoryImage?) {
        let columns = try columns()
        return try columns.withNorms { norms in
            let ranges = threads > 1 ? try termRanges(count: threads * 3) : [TermRange(first: 0, last: 0xFF)]
            let parts = ranges.map { _ in
                PartBox(SegmentPart(norms: norms, documentCount: columns.count, spill: spill))
            }
            let lists = PrefixListBox(count: ranges.count)
            try Workers.run(ranges.count, threads: threads) { [self] range in
                try merge(ranges[range], into: &parts[range].part)
                lists.lists[range] = parts[range].part.finish()
            }
            if isCancelled() { throw MergeCancelled() }
            return try SegmentAssembly.write(
                columns, parts, lists.all, identity: identity, spill: spill, to: file)
        }
    }

    /// Sendable because each thread writes only its own element.
    private final class PrefixListBox: @unchecked Sendable {
        let lists: UnsafeMutablePointer<[PrefixLists.List]>
        let count: Int

        init(count: Int) {
            self.count = count
            lists = .allocate(capacity: count)
            lists.initialize(repeating: [], count: count)
        }

        deinit {
            lists.deinitialize(count: count)
            lists.deallocate()
        }

        var all: [PrefixLists.List] { (0..<count).flatMap { lists[$0] } }
    }

    private func columns() throws -> DocumentColumns {
        var columns = DocumentColumns()
        for (input, numbers) in zip(inputs, numbers) {
            let segment = input.segment
            let texts = try segment.bytes(.textLengths).base
            let fields = try segment.bytes(.fieldLengths).base
            let updated = try segment.times(.updated)
            let created = try segment.times(.created)
            let ranks = try segment.ranks()
            for document in 0..<segment.documentCount {
                if document % Self.stride == 0, isCancelled() { throw MergeCancelled() }
                if case .map(let map) = numbers, map[document] == .max { continue }
                let field = fields.loadUnaligned(fromByteOffset: document * 4, as: UInt32.self)
                columns.add(
                    try segment.key(document),
                    text: texts.loadUnaligned(fromByteOffset: document * 4, as: UInt32.self), title: field & 0xFFFF,
                    tags: field >> 16, updated: updated[document], created: created[document],
                    rank: ranks?[document] ?? .infinity)
                let stored = try segment.stored(document)
                if columns.stored.count + stored.count > Int(UInt32.max) {
                    throw IndexDamage("documents of one segment have more than 4 GiB of stored bytes")
                }
                columns.addStored(stored)
            }
        }
        return columns
    }

    // MARK: Terms

    /// Terms by their first byte.
    struct TermRange: Sendable {
        let first: UInt8
        let last: UInt8
    }

    /// Ranges with about equally many bytes of terms. Lists of prefixes are in none, since they are rebuilt.
    private func termRanges(count: Int) throws -> [TermRange] {
        var weights = [Int](repeating: 0, count: 256)
        for input in inputs {
            let segment = input.segment
            let (keys, byteCount) = try segment.bytes(.blockKeys)
            let blocks = byteCount / 8
            for block in 0..<blocks {
                let first = Int(keys.loadUnaligned(fromByteOffset: block * 8, as: UInt64.self) >> 56)
                let (from, to) = try segment.postingBytes(ofBlock: block)
                weights[first] += to - from + 64
            }
        }
        let total = weights.reduce(0, +)
        var ranges: [TermRange] = []
        var first = 0
        var sum = 0
        for byte in 0..<256 {
            sum += weights[byte]
            let isLast = byte == 255
            if isLast || (sum >= total / count && byte >= 0x20) {
                ranges.append(TermRange(first: UInt8(first), last: UInt8(byte)))
                first = byte + 1
                sum = 0
            }
        }
        return ranges
    }

    private func merge(_ range: TermRange, into part: inout SegmentPart) throws {
        let cursors = UnsafeMutablePointer<TermCursor>.allocate(capacity: inputs.count)
        for (number, input) in inputs.enumerated() { (cursors + number).initialize(to: TermCursor(input.segment)) }
        defer {
            cursors.deinitialize(count: inputs.count)
            cursors.deallocate()
        }
        func isAtEnd(_ input: Int) -> Bool { cursors[input].isAtEnd || cursors[input].term[0] > range.last }
        // Skips lists of prefixes, which start with a zero byte.
        for input in inputs.indices { try cursors[input].seek([max(1, range.first)]) }
        var rest = inputs.indices.filter { !isAtEnd($0) }
        var block = PostingBlock()
        var scratch = PositionBuffer()
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 264) { term in
            let base = term.baseAddress.unsafelyUnwrapped
            var count = 0
            while var least = rest.first {
                count += 1
                if count % Self.stride == 0, isCancelled() { throw MergeCancelled() }
                for input in rest.dropFirst()
                where cursors[input].compare(cursors[least].term, cursors[least].length) < 0 { least = input }
                let length = cursors[least].length
                base.update(from: cursors[least].term, count: length)
                part.begin(base, length)
                var isEnded = false
                for input in rest where cursors[input].equals(base, length) {
                    try copy(try cursors[input].list(), input, to: &part, &block, &scratch)
                    try cursors[input].next()
                    if isAtEnd(input) { isEnded = true }
                }
                try part.end(base, length)
                if isEnded { rest.removeAll { isAtEnd($0) } }
            }
        }
    }

    private func copy(
        _ list: PostingList, _ input: Int, to part: inout SegmentPart, _ block: inout PostingBlock,
        _ scratch: inout PositionBuffer
    ) throws {
        let segment = inputs[input].segment
        let numbers = numbers[input]
        if list.detail == .positions { try segment.verify(from: list.positions, to: list.positionsEnd) }
        for number in 0..<list.blockCount {
            guard block.readDocuments(list, number, limit: UInt32(segment.documentCount)) else {
                throw segment.damage("a list cannot be read")
            }
            let isWhole =
                switch numbers {
                case .from(let first): block.copy(list, number, to: &part, &scratch) { first &+ $0 }
                case .map(let map):
                    block.copy(list, number, to: &part, &scratch) { map[Int($0)] == .max ? nil : map[Int($0)] }
                }
            if !isWhole { throw segment.damage("a list cannot be read") }
        }
    }
}
