/// Copies tokens in the form that a `TokenSink` needs.
enum TokenBytes {
    /// Copies bytes and appends at least eight zeros.
    ///
    /// Copies eight bytes at a time. The last bytes are written together with their zeros, so a sink that reads the
    /// first eight bytes at once waits for only one store.
    ///
    /// - Parameters:
    ///   - bytes: seven more bytes must be readable after them, unless there are fewer than eight.
    ///   - target: needs room for `count` and sixteen bytes more.
    @inline(__always)
    static func copy(_ bytes: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutablePointer<UInt8>) {
        let source = UnsafeRawPointer(bytes)
        let target = UnsafeMutableRawPointer(target)
        var at = 0
        while at &+ 8 <= count {
            target.storeBytes(
                of: source.loadUnaligned(fromByteOffset: at, as: UInt64.self), toByteOffset: at, as: UInt64.self)
            at &+= 8
        }
        let rest = source.loadUnaligned(fromByteOffset: at, as: UInt64.self) & ((1 &<< (UInt64(count &- at) &* 8)) &- 1)
        target.storeBytes(of: rest, toByteOffset: at, as: UInt64.self)
        target.storeBytes(of: 0, toByteOffset: at &+ 8, as: UInt64.self)
    }
}
