import Exchange
import TestSupport
import Testing
import Time

struct ImportDateTests {
    static let now = Timestamp("2026-11-21T10:00:00Z") ?? .now

    /// 2023-11-14T22:13:20Z in every unit, with any expectation.
    static let spellings: [(Double, String)] = [
        (1_700_000_000, "seconds"), (1_700_000_000_000, "milliseconds"), (1_700_000_000_000_000, "microseconds"),
        (13_344_473_600_000_000, "WebKit"), (721_692_800, "Apple"), (1_700_000_000_000_000_000, "nanoseconds"),
    ]

    @Test(arguments: spellings)
    func `the unit is the plausible one`(number: Double, unit: String) {
        for expected in ImportDate.Unit.allCases {
            let time = ImportDate.timestamp(number, expected: expected, now: Self.now)
            #expect(time == Timestamp(milliseconds: 1_700_000_000_000), "\(unit), expected \(expected)")
        }
    }

    @Test(arguments: [0, -1, 5, 1e30, .infinity, .nan, 7_300_000_000] as [Double])
    func `a number without a plausible unit is no date`(number: Double) {
        if number == 5 {
            // Apple's count starts in 2001.
            #expect(
                ImportDate.timestamp(number, expected: .apple, now: Self.now)?.rfc3339 == "2001-01-01T00:00:05.000Z")
        } else {
            #expect(ImportDate.timestamp(number, expected: .seconds, now: Self.now) == nil)
        }
    }

    @Test(arguments: [4_000_000_000, 4_000_000_000_000, 4_000_000_000_000_000, 4_000_000_000_000_000_000] as [Double])
    func `a number that is a date in the future in the expected or another unit is that date`(number: Double) {
        let time = ImportDate.timestamp(number, expected: .seconds, now: Self.now)
        #expect(time?.rfc3339 == "2096-10-02T07:06:40.000Z")
        #expect(ImportDate.timestamp("\(Int(number))", now: Self.now) == time)
    }

    @Test(arguments: [
        "2023-11-14T22:13:20Z", "2023-11-14 22:13:20", "2023-11-14T23:13:20+0100", "2023-11-14T22:13:20.000Z",
        "1700000000", "1700000000000", "2023-11-14 22:13:20 UTC",
        "14/Nov/2023:22:13:20 +0000", "15/Nov/2023:01:13:20 +0300", "Tue, 14 Nov 2023 22:13:20 GMT",
        "Tue, 14 Nov 2023 17:13:20 EST", "Tuesday, 14 November 2023 22:13:20", "November 14, 2023 10:13:20 PM",
        "Tue Nov 14 22:13:20 2023", "14.11.2023 22:13:20", "14/11/2023 22:13:20", "11/14/2023 10:13:20 PM",
        "2023/11/14 22:13:20", "20231114T221320Z", "2023-11-14 22:13:20.000000+00", "1700000000.0",
    ])
    func `usual spellings are read`(text: String) {
        #expect(ImportDate.timestamp(text, now: Self.now) == Timestamp(milliseconds: 1_700_000_000_000))
    }

    @Test(arguments: [
        "", "yesterday", "2023-13-40", "31/31/2023", "03/04/2023", "0", "2023", "42", "November 2023",
        "2023-11-14T25:00:00Z",
        "14 Nov 2023 or so", "14/Nov/2023:22:13:20 +99999", "1/2/3/4", "::", "+", "2023-11-14 12:00 pm am x",
    ])
    func `other spellings are no date`(text: String) {
        #expect(ImportDate.timestamp(text, now: Self.now) == nil)
    }

    @Test func `two numbers that could both be a month are read if the order is known`() {
        #expect(ImportDate.timestamp("03/04/2023", dayOrder: .dayFirst)?.rfc3339 == "2023-04-03T00:00:00.000Z")
        #expect(ImportDate.timestamp("03/04/2023", dayOrder: .monthFirst)?.rfc3339 == "2023-03-04T00:00:00.000Z")
        #expect(ImportDate.timestamp("20240506")?.rfc3339 == "2024-05-06T00:00:00.000Z")
    }

    @Test func `a day stays a day where it says when something was published`() {
        #expect(ImportDate.published("14 Nov 2023") == "2023-11-14")
        #expect(ImportDate.published("2023-11-14T22:13:20+01:00") == "2023-11-14T21:13:20.000Z")
        #expect(ImportDate.published("2023") == nil)
        #expect(ImportDate.published("1700000000") == "2023-11-14T22:13:20.000Z")
    }

    @Test func `a thousand bytes of anything are read to an end`() {
        var random = SeededGenerator.forFuzzing
        let pieces = ["1", "99", "2023", ":", "-", "+", "/", "T", "Z", "nov", "pm", ".", " ", "x", "20231114"]
        for _ in 0..<FuzzSetting.cases(2000) {
            let text = (0..<Int.random(in: 0...14, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            if let time = ImportDate.timestamp(text) { #expect(Timestamp(time.rfc3339) == time) }
        }
    }
}
