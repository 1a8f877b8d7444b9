/// The terms of the documents being indexed. Each term has a chain of bytes that records its occurrences.
///
/// A chain is a sequence of LEB128 numbers. An even number 2d is an occurrence d positions after the last one in the
/// same field of the same document. An odd number, gap·8 + field·2 + 1, moves on by `gap` documents to a field (0
/// title, 1 tags, 2 text, 3 the rest of the page); a position from the start of the field follows, in the rest of the page
/// from the start of the text.
struct TermTable: ~Copyable {
    struct Entry {
        /// The first eight bytes in memory order, padded with zeros.
        var key: UInt64
        /// The offset in `tails` of the bytes after the eighth.
        var tail: UInt32
        var hash: UInt32
        var length: UInt8
        var field: UInt8
        /// The number of the chain's chunks minus one; at most 6.
        var level: UInt8
        /// The last occurrence.
        var document: UInt32
        var position: UInt32
        /// Offsets in `chunks`: the chain's first byte, its next free byte, and the end of its chunk.
        var head: UInt32
        var next: UInt32
        var end: UInt32
    }

    private(set) var entries: UnsafeMutablePointer<Entry>
    private(set) var count = 0
    private var capacity: Int
    /// Entry numbers plus one, by hash; zero means free.
    private var slots: UnsafeMutablePointer<UInt32>
    private var mask: Int
    private var tails = ByteBuffer(capacity: 1 << 12)
    private let chunks: UnsafeMutablePointer<UInt8>
    private var chunkCount = 1
    private let chunkLimit: Int

    /// - Parameter chunkByteLimit: room for all chains; it takes only address space until it is used.
    init(expectedTerms: Int, chunkByteLimit: Int) {
        capacity = max(64, expectedTerms)
        entries = .allocate(capacity: capacity)
        var slotCount = 128
        while slotCount < capacity * 2 { slotCount *= 2 }
        slots = .allocate(capacity: slotCount)
        slots.initialize(repeating: 0, count: slotCount)
        mask = slotCount - 1
        chunkLimit = chunkByteLimit
        chunks = .allocate(capacity: chunkByteLimit + 1024)
    }

    deinit {
        entries.deallocate()
        slots.deallocate()
        chunks.deallocate()
    }

    /// Bytes in use.
    var byteCount: Int { chunkCount + tails.count + count * MemoryLayout<Entry>.stride + (mask + 1) * 4 }

    mutating func removeAll() {
        count = 0
        slots.update(repeating: 0, count: mask + 1)
        tails.removeAll()
        chunkCount = 1
    }

    // MARK: Filling

