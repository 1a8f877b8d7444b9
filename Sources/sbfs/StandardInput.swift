import Glibc
import StuffBucket

/// Standard input, read to its end.
enum StandardInput {
    static func read(limit: Int) throws -> [UInt8] {
        if isatty(0) == 1 { Talk.write("sbfs: reading from the terminal; end with Ctrl-D\n") }
        var bytes: [UInt8] = []
        while true {
            let chunk = try chunk()
            if chunk.isEmpty { return bytes }
            bytes += chunk
            if bytes.count > limit {
                throw CommandFailure(
                    .tooLarge, "standard input is longer than \(ByteCount.text(limit)); nothing was written")
            }
        }
    }

    private static func chunk() throws -> [UInt8] {
        var failure: Int32 = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            let result = uninterrupted { Glibc.read(0, buffer.baseAddress, buffer.count) }
            if result < 0 { failure = errno }
            count = max(0, result)
        }
        if failure != 0 {
            throw CommandFailure(.failed, "cannot read standard input: \(String(cString: strerror(failure)))")
        }
        return chunk
    }

    /// Standard input for an import, which reads parts of it more than once: above a few megabytes in a nameless file
    /// below `$TMPDIR` or /var/tmp.
    static func spooled() throws -> ImportInput {
        if isatty(0) == 1 { Talk.write("sbfs: reading from the terminal; end with Ctrl-D\n") }
        var bytes: [UInt8] = []
        while bytes.count < memoryLimit {
            let chunk = try chunk()
            if chunk.isEmpty { return ImportInput(bytes) }
            bytes += chunk
        }
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
        let file = try Directory(path: folder).temporaryFile("sbfs-\(ItemID.make())")
        try file.write(bytes)
        var byteCount = bytes.count
        bytes = []
        while true {
            let chunk = try chunk()
            if chunk.isEmpty { break }
            try file.write(chunk)
            byteCount += chunk.count
        }
        return ImportInput(byteCount: byteCount) { try file.read(at: $0, count: $1) }
    }

    private static let memoryLimit = 8 << 20
}
