/// Things that changed a moment ago and may go on changing. Each is due once it is quiet, or has waited long enough.
struct Settling<Key: Hashable> {
    typealias Instant = ContinuousClock.Instant

    private struct Wait {
        var first: Instant
        var due: Instant
    }

    private var waits: [Key: Wait] = [:]
    /// How long nothing must happen.
    let quiet: Duration
    /// The longest wait, however much happens.
    let limit: Duration

    init(quiet: Duration = .milliseconds(200), limit: Duration = .seconds(2)) {
        self.quiet = quiet
        self.limit = limit
    }

    var count: Int { waits.count }
    var isEmpty: Bool { waits.isEmpty }

    /// When the first of all waiting things began to change.
    var oldest: Instant? { waits.values.lazy.map(\.first).min() }

    /// Something happened to the thing.
    mutating func note(_ key: Key, at now: Instant) {
        let first = waits[key]?.first ?? now
        waits[key] = Wait(first: first, due: min(now + quiet, first + limit))
    }

    /// Lets a thing wait again, until a given time and as if it had not waited; a later event shortens or prolongs that.
    mutating func wait(_ key: Key, until due: Instant, since first: Instant) {
        if waits[key] == nil { waits[key] = Wait(first: first, due: due) }
    }

    /// Takes the things that are due, with the time of their first event.
    mutating func due(at now: Instant) -> [(key: Key, first: Instant)] {
        take { $0.due <= now }
    }

    /// Takes all things, due or not.
    mutating func all() -> [(key: Key, first: Instant)] { take { _ in true } }

    private mutating func take(_ isTaken: (Wait) -> Bool) -> [(key: Key, first: Instant)] {
        let found = waits.filter { isTaken($0.value) }
        if found.count == waits.count { waits.removeAll() } else { for key in found.keys { waits[key] = nil } }
        return found.map { ($0.key, $0.value.first) }
    }

    /// When the next thing is due; many things are looked at in steps of 50 ms, so that a storm costs little.
    func next(after now: Instant) -> Instant? {
        if waits.count > 1000 { return now + .milliseconds(50) }
        return waits.values.lazy.map(\.due).min()
    }
}
