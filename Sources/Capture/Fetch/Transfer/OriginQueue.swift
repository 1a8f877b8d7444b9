/// The resources that wait for one origin (scheme, host, port), and the origin's state.
final class OriginQueue {
    private var resources: [Resource] = []
    private var head = 0
    /// Resources to try again; they come before the others.
    private var again: [Resource] = []
    var activeCount = 0
    /// No request starts before this time.
    var earliestStart: ContinuousClock.Instant
    /// Whether the scheduler lists it, as ready or as resting.
    var isListed = false
    var hasAnswered = false
    /// Repeated attempts since the last good answer.
    var retries = 0
    /// Why it cannot be reached; later requests fail at once for the same reason.
    var isDead: FetchFailure?

    init(earliestStart: ContinuousClock.Instant) { self.earliestStart = earliestStart }

    var isEmpty: Bool { head == resources.count && again.isEmpty }

    func append(_ resource: Resource) { resources.append(resource) }

    func putBack(_ resource: Resource) { again.append(resource) }

    func next() -> Resource? {
        if !again.isEmpty { return again.removeFirst() }
        if head == resources.count { return nil }
        defer {
            head += 1
            // Removes taken entries from time to time, at a constant cost for each.
            if head > 64, head * 2 > resources.count {
                resources.removeFirst(head)
                head = 0
            }
        }
        return resources[head]
    }
}
