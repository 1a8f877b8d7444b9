/// Stops a watch before the index forgets a large part of the library, which may only be away: an unmounted disk, a
/// replication program that empties a folder.
struct LossGuard {
    private var losses: [(at: ContinuousClock.Instant, count: Int)] = []

    /// The time in which losses are added up.
    static let window = Duration.seconds(60)
    /// Up to this number, a person removes items by hand.
    static let handful = 10

    /// - Parameters:
    ///   - gone: items gone without a tombstone.
    ///   - known: the items that the index has.
    /// - Throws: `WatchEnd.manyItemsGone` if more than 20 % and more than a handful went within a minute, or all of several.
    mutating func judge(_ gone: Int, of known: Int, at now: ContinuousClock.Instant = .now) throws {
        losses.removeAll { now - $0.at > Self.window }
        losses.append((now, gone))
        let total = losses.reduce(0) { $0 + $1.count }
        let before = known + total - gone
        if total > Self.handful && total * 5 > before || total >= before && before > 1 {
            losses.removeLast()
            throw WatchEnd.manyItemsGone(count: total, of: before)
        }
    }
}
