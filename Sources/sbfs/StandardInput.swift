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
                    .tooLarge,
                    "standard input is longer than \(ByteCount.text(limit)); nothing was written. A file may be larger, and is "
                        + "kept as a document: sbfs add FILE")
            }
        }
    }

    private static func chunk() throws -> [UInt8] {
        try ByteStream(0, name: "standard input").read()
    }

    /// Standard input for an import, which reads parts of it more than once: above a few megabytes in a nameless file
    /// below `$TMPDIR` or /var/tmp.
    static func spooled() throws -> ImportInput {
        if isatty(0) == 1 { Talk.write("sbfs: reading from the terminal; end with Ctrl-D\n") }
        return try ImportInput(ByteStream(0, name: "standard input"), spoolingTo: Environment["TMPDIR"] ?? "/var/tmp")
    }
}
