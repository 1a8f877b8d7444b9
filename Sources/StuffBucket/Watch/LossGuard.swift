/// Stops a watch before the index forgets a large part of the library, which may only be away: an unmounted disk, a
/// replication program that empties a folder.
///
/// Items that came within the same time make up for those that went: programs that replace items empty no library.
struct LossGuard {
    private var steps: [(at: ContinuousClock.Instant, gone: Int, added: Int)] = []

    /// The time in which losses are added up.
    static let window = Duration.seconds(60)
    /// Up to this number, a person removes items by hand.
    static let handful = 10

    /// - Parameters:
    ///   - gone: items gone without a tombstone.
    ///   - added: items that other programs added.
    ///   - known: the items that the index has, before both.
    /// - Throws: `WatchEnd.manyItemsGone` if more than 20 % and more than a handful went within a minute, or all of several.
    mutating func judge(_ gone: Int, added: Int = 0, of known: Int, at now: ContinuousClock.Instant = .now) throws {
        steps.removeAll { now - $0.at > Self.window }
        let before = known + steps.reduce(0) { $0 + $1.gone - $1.added }
        steps.append((now, gone, added))
        let lost = steps.reduce(0) { $0 + $1.gone - $1.added }
        if gone > 0, lost > Self.handful && lost * 5 > before || lost >= before && before > 1 {
            steps.removeLast()
            throw WatchEnd.manyItemsGone(count: lost, of: before)
        }
    }
}
