/// The order of requests: origins take turns, and each pauses when it must.
struct Schedule {
    /// Origins that may start now; taken in order from `head`.
    private var ready: [OriginQueue] = []
    private var head = 0
    /// Origins that pause: a binary heap, the earliest first.
    private var resting: [(start: ContinuousClock.Instant, queue: OriginQueue)] = []

    /// When the next pausing origin may start.
    var nextStart: ContinuousClock.Instant? { resting.first?.start }

    /// Lists an origin if it has a waiting resource and fewer than `limit` requests.
    mutating func list(_ queue: OriginQueue, limit: Int, now: ContinuousClock.Instant) {
        if queue.isListed || queue.isEmpty || (queue.activeCount >= limit && queue.isDead == nil) { return }
        queue.isListed = true
        if queue.earliestStart > now { push(queue) } else { ready.append(queue) }
    }

    /// The next origin that may start; it is removed from the list.
    mutating func next(now: ContinuousClock.Instant) -> OriginQueue? {
        while let first = resting.first, first.start <= now { ready.append(pop()) }
        while head < ready.count {
            let queue = ready[head]
            head += 1
            if head > 64, head * 2 > ready.count {
                ready.removeFirst(head)
                head = 0
            }
            // It may have been told to pause since it was listed.
            if queue.earliestStart > now {
                push(queue)
                continue
            }
            queue.isListed = false
            return queue
        }
        return nil
    }

    private mutating func push(_ queue: OriginQueue) {
        resting.append((queue.earliestStart, queue))
        var place = resting.count - 1
        while place > 0, resting[place].start < resting[(place - 1) / 2].start {
            resting.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func pop() -> OriginQueue {
        resting.swapAt(0, resting.count - 1)
        let queue = resting.removeLast().queue
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < resting.count {
                if resting[child].start < resting[least].start { least = child }
            }
            if least == place { return queue }
            resting.swapAt(place, least)
            place = least
        }
    }
}
