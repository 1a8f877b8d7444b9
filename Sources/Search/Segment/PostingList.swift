internal import CHints

/// One term's postings in a segment, as stored in memory. SearchIndex.md § I3.7.
struct PostingList {
    let detail: PostingDetail
    /// The number of documents in the list.
    let count: Int
    /// The number of full blocks; the rest is the tail.
    let fullBlocks: Int
    private let lastDocuments: UnsafeRawPointer
    private let blockEnds: UnsafeRawPointer
    private let positionEnds: UnsafeRawPointer
    private let bounds: UnsafeRawPointer
    let blocks: UnsafeRawPointer
    let blocksEnd: UnsafeRawPointer
    let positions: UnsafeRawPointer
    let positionsEnd: UnsafeRawPointer

    /// - Returns: `nil` if the directory of blocks exceeds the bytes.
    init?(
        detail: PostingDetail, count: Int, _ documents: UnsafeRawPointer, _ documentByteCount: Int,
        _ positions: UnsafeRawPointer, _ positionByteCount: Int
    ) {
        self.detail = detail
        self.count = count
        fullBlocks = count / PostingsEncoder.blockCount
        let directory = fullBlocks * (detail == .positions ? 12 : 8)
        let boundCount = fullBlocks == 0 || detail == .documents ? 0 : (count + 127) / 128
        if directory + boundCount * 2 > documentByteCount || count < 1 { return nil }
        lastDocuments = documents
        blockEnds = documents + fullBlocks * 4
        positionEnds = documents + fullBlocks * 8
        bounds = documents + directory
        blocks = bounds + boundCount * 2
        blocksEnd = documents + documentByteCount
        self.positions = positions
        positionsEnd = positions + positionByteCount
    }

    /// The number of blocks, including the tail.
    @inline(__always)
    var blockCount: Int { (count + 127) / 128 }

    @inline(__always)
    func size(ofBlock block: Int) -> Int { block < fullBlocks ? 128 : count - fullBlocks * 128 }

    /// The last document of a full block.
    @inline(__always)
    func lastDocument(_ block: Int) -> UInt32 {
        lastDocuments.loadUnaligned(fromByteOffset: block * 4, as: UInt32.self)
    }

    /// The document before a block's first one; .max before the first block.
    @inline(__always)
    func base(_ block: Int) -> UInt32 { block == 0 ? .max : lastDocument(block - 1) }

    /// An upper bound of the x in a block (see `LengthNorms`); only lists with full blocks have one.
    @inline(__always)
    func bound(_ block: Int) -> Float {
        Float(bitPattern: UInt32(bounds.loadUnaligned(fromByteOffset: block * 2, as: UInt16.self)) << 16)
    }

    /// The start of a block; `nil` if it is outside the list.
    @inline(__always)
    func start(_ block: Int) -> UnsafeRawPointer? {
        if block == 0 { return blocks }
        let offset = Int(blockEnds.loadUnaligned(fromByteOffset: (block - 1) * 4, as: UInt32.self))
        return offset > blocksEnd - blocks ? nil : blocks + offset
    }

    func positionStart(_ block: Int) -> UnsafeRawPointer? {
        if block == 0 { return positions }
        let offset = Int(positionEnds.loadUnaligned(fromByteOffset: (block - 1) * 4, as: UInt32.self))
        return offset > positionsEnd - positions ? nil : positions + offset
    }

    /// Has the beginning of a block's positions fetched from memory, which is read soon.
    @inline(__always)
    func fetchPositions(_ block: Int) { if let start = positionStart(block) { chints_read_soon(start) } }

    /// The first block from `block` on whose last document is not before `document`; the number of the tail if there
    /// is none.
    @inline(__always)
    func block(holding document: UInt32, from block: Int) -> Int {
        var low = block
        if low >= fullBlocks || lastDocument(low) >= document { return low }
        var step = 1
        while low + step < fullBlocks, lastDocument(low + step) < document {
            low += step
            step += step
        }
        var high = min(low + step, fullBlocks)
        low += 1
        while low < high {
            let middle = (low + high) >> 1
            if lastDocument(middle) < document { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
