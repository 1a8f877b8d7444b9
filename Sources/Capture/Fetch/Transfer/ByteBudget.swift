/// Counts the bytes of one fetcher's bodies against its limits.
final class ByteBudget {
    let limit: Int
    /// Bytes of complete and current bodies.
    private(set) var kept = 0
    /// Bytes of all bodies, including discarded ones.
    private(set) var read = 0

    init(limit: Int) { self.limit = limit }

    /// Counts bytes of a body; false if they exceed the limit, then they are not counted as kept.
    func take(_ count: Int) -> Bool {
        read = read.addingReportingOverflow(count).overflow ? .max : read + count
        if count > limit - kept || read / 4 > limit { return false }
        kept += count
        return true
    }

    /// Releases the bytes of a discarded body.
    func release(_ count: Int) { kept -= count }
}
