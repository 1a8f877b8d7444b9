import Glibc
import Items

/// Standard input as a whole.
enum StandardInput {
    static func read(limit: Int) throws -> [UInt8] {
        if isatty(0) == 1 { Talk.write("sbfs: reading from the terminal; end with Ctrl-D\n") }
        var bytes: [UInt8] = []
        while true {
            var failure: Int32 = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                var result = Glibc.read(0, buffer.baseAddress, buffer.count)
                while result < 0, errno == EINTR { result = Glibc.read(0, buffer.baseAddress, buffer.count) }
                if result < 0 { failure = errno }
                count = max(0, result)
            }
            if failure != 0 {
                throw CommandFailure(.failed, "cannot read standard input: \(String(cString: strerror(failure)))")
            }
            if chunk.isEmpty { return bytes }
            bytes += chunk
            if bytes.count > limit {
                throw CommandFailure(
                    .tooLarge, "standard input is longer than \(ByteCount.text(limit)); nothing was written")
            }
        }
    }
}
