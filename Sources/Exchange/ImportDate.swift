package import Time

/// Reads dates as other programs write them, by plausibility.
///
/// The same instant is 1,700,000,000 in seconds, 1,700,000,000,000 in milliseconds, 13,344,473,600,000,000 for WebKit
/// (microseconds since 1601) and 721,692,800 for Apple (seconds since 2001). Files mix these up. The expected unit is
/// tried first, then the others; the first that gives a day between 1995 and tomorrow is used. If none does, the first
/// that gives a later day before 2200: a date in the future is a date, and its reader tells it.
package enum ImportDate: Sendable {
    /// The unit and epoch of a number.
    package enum Unit: CaseIterable, Sendable {
        /// Since 1970.
        case seconds, milliseconds, microseconds
        /// Microseconds since 1601, as in Chromium's own file.
        case webKit
        /// Seconds since 2001, as in Apple's property lists and JSON encoders.
        case apple
        case nanoseconds
    }

    /// The meaning of `03/04/2024`.
    package enum DayOrder: Sendable {
        case dayFirst, monthFirst
    }

    /// 1995-01-01: hardly any bookmark is older.
    private static let earliest = 788_918_400.0
    /// 2200-01-01: no program writes a later day on purpose.
    private static let end = 7_258_118_400.0
    /// Seconds from 1970 to 2001.
    private static let appleEpoch = 978_307_200.0
    /// Seconds from 1601 to 1970.
    private static let webKitEpoch = 11_644_473_600.0

    /// - Returns: `nil` for zero, and if no unit gives a plausible date.
    package static func timestamp(_ number: Double, expected: Unit, now: Timestamp = .now) -> Timestamp? {
        guard number.isFinite, number > 0 else { return nil }
        let latest = Double(now.milliseconds) / 1000 + 86_400
        var future: Double?
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
            if seconds > latest, seconds < end { future = future ?? seconds }
        }
        return future.map { Timestamp(milliseconds: Int64(($0 * 1000).rounded())) }
    }

    /// A number in any unit, or a date in one of the spellings of `WrittenDate`.
    ///
    /// - Parameter dayOrder: the meaning of `03/04/2024`; `nil` does not accept such a date.
    package static func timestamp(
        _ text: String, expected: Unit = .seconds, dayOrder: DayOrder? = nil, now: Timestamp = .now
    ) -> Timestamp? {
        let text = trimmed(text)
        // 20240506 is a day, unless numbers of about that size are expected.
        if expected != .apple || text.utf8.count != 8, let date = WrittenDate(text, dayOrder: dayOrder) {
            return date.timestamp
        }
        return number(text, expected).flatMap { timestamp($0, expected: expected, now: now) }
    }

    /// Since 1973, seconds have at least nine digits; shorter numbers are a year, or a day in some order.
    private static func number(_ text: String, _ expected: Unit) -> Double? {
        guard let number = Double(text), expected == .apple || number >= 1e8 else { return nil }
        return number
    }

    /// A date of publication: a calendar date unchanged, anything else as an instant.
    package static func published(_ text: String, now: Timestamp = .now) -> String? {
        let text = trimmed(text)
        if let date = WrittenDate(text, dayOrder: nil) {
            return date.hasTime ? date.timestamp?.rfc3339 : date.timestamp.map { String($0.rfc3339.prefix(10)) }
        }
        return number(text, .seconds).flatMap { timestamp($0, expected: .seconds, now: now) }?.rfc3339
    }

    /// Whether the text is one that programs write for a missing date.
    package static func isNone(_ text: String) -> Bool {
        let text = trimmed(text)
        return text.isEmpty || text == "0" || text == "null" || text.hasPrefix("0000-00-00")
            || text.utf8.allSatisfy { $0 == 0x30 || $0 == 0x2E }
    }

    private static func trimmed(_ text: String) -> String {
        ImportText.trimmed(ImportedEntry.cut(text, 200))
    }
}
