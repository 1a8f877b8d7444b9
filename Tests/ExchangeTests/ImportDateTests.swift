import Exchange
import Testing
import Time

struct ImportDateTests {
    static let now = Timestamp("2026-11-21T10:00:00Z") ?? .now

    /// 2023-11-14T22:13:20Z in every unit, whatever was expected.
    static let spellings: [(Double, String)] = [
        (1_700_000_000, "seconds"), (1_700_000_000_000, "milliseconds"), (1_700_000_000_000_000, "microseconds"),
        (13_344_473_600_000_000, "WebKit"), (721_692_800, "Apple"), (1_700_000_000_000_000_000, "nanoseconds"),
    ]

    @Test(arguments: spellings)
    func `a unit is known by what is plausible`(number: Double, unit: String) {
        for expected in ImportDate.Unit.allCases {
            let time = ImportDate.timestamp(number, expected: expected, now: Self.now)
            #expect(time == Timestamp(milliseconds: 1_700_000_000_000), "\(unit), expected \(expected)")
        }
    }

    @Test(arguments: [0, -1, 5, 1e30, .infinity, .nan, 4_000_000_000] as [Double])
    func `what no unit makes plausible is no date`(number: Double) {
        if number == 5 {
            // Apple's count begins in 2001.
            #expect(
                ImportDate.timestamp(number, expected: .apple, now: Self.now)?.rfc3339 == "2001-01-01T00:00:05.000Z")
        } else {
            #expect(ImportDate.timestamp(number, expected: .seconds, now: Self.now) == nil)
        }
    }

    @Test(arguments: [
        "2023-11-14T22:13:20Z", "2023-11-14 22:13:20", "2023-11-14T23:13:20+0100", "2023-11-14T22:13:20.000Z",
        "1700000000", "1700000000000", "2023-11-14 22:13:20 UTC",
    ])
    func `usual spellings are read`(text: String) {
        #expect(ImportDate.timestamp(text, now: Self.now) == Timestamp(milliseconds: 1_700_000_000_000))
    }

    @Test(arguments: ["", "yesterday", "2023-13-40", "14/11/2023", "0"])
    func `other spellings are no date`(text: String) {
        #expect(ImportDate.timestamp(text, now: Self.now) == nil)
    }
}
