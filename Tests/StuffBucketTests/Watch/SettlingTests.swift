import Testing

@testable import StuffBucket

/// When something that changes counts as changed.
struct SettlingTests {
    private let start = ContinuousClock.now

    private func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    @Test func `a thing is due when it has been quiet`() {
        var settling = Settling<String>()
        settling.note("a", at: at(0))
        settling.note("a", at: at(150))
        #expect(settling.due(at: at(349)).isEmpty)
        #expect(settling.next(after: at(200)) == at(350))
        let due = settling.due(at: at(350))
        #expect(due.map(\.key) == ["a"] && due.first?.first == at(0))
        #expect(settling.isEmpty && settling.next(after: at(400)) == nil)
    }

    @Test func `a thing that never rests is due after the longest wait`() {
        var settling = Settling<String>()
        for time in stride(from: 0, to: 2000, by: 100) {
            settling.note("a", at: at(time))
            #expect(settling.due(at: at(time)).isEmpty)
        }
        settling.note("a", at: at(1999))
        #expect(settling.due(at: at(2000)).map(\.key) == ["a"])
    }

    @Test func `a question takes everything at once`() {
        var settling = Settling<Int>()
        for number in 0..<3 { settling.note(number, at: at(number)) }
        #expect(Set(settling.all().map(\.key)) == [0, 1, 2] && settling.isEmpty)
    }

    @Test func `an absent thing waits until its time, and an event does not make it wait for ever`() {
        var settling = Settling<String>()
        settling.wait("a", until: at(1000), since: at(0))
        #expect(settling.due(at: at(999)).isEmpty)
        settling.note("a", at: at(500))
        #expect(settling.due(at: at(700)).map(\.key) == ["a"])
    }

    @Test func `many things are looked at in steps`() {
        var settling = Settling<Int>()
        for number in 0..<1001 { settling.note(number, at: at(0)) }
        #expect(settling.next(after: at(10)) == at(60))
    }
}

/// When a watch stops instead of forgetting items.
struct LossGuardTests {
    private let start = ContinuousClock.now

    @Test func `some items may go`() throws {
        var guarding = LossGuard()
        try guarding.judge(10, of: 20, at: start)
        try guarding.judge(200, of: 1001, at: start + .seconds(61))
    }

    @Test func `a fifth of the library may not`() {
        var guarding = LossGuard()
        #expect(throws: WatchEnd.manyItemsGone(count: 201, of: 1000)) { try guarding.judge(201, of: 1000, at: start) }
    }

    @Test func `nor little by little within a minute`() throws {
        var guarding = LossGuard()
        try guarding.judge(150, of: 1000, at: start)
        #expect(throws: WatchEnd.manyItemsGone(count: 201, of: 1000)) {
            try guarding.judge(51, of: 850, at: start + .seconds(59))
        }
        try guarding.judge(51, of: 850, at: start + .seconds(70))
    }

    @Test func `items that come make up for those that go`() throws {
        var guarding = LossGuard()
        for second in 0..<30 { try guarding.judge(15, added: 15, of: 60, at: start + .seconds(second)) }
        try guarding.judge(0, added: 40, of: 60, at: start + .seconds(30))
        try guarding.judge(50, of: 100, at: start + .seconds(31))
        #expect(throws: WatchEnd.manyItemsGone(count: 20, of: 60)) {
            try guarding.judge(10, of: 50, at: start + .seconds(32))
        }
    }

    @Test func `nor all items of a small library`() throws {
        var guarding = LossGuard()
        #expect(throws: WatchEnd.manyItemsGone(count: 5, of: 5)) { try guarding.judge(5, of: 5, at: start) }
        var other = LossGuard()
        try other.judge(1, of: 1, at: start)
    }
}
