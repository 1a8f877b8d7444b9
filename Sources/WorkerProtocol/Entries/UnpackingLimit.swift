/// How much a packed file may hold: FORMAT.md § 16.1. A few bytes may unpack to any number.
package enum UnpackingLimit {
    /// A packed file may always unpack to this many bytes.
    private static let freeByteCount = 1 << 30
    /// Above that, to this many times its own bytes. zstd reaches 50 on repeated pages, and several thousand on zeros.
    private static let largestRatio = 500

    /// Whether a reader stops.
    ///
    /// - Parameters:
    ///   - unpacked: bytes of what is in the file.
    ///   - packed: bytes of the file; called only where they matter.
    package static func isTooMuch(_ unpacked: Int, of packed: () -> Int?) -> Bool {
        if unpacked <= freeByteCount { return false }
        return packed().map { unpacked / largestRatio > $0 } ?? false
    }
}
