/// What the bodies of one fetcher may add up to.
final class ByteBudget {
    let limit: Int
    /// Of bodies that are whole or under way.
    private(set) var kept = 0
    /// Of all bodies, those thrown away included.
    private(set) var read = 0

    init(limit: Int) { self.limit = limit }

    /// Takes bytes of a body; false if they are too many, then they do not count as kept.
    func take(_ count: Int) -> Bool {
        read = read.addingReportingOverflow(count).overflow ? .max : read + count
        if count > limit - kept || read / 4 > limit { return false }
        kept += count
        return true
    }

    /// Gives back the bytes of a body that is thrown away.
    func release(_ count: Int) { kept -= count }
}
