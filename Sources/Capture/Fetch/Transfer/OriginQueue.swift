/// What waits for one origin (scheme, host, port), and how that origin fares.
final class OriginQueue {
    private var resources: [Resource] = []
    private var head = 0
    /// Those to be tried again come before the others.
    private var again: [Resource] = []
    var activeCount = 0
    /// Nothing is started before.
    var earliestStart: ContinuousClock.Instant
    /// In the scheduler's list of those that may start, or of those that wait for their time.
    var isListed = false
    var hasAnswered = false
    /// Tries again since the last good answer.
    var retries = 0
    /// Why it cannot be reached; whatever is asked of it later fails the same way, at once.
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
            // What was taken is let go of now and then, at a cost that stays constant for each.
            if head > 64, head * 2 > resources.count {
                resources.removeFirst(head)
                head = 0
            }
        }
        return resources[head]
    }
}
