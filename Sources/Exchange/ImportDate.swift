package import Time

/// Dates as other programs write them, told apart by what is plausible.
///
/// The same instant is 1,700,000,000 in seconds, 1,700,000,000,000 in milliseconds, 13,344,473,600,000,000 as WebKit
/// counts (microseconds since 1601) and 721,692,800 as Apple counts (seconds since 2001). Files mix these up; the one that
/// is expected is tried first, then the others, and the first that gives a day between 1995 and tomorrow is taken.
package enum ImportDate {
    package enum Unit: CaseIterable, Sendable {
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
    package static func timestamp(_ number: Double, expected: Unit, now: Timestamp = .now) -> Timestamp? {
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

    /// A number in any unit, or a date in a usual spelling: RFC 3339, also without its offset (UTC then) or its time.
    package static func timestamp(_ text: String, expected: Unit = .seconds, now: Timestamp = .now) -> Timestamp? {
        let text = String(text.drop(while: \.isWhitespace).prefix(64))
        if text.isEmpty { return nil }
        if let number = Double(text) { return timestamp(number, expected: expected, now: now) }
        if text.utf8.count == 10 { return Timestamp(text + "T00:00:00Z") }
        if let time = Timestamp(text) ?? Timestamp(text + "Z") { return time }
        let bytes = Array(text.utf8)
        // 2024-05-06 07:08:09 UTC, 2024-05-06T07:08:09+0200, 2024-05-06T07:08.
        if bytes.count >= 5, bytes[bytes.count - 5] == UInt8(ascii: "+") || bytes[bytes.count - 5] == UInt8(ascii: "-")
        {
            let (start, end) = (bytes.dropLast(2), bytes.suffix(2))
            if let time = Timestamp(String(decoding: start + [UInt8(ascii: ":")] + end, as: UTF8.self)) { return time }
        }
        if text.hasSuffix(" UTC") { return Timestamp(text.dropLast(4) + "Z") }
        return bytes.count == 16 ? Timestamp(text + ":00Z") : nil
    }
}
