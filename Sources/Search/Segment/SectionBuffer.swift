package import Files

/// Bytes of a section under construction: in memory, and above a limit in a nameless temporary file.
struct SectionBuffer: ~Copyable {
    private var buffer = ByteBuffer()
    private var file: Descriptor?
    private var fileByteCount = 0
    private let spill: (any SpillPlace)?
    private static let spillByteCount = 1 << 20

    init(spill: (any SpillPlace)?) { self.spill = spill }

    /// The number of bytes written so far.
    var count: Int { fileByteCount + buffer.count }

    @inline(__always)
    mutating func append(_ bytes: UnsafeRawPointer, _ byteCount: Int) throws {
        buffer.append(bytes, byteCount)
        if buffer.count >= Self.spillByteCount, spill != nil { try flush() }
    }

    private mutating func flush() throws {
        guard let spill else { return }
        if file == nil { file = try spill.temporaryFile() }
        try file?.write(UnsafeRawBufferPointer(start: buffer.base, count: buffer.count))
        fileByteCount += buffer.count
        buffer.removeAll()
    }

    /// Passes all bytes in order to `body`.
    func read(_ body: (UnsafeRawPointer, Int) throws -> Void) throws {
        var offset = 0
        while offset < fileByteCount {
            let chunk = try file?.read(at: offset, count: min(1 << 20, fileByteCount - offset)) ?? []
            if chunk.isEmpty { throw IndexDamage("a temporary file is shorter than what was written") }
            try chunk.withUnsafeBytes { try body($0.baseAddress.unsafelyUnwrapped, $0.count) }
            offset += chunk.count
        }
        if buffer.count > 0 { try body(buffer.base, buffer.count) }
    }
}

/// Makes files for sections that are too large for memory.
package protocol SpillPlace: Sendable {
    /// A new file without a name.
    func temporaryFile() throws -> Descriptor
}

/// The index's files are damaged. They are derived from the items and can be rebuilt.
package struct IndexDamage: Error, CustomStringConvertible {
    package let description: String
    /// Whether the files may be whole, but have an unknown version.
    package let isOtherVersion: Bool

    package init(_ description: String, isOtherVersion: Bool = false) {
        self.description = description
        self.isOtherVersion = isOtherVersion
    }
}
