public import Time

/// Dates as other programs write them, told apart by what is plausible.
///
/// The same instant is 1,700,000,000 in seconds, 1,700,000,000,000 in milliseconds, 13,344,473,600,000,000 as WebKit
/// counts (microseconds since 1601) and 721,692,800 as Apple counts (seconds since 2001). Files mix these up; the one that
/// is expected is tried first, then the others, and the first that gives a day between 1995 and tomorrow is taken.
public enum ImportDate {
    /// What a number counts since 1970.
    public enum Unit: CaseIterable, Sendable {
        /// Since 1970.
        case seconds, milliseconds, microseconds
        /// Microseconds since 1601, as Chromium's own file has them.
        case webKit
        /// Seconds since 2001, as Apple's property lists and JSON encoders have them.
        case apple
        case nanoseconds
    }

    /// 1995-01-01: hardly a bookmark is older.
    private static let earliest = 788_918_400.0
    /// From 1970 to 2001.
    private static let appleEpoch = 978_307_200.0
    /// From 1601 to 1970.
    private static let webKitEpoch = 11_644_473_600.0

    /// - Returns: `nil` for zero and for what no unit makes plausible.
    public static func timestamp(_ number: Double, expected: Unit, now: Timestamp = .now) -> Timestamp? {
        guard number.isFinite, number > 0 else { return nil }
        let latest = Double(now.milliseconds) / 1000 + 86_400
        for unit in [expected] + Unit.allCases.filter({ $0 != expected }) {
            let seconds =
                switch unit {
                case .seconds: number
                case .milliseconds: number / 1e3
                case .microseconds: number / 1e6
                case .nanoseconds: number / 1e9
                case .webKit: number / 1e6 - webKitEpoch
                case .apple: number + appleEpoch
                }
            let earliest = unit == .apple ? appleEpoch : earliest
            if seconds >= earliest, seconds <= latest {
                return Timestamp(milliseconds: Int64((seconds * 1000).rounded()))
            }
        }
        return nil
    }

    /// A number in any unit, or a date in one of the spellings of `WrittenDate`.
    ///
    /// - Parameter isDayFirst: how `03/04/2024` is meant; without it such a date is not understood.
    public static func timestamp(
        _ text: String, expected: Unit = .seconds, isDayFirst: Bool? = nil, now: Timestamp = .now
    ) -> Timestamp? {
        let text = trimmed(text)
        // 20240506 is a day unless numbers are expected to be of about that size.
        if expected != .apple || text.utf8.count != 8, let date = WrittenDate(text, isDayFirst: isDayFirst) {
            return date.timestamp
        }
        return number(text, expected).flatMap { timestamp($0, expected: expected, now: now) }
    }

    /// Seconds have nine digits and more since 1973; shorter ones are a year, or a day in some order.
    private static func number(_ text: String, _ expected: Unit) -> Double? {
        guard let number = Double(text), expected == .apple || number >= 1e8 else { return nil }
        return number
    }

    /// When something was published: a calendar date as such, everything else as an instant.
    public static func published(_ text: String, now: Timestamp = .now) -> String? {
        let text = trimmed(text)
        if let date = WrittenDate(text, isDayFirst: nil) {
            return date.hasTime ? date.timestamp?.rfc3339 : date.timestamp.map { String($0.rfc3339.prefix(10)) }
        }
        return number(text, .seconds).flatMap { timestamp($0, expected: .seconds, now: now) }?.rfc3339
    }

    /// What programs write where they have no date.
    public static func isNone(_ text: String) -> Bool {
        let text = trimmed(text)
        return text.isEmpty || text == "0" || text == "null" || text.hasPrefix("0000-00-00")
            || text.utf8.allSatisfy { $0 == 0x30 || $0 == 0x2E }
    }

    private static func trimmed(_ text: String) -> String {
        NetscapeBookmarks.trimmed(String(text.prefix(80)))
    }
}
