internal import Glibc
import TestSupport
import Testing

@testable import Time

/// RFC 3339, and a date alone.
struct TimestampTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01T00:00:00.001Z", 1),
        ("1969-12-31T23:59:59.999Z", -1),
        ("2026-11-21T10:15:00Z", 1_795_256_100_000),
        ("2026-11-21t10:15:00z", 1_795_256_100_000),
        ("2026-11-21 10:15:00Z", 1_795_256_100_000),
        ("2026-11-21T10:15:00+00:00", 1_795_256_100_000),
        ("2026-11-21T10:15:00-00:00", 1_795_256_100_000),
        ("2026-11-21T11:15:00+01:00", 1_795_256_100_000),
        ("2026-11-21T15:45:00+05:30", 1_795_256_100_000),
        ("2026-11-21T02:15:00-08:00", 1_795_256_100_000),
        ("2026-11-22T10:14:00+23:59", 1_795_256_100_000),
        ("2026-11-21T10:15:00.1Z", 1_795_256_100_100),
        ("2026-11-21T10:15:00.12Z", 1_795_256_100_120),
        ("2026-11-21T10:15:00.123456789Z", 1_795_256_100_123),
        ("2026-11-21T10:15:00.1239999999999999999999Z", 1_795_256_100_123),
        ("1990-12-31T23:59:60Z", 662_688_000_000),
        ("1990-12-31T15:59:60-08:00", 662_688_000_000),
        ("1996-12-19T16:39:57-08:00", 851_042_397_000),
        ("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130),
        ("2000-02-29T00:00:00Z", 951_782_400_000),
        ("0000-01-01T00:00:00Z", -62_167_219_200_000),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ])
    func `a valid time is read`(_ text: String, milliseconds: Int64) throws {
        #expect(Timestamp(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", " ", "2026", "2026-11", "2026-11-", "2026-1-21", "26-11-21", "2026-11-21T", "2026-11-21T10",
        "2026-11-21T10:15",
        "2026-11-21T10:15Z", "2026-11-21T10:15:00", "2026-11-21T10:15:00.Z", "2026-11-21T10:15:00,5Z",
        "2026-11-21T10:15:00+0100", "2026-11-21T10:15:00+01", "2026-11-21T10:15:00+24:00", "2026-11-21T10:15:00+01:60",
        "2026-11-21T10:15:00 Z", "2026-11-21T10:15:00ZZ", "2026-11-21T10:15:00Z ", " 2026-11-21T10:15:00Z",
        "2026-00-21T10:15:00Z", "2026-13-21T10:15:00Z", "2026-11-00T10:15:00Z", "2026-11-31T10:15:00Z",
        "2026-02-29T10:15:00Z", "1900-02-29", "2026-11-21T24:00:00Z", "2026-11-21T10:60:00Z", "2026-11-21T10:15:61Z",
        "2026/11/21", "20261121T101500Z", "+2026-11-21", "-2026-11-21", "12026-11-21",
        "2026-11-21T10:15:00\u{2212}01:00",
        "２０２６-11-21", "2026-11-21\n", "2026-11-21T1:15:00Z", "2026-11-21T10:15:0-1:00", "today",
    ])
    func `anything else is not a time`(_ text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (1_795_256_100_123, "2026-11-21T10:15:00.123Z"),
        (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ])
    func `times are written in UTC with milliseconds`(_ milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
    }

    @Test func `written values are read back`() {
        var generator = SeededGenerator(seed: 3339)
        for _ in 0..<20_000 {
            let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999
            let time = Timestamp(milliseconds: Int64.random(in: range, using: &generator))
            #expect(Timestamp(time.rfc3339) == time)
        }
    }

    @Test func `an offset of either sign names the same instant`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            let time = Timestamp(milliseconds: Int64.random(in: 0...4_000_000_000_000, using: &generator))
            let minutes = Int64.random(in: -1439...1439, using: &generator)
            let digits = Timestamp.pad(abs(minutes) / 60, 2) + ":" + Timestamp.pad(abs(minutes) % 60, 2)
            let local = time.adding(seconds: minutes * 60).rfc3339.dropLast() + (minutes < 0 ? "-" : "+") + digits
            #expect(Timestamp(String(local)) == time, "\(local)")
        }
    }

    @Test func `nanoseconds are rounded down on both sides of 1970`() {
        #expect(Timestamp(nanoseconds: 1_999_999).milliseconds == 1)
        #expect(Timestamp(nanoseconds: -1).milliseconds == -1)
        #expect(Timestamp(nanoseconds: -1_000_000).milliseconds == -1)
        #expect(Timestamp(nanoseconds: 0).milliseconds == 0)
    }

    @Test func `the compact form has no colons`() {
        #expect(Timestamp(milliseconds: 1_795_256_100_999).compact == "20261121T101500Z")
    }

    @Test func `now rises and is near the file system's clock`() {
        let first = Timestamp.now
        let second = Timestamp.now
        #expect(first <= second)
        #expect(first > Timestamp(milliseconds: 1_700_000_000_000))
    }

    /// Central European rules written out, so that no zone database is needed; in a separate process, since TZ is
    /// global.
    @Test func `a date alone is midnight in the caller's zone, in winter and in summer`() async {
        await #expect(processExitsWith: .success) {
            setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1)
            #expect(Timestamp("2026-11-21")?.rfc3339 == "2026-11-20T23:00:00.000Z")
            #expect(Timestamp("2026-07-01")?.rfc3339 == "2026-06-30T22:00:00.000Z")
            // The clocks change on this day, after midnight.
            #expect(Timestamp("2026-03-29")?.rfc3339 == "2026-03-28T23:00:00.000Z")
            #expect(Timestamp("2026-03-30")?.rfc3339 == "2026-03-29T22:00:00.000Z")
            let late = Timestamp(milliseconds: 1_795_302_000_000)
            #expect(late.rfc3339 == "2026-11-21T23:00:00.000Z")
            #expect(late.localDate == CalendarDate(year: 2026, month: 11, day: 22))
            #expect(late.localTime == "00:00")
        }
    }

    @Test func `west of Greenwich the date is the one before`() async {
        await #expect(processExitsWith: .success) {
            setenv("TZ", "PST8", 1)
            #expect(Timestamp("2026-11-21")?.rfc3339 == "2026-11-21T08:00:00.000Z")
            let early = Timestamp(milliseconds: 1_795_302_000_000)
            #expect(early.localDate.description == "2026-11-21")
            #expect(early.localTime == "15:00")
        }
    }
}
