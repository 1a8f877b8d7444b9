internal import JSONFormat

/// Writes a stream of entries: for the worker, which packs it, or for sbfs, which takes an unpacked file.
package struct EntryStreamWriter {
    private let write: ([UInt8]) throws -> Void

    package init(write: @escaping ([UInt8]) throws -> Void) { self.write = write }

    package func begin(_ entry: PackedEntry) throws { try send(.entry, entry.bytes) }

    /// A piece of the last entry's contents.
    package func piece(_ bytes: [UInt8]) throws {
        if bytes.isEmpty { return }
        if bytes.count <= EntryFrame.limit { return try send(.piece, bytes) }
        for start in stride(from: 0, to: bytes.count, by: EntryFrame.limit) {
            try send(.piece, Array(bytes[start..<min(bytes.count, start + EntryFrame.limit)]))
        }
    }

    /// Says that the last entry's contents are not those that were packed, as far as they could be read.
    package func damage() throws { try send(.damage, []) }

    /// Writes a file of exactly `byteCount` bytes.
    ///
    /// - Parameters:
    ///   - sha256: the SHA-256 of its contents; `nil` if it is not known.
    ///   - read: returns pieces of it; none at its end. A file that turns out shorter is filled with zeros, and a longer one is cut,
    ///     because its length stands before it.
    /// - Returns: whether the file had the announced length.
    package func file(
        _ path: [UInt8], byteCount: Int, permissions: UInt32, modified: Int64, sha256: String? = nil,
        read: () throws -> [UInt8]
    ) throws -> Bool {
        try begin(
            PackedEntry(
                .file, path, byteCount: byteCount, permissions: permissions, modified: modified, sha256: sha256))
        var left = byteCount
        while true {
            let bytes = try read()
            if bytes.isEmpty { break }
            if bytes.count > left {
                try piece(Array(bytes.prefix(left)))
                return false
            }
            try piece(bytes)
            left -= bytes.count
        }
        let isWhole = left == 0
        while left > 0 {
            let count = min(left, 1 << 16)
            try piece([UInt8](repeating: 0, count: count))
            left -= count
        }
        return isWhole
    }

    package func end() throws { try send(.end, []) }
    package func fail(_ fault: PackedFault) throws {
        var writer = JSONWriter(.oneLine)
        writer.write(fault.json)
        try send(.fault, writer.bytes)
    }

    private func send(_ frame: EntryFrame, _ bytes: [UInt8]) throws { try write(frame.head(bytes.count) + bytes) }
}