    /// Records an occurrence of a term in the current document.
    @inline(__always)
    mutating func add(
        _ bytes: UnsafePointer<UInt8>, _ length: Int, document: UInt32, field: UInt8, position: UInt32
    ) {
        var key = UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self)
        if length < 8 { key &= (1 &<< UInt64(length &* 8)) &- 1 }
        let index = find(key, bytes, length)
        let entry = entries + index
        if entry.pointee.document == document, entry.pointee.field == field {
            put((position &- entry.pointee.position) &<< 1, entry)
        } else {
            let gap = document &- entry.pointee.document
            put(gap &<< 3 | UInt32(field) &<< 1 | 1, entry)
            put(position, entry)
            entry.pointee.document = document
            entry.pointee.field = field
        }
        entry.pointee.position = position
    }

    @inline(__always)
    private mutating func find(_ key: UInt64, _ bytes: UnsafePointer<UInt8>, _ length: Int) -> Int {
        var hash = (key ^ UInt64(length)) &* 0x9E37_79B9_7F4A_7C15
        if length > 8 { hash = Self.hashTail(hash, bytes, length) }
        let short = UInt32(truncatingIfNeeded: hash >> 32)
        var slot = Int(short) & mask
        while true {
            let number = slots[slot]
            if number == 0 { return insert(key, short, bytes, length, slot) }
            let entry = entries + Int(number &- 1)
            if entry.pointee.hash == short, entry.pointee.key == key, Int(entry.pointee.length) == length,
                length <= 8 || equalTail(entry.pointee.tail, bytes, length)
            {
                return Int(number &- 1)
            }
            slot = (slot &+ 1) & mask
        }
    }

    @inline(__always)
    private static func hashTail(_ start: UInt64, _ bytes: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
        var hash = start
        var at = 8
        let raw = UnsafeRawPointer(bytes)
        while at < length {
            // Zeros follow the term, so whole words can be read.
            var word = raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            if length - at < 8 { word &= (1 &<< UInt64((length - at) &* 8)) &- 1 }
            hash = ((hash ^ (hash >> 29)) ^ word) &* 0xBF58_476D_1CE4_E5B9
            at += 8
        }
        return hash ^ (hash >> 31)
    }

    @inline(__always)
    private func equalTail(_ tail: UInt32, _ bytes: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        let mine = tails.base + Int(tail)
        var at = 8
        let raw = UnsafeRawPointer(bytes)
        while at + 8 <= length {
            if mine.loadUnaligned(fromByteOffset: at - 8, as: UInt64.self)
                != raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            {
                return false
            }
            at += 8
        }
        while at < length {
            if mine.load(fromByteOffset: at - 8, as: UInt8.self) != bytes[at] { return false }
            at += 1
        }
        return true
    }

    @inline(never)
    private mutating func insert(
        _ key: UInt64, _ hash: UInt32, _ bytes: UnsafePointer<UInt8>, _ length: Int, _ slot: Int
    ) -> Int {
        if count == capacity {
            let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
            larger.moveInitialize(from: entries, count: count)
            entries.deallocate()
            entries = larger
            capacity *= 2
        }
        let tail = UInt32(tails.count)
        if length > 8 { tails.append(bytes + 8, length - 8) }
        let head = UInt32(newChunk(Self.chunkByteCount(0) + 4))
        (entries + count).initialize(
            to: Entry(
                key: key, tail: tail, hash: hash, length: UInt8(length), field: 0xFF, level: 0, document: 0,
                position: 0,
                head: head, next: head, end: head + UInt32(Self.chunkByteCount(0))))
        slots[slot] = UInt32(count + 1)
        count += 1
        if count * 2 > mask { growSlots() }
        return count - 1
    }

    private mutating func growSlots() {
        slots.deallocate()
        mask = (mask + 1) * 2 - 1
        slots = .allocate(capacity: mask + 1)
        slots.initialize(repeating: 0, count: mask + 1)
        for index in 0..<count {
            var slot = Int(entries[index].hash) & mask
            while slots[slot] != 0 { slot = (slot &+ 1) & mask }
            slots[slot] = UInt32(index + 1)
        }
    }

    /// Bytes of a chain's chunk by its number in the chain; four more bytes point to the next chunk.
    @inline(__always)
    fileprivate static func chunkByteCount(_ level: UInt8) -> Int { level == 0 ? 8 : min(508, (16 << Int(level)) - 4) }

    @inline(__always)
    private mutating func newChunk(_ byteCount: Int) -> Int {
        let start = chunkCount
        chunkCount += byteCount
        precondition(chunkCount <= chunkLimit + 1024, "a document's terms need more room than was set aside")
        return start
    }

    @inline(__always)
    private mutating func put(_ value: UInt32, _ entry: UnsafeMutablePointer<Entry>) {
        var rest = value
        while rest >= 0x80 {
            putByte(UInt8(truncatingIfNeeded: rest) | 0x80, entry)
            rest >>= 7
        }
        putByte(UInt8(truncatingIfNeeded: rest), entry)
    }

    @inline(__always)
    private mutating func putByte(_ byte: UInt8, _ entry: UnsafeMutablePointer<Entry>) {
        if entry.pointee.next == entry.pointee.end { extend(entry) }
        chunks[Int(entry.pointee.next)] = byte
        entry.pointee.next &+= 1
    }

    @inline(never)
    private mutating func extend(_ entry: UnsafeMutablePointer<Entry>) {
        if entry.pointee.level < 6 { entry.pointee.level += 1 }
        let size = Self.chunkByteCount(entry.pointee.level)
        let start = newChunk(size + 4)
        UnsafeMutableRawPointer(chunks + Int(entry.pointee.end)).storeBytes(of: UInt32(start), as: UInt32.self)
        entry.pointee.next = UInt32(start)
        entry.pointee.end = UInt32(start + size)
    }

    // MARK: Reading

    /// Entry numbers in the byte order of their terms.
    func sorted() -> [UInt32] {
        var order: [(key: UInt64, index: UInt32)] = []
        order.reserveCapacity(count)
        for index in 0..<count { order.append((entries[index].key.bigEndian, UInt32(index))) }
        let (entries, tails) = (entries, tails.base)
        order.sort { a, b in
            if a.key != b.key { return a.key < b.key }
            let (x, y) = (entries + Int(a.index), entries + Int(b.index))
            let (m, n) = (Int(x.pointee.length), Int(y.pointee.length))
            let shared = min(m, n) - 8
            if shared > 0 {
                for at in 0..<shared {
                    let p = tails.load(fromByteOffset: Int(x.pointee.tail) + at, as: UInt8.self)
                    let q = tails.load(fromByteOffset: Int(y.pointee.tail) + at, as: UInt8.self)
                    if p != q { return p < q }
                }
            }
            return m < n
        }
        return order.map(\.index)
    }

    /// Writes an entry's term to `out`, which needs room for 264 bytes.
    ///
    /// - Returns: the term's length.
    func copyTerm(_ index: Int, to out: UnsafeMutablePointer<UInt8>) -> Int {
        let entry = entries + index
        UnsafeMutableRawPointer(out).storeBytes(of: entry.pointee.key, as: UInt64.self)
        let length = Int(entry.pointee.length)
        if length > 8 {
            UnsafeMutableRawPointer(out + 8).copyMemory(
                from: tails.base + Int(entry.pointee.tail), byteCount: length - 8)
        }
        return length
    }

    func chain(_ index: Int) -> Chain {
        let entry = entries + index
        let head = Int(entry.pointee.head)
        return Chain(
            chunks: chunks, at: head, end: head + Self.chunkByteCount(0), level: 0, last: Int(entry.pointee.next))
    }

    /// Reads one term's chain.
    struct Chain {
        fileprivate let chunks: UnsafeMutablePointer<UInt8>
        fileprivate var at: Int
        fileprivate var end: Int
        fileprivate var level: UInt8
        fileprivate let last: Int

        var isAtEnd: Bool { at == last }

        @inline(__always)
        mutating func byte() -> UInt8 {
            if at == end { follow() }
            let byte = chunks[at]
            at &+= 1
            return byte
        }

        private mutating func follow() {
            at = Int(UnsafeRawPointer(chunks + end).loadUnaligned(as: UInt32.self))
            if level < 6 { level += 1 }
            end = at + TermTable.chunkByteCount(level)
        }

        @inline(__always)
        mutating func number() -> UInt32 {
            var value: UInt32 = 0
            var shift: UInt32 = 0
            while true {
                let byte = byte()
                value |= UInt32(byte & 0x7F) &<< shift
                if byte < 0x80 { return value }
                shift &+= 7
            }
        }
    }
}
