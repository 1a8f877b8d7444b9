import Files
import TestSupport
import Testing
import Time

@testable import Items

/// When a clock that runs ahead is trusted.
struct DeviceClockTests {
    private static let hour: Int64 = 3600
    private static let start = Timestamp(milliseconds: 1_795_256_100_000)

    /// - Parameters:
    ///   - hours: after the start, by the clock.
    ///   - uptime: hours since the boot.
    private static func reading(_ hours: Int64, boot: String = "a", uptime: Int64) -> ClockReading {
        ClockReading(time: start.adding(seconds: hours * hour), boot: boot, uptime: uptime * hour)
    }

    struct Look: Sendable {
        let hours: Int64
        let boot: String
        let uptime: Int64
        let isBelieved: Bool

        init(_ hours: Int64, _ boot: String, _ uptime: Int64, _ isBelieved: Bool) {
            (self.hours, self.boot, self.uptime, self.isBelieved) = (hours, boot, uptime, isBelieved)
        }
    }

    static let far: Int64 = 24 * 365 * 70

    static let cases: [[Look]] = [
        // Within a day.
        [Look(1, "a", 2, true), Look(24, "a", 3, true)],
        // A weekend without a command while the machine runs.
        [Look(70, "a", 71, true)],
        // The machine was off for a month: trusted at the start after the first look.
        [Look(720, "b", 1, false), Look(721, "b", 2, false), Look(740, "c", 1, true)],
        // Or after 24 hours of uptime.
        [Look(720, "b", 1, false), Look(743, "b", 24, false), Look(744, "b", 25, true), Look(745, "b", 26, true)],
        // 2099 while the machine runs, then corrected.
        [Look(far, "a", 2, false), Look(far, "a", 3, false), Look(3, "a", 4, true)],
        // 2099 after a start, corrected at the next one.
        [Look(far, "b", 1, false), Look(30, "c", 1, false), Look(31, "d", 1, true)],
        // 1970 is trusted, since nothing is due then; the way back is a jump.
        [Look(-far, "b", 1, true), Look(2, "b", 2, false), Look(27, "b", 27, true)],
        // Ahead, then further ahead: the first look still counts.
        [Look(100, "b", 1, false), Look(far, "b", 2, false), Look(far, "b", 25, true)],
    ]

    @Test(arguments: cases)
    func `a jump of more than a day counts after a day of uptime or a later start`(_ looks: [Look]) {
        var clock = DeviceClock(newest: Self.reading(0, uptime: 1))
        for look in looks {
            let believed = clock.observe(Self.reading(look.hours, boot: look.boot, uptime: look.uptime))
            #expect(believed == look.isBelieved, "\(look)")
        }
    }

    @Test func `the record is kept across processes, and a torn one begins again at the first opening`() throws {
        let library = try TestLibrary()
        let now = ClockReading.now
        #expect(library.session.clockDoubt(at: now) == nil)
        var far = now
        far.time = now.time.adding(seconds: 86_400 * 400)
        #expect(library.session.clockDoubt(at: far) == ClockDoubt(now: far.time, newest: now.time))
        #expect(try WriteSession(library.reopened()).clockDoubt(at: far) != nil)
        far.boot = "another"
        #expect(try WriteSession(library.reopened()).clockDoubt(at: far) == nil)
        #expect(library.session.clockDoubt(at: now) == nil)
        try library.scratch.write(".sbfs/clock", "{")
        #expect(try WriteSession(library.reopened()).clockDoubt(at: far) != nil)
    }

    @Test(
        arguments: [(-1, 0), (-2_000_000_000, 999_999_999), (Int64.min, 0), (Int64.max, 999_999_999)]
            as [(Int64, Int64)])
    func `a clock that no id can hold makes ids all the same`(_ seconds: Int64, nanoseconds: Int64) {
        let first = ItemID.make(seconds: seconds, nanoseconds: nanoseconds)
        let second = ItemID.make(seconds: seconds, nanoseconds: nanoseconds)
        #expect(first != second)
        #expect(first.creation != nil)
    }
}
