/// A part of a stream that carries several packed files, one after the other: `sbfs-worker bundle` and `unbundle`.
///
/// `bundle` reads the entries of each file, and an end; it writes the packed bytes in pieces, and an end with their hash.
/// `unbundle` does the reverse. The bytes of a part are those of `EntryFrame`; the contents of an end are empty, or 64
/// hexadecimal digits and the number of unpacked bytes in decimal.
package enum BundleFrame: Equatable, Sendable {
    /// A file in the tar file; its contents follow in pieces.
    case entry(PackedEntry)
    /// Bytes of the last entry, or of the packed file.
    case piece([UInt8])
    /// A packed file ends here; with the SHA-256 and the number of the unpacked tar file's bytes where they are known.
    case end(UnpackedSum?)
    /// A packed file could not be read to its end. The next one follows.
    case fault(PackedFault)

    /// What names a packed file: its unpacked bytes.
    package struct UnpackedSum: Equatable, Sendable {
        /// 64 lower-case hexadecimal digits.
        package let sha256: String
        package let byteCount: Int

        package init(sha256: String, byteCount: Int) {
            self.sha256 = sha256
            self.byteCount = byteCount
        }
    }

    /// To how many bytes the packed file that follows may unpack, if that is less than any may: an entry without a path.
    package static func limit(_ byteCount: Int) -> BundleFrame {
        .entry(PackedEntry(.file, [], byteCount: byteCount, permissions: 0, modified: 0))
    }

    /// The part as it travels; a piece has at most 1 MiB.
    package var bytes: [UInt8] {
        switch self {
        case .entry(let entry): Self.framed(.entry, entry.bytes)
        case .piece(let bytes): Self.framed(.piece, bytes)
        case .end(let sum): Self.framed(.end, sum.map { Array("\($0.sha256)\($0.byteCount)".utf8) } ?? [])
        case .fault(let fault): Self.framed(.fault, fault.json.oneLine)
        }
    }

    private static func framed(_ frame: EntryFrame, _ contents: [UInt8]) -> [UInt8] {
        frame.head(contents.count) + contents
    }
}

/// Takes a stream of parts as its bytes come.
package struct BundleFrameBuffer {
    private var bytes: [UInt8] = []
    private var start = 0

    package init() {}

    /// Whether a part is incomplete.
    package var isWithinFrame: Bool { start < bytes.count }

    /// Adds the next bytes of the stream.
    package mutating func append(_ more: [UInt8]) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        if bytes.isEmpty { bytes = more } else { bytes += more }
    }

    /// The next part; `nil` until all of it has come.
    ///
    /// - Throws: `WireFault` if the bytes are no stream of parts.
    package mutating func next() throws(WireFault) -> BundleFrame? {
        guard bytes.count - start >= 5 else { return nil }
        guard let frame = EntryFrame(rawValue: bytes[start]) else { throw WireFault("a part of an unknown kind") }
        let count = bytes[start + 1..<start + 5].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard count <= EntryFrame.limit else { throw WireFault("a part of \(count) bytes") }
        guard bytes.count - start - 5 >= count else { return nil }
        let contents = bytes[start + 5..<start + 5 + count]
        start += 5 + count
        switch frame {
        case .entry: return .entry(try PackedEntry(bytes: contents))
        case .piece: return .piece(Array(contents))
        case .end:
            if contents.isEmpty { return .end(nil) }
            let digits = String(decoding: contents.prefix(64), as: UTF8.self)
            guard contents.count > 64, let byteCount = Int(String(decoding: contents.dropFirst(64), as: UTF8.self))
            else { throw WireFault("an end of \(contents.count) bytes") }
            return .end(.init(sha256: digits, byteCount: byteCount))
        case .damage: throw WireFault("a damaged entry")
        case .fault:
            guard let message = Message(Array(contents)) else { throw WireFault("a fault must be a JSON object") }
            return .fault(try PackedFault(WireFields(message, of: "a fault")))
        }
    }
}
