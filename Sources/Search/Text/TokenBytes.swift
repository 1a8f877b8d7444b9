/// Copies tokens the way a `TokenSink` wants them.
enum TokenBytes {
    /// Copies bytes and puts at least eight zeros after them.
    ///
    /// Eight bytes at a time, of which the last ones are written together with their zeros: a sink that reads the first
    /// eight bytes at once then waits for one store only.
    ///
    /// - Parameters:
    ///   - bytes: with seven readable bytes after them, unless there are less than eight.
    ///   - target: with room for `count` and sixteen bytes more.
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
