internal import Files

/// The state of a file, from stat alone.
struct FileMark: Equatable {
    /// A hash of size and time of modification, which changes with nearly every change of the bytes.
    let content: UInt64
    /// A hash of time of change and inode, which also changes if the file was only moved, linked, or given other
    /// permissions.
    let identity: UInt64

    init(content: UInt64, identity: UInt64) {
        self.content = content
        self.identity = identity
    }

    init(_ status: FileStatus) {
        content = Self.mix(UInt64(bitPattern: Int64(status.byteCount)), UInt64(bitPattern: status.modified))
        identity = Self.mix(UInt64(bitPattern: status.changed), status.inode)
    }

    /// The finisher of SplitMix64, applied twice (Steele, Lea, Flood 2014).
    private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        func finish(_ value: UInt64) -> UInt64 {
            var mixed = value &+ 0x9E37_79B9_7F4A_7C15
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
        return finish(finish(a) ^ b)
    }
}
