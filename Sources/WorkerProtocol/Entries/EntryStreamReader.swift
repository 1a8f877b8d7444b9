/// Reads a stream of entries.
package struct EntryStreamReader {
    /// Returns at most this many bytes; none at the end.
    private let read: (Int) throws -> [UInt8]
    private var buffer: [UInt8] = []
    private var start = 0
    private var isEnded = false
    /// The entry that ended the contents of the one before.
    private var waiting: PackedEntry?
    private var isWithinEntry = false
    /// Whether the contents of the current entry, all of which were read, are not those that were packed.
    package private(set) var isDamaged = false

    package init(read: @escaping (Int) throws -> [UInt8]) { self.read = read }

    /// The next entry. Skips the unread contents of the current one.
    ///
    /// - Returns: `nil` at the end.
    /// - Throws: `PackedFault` if the packed file is not whole, `WireFault` if the stream is not.
    package mutating func next() throws -> PackedEntry? {
        while isWithinEntry { _ = try piece() }
        guard let entry = waiting else {
            if isEnded { return nil }
            // Only before the first entry.
            try advance()
            return try next()
        }
        waiting = nil
        isWithinEntry = true
        isDamaged = false
        return entry
    }

    /// The next piece of the current entry's contents; empty at its end.
    package mutating func piece() throws -> [UInt8] {
        if !isWithinEntry { return [] }
        return try advance()
    }

    @discardableResult
    private mutating func advance() throws -> [UInt8] {
        let head = try take(5)
        guard head.count == 5, let frame = EntryFrame(rawValue: head[0]) else {
            throw WireFault("the stream of entries is cut off")
        }
        let count = head[1...].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard count <= EntryFrame.limit else { throw WireFault("a part of \(count) bytes") }
        let bytes = try take(count)
        guard bytes.count == count else { throw WireFault("the stream of entries is cut off") }
        switch frame {
        case .piece where isWithinEntry && !bytes.isEmpty: return bytes
        case .damage where isWithinEntry:
            isDamaged = true
            return try advance()
        case .piece, .damage: throw WireFault("contents without an entry")
        case .entry: waiting = try PackedEntry(bytes: bytes[...])
        case .end: isEnded = true
        case .fault:
            isEnded = true
            isWithinEntry = false
            guard let message = Message(bytes) else { throw WireFault("a fault must be a JSON object") }
            throw try PackedFault(WireFields(message, of: "a fault"))
        }
        isWithinEntry = false
        return []
    }

    private mutating func take(_ count: Int) throws -> [UInt8] {
        if start == 0, buffer.count == count {
            defer { buffer = [] }
            return buffer
        }
        while buffer.count - start < count {
            let more = try read(1 << 18)
            if more.isEmpty { break }
            if start == buffer.count {
                buffer = more
                start = 0
            } else {
                buffer.removeFirst(start)
                start = 0
                buffer += more
            }
        }
        let end = min(buffer.count, start + count)
        defer { start = end }
        return Array(buffer[start..<end])
    }
}
