import Characters
package import Time

/// The field Retry-After: RFC 9110, 10.2.3.
package enum RetryAfter {
    /// The time to wait from `now` on; a moment in the past is no wait, more than a day is a day.
    package static func wait(_ field: String, now: Timestamp) -> Duration? {
        let text = field.utf8.drop { $0 == 0x20 || $0 == 0x09 }.prefix { $0 != 0x20 && $0 != 0x09 }
        let day: Int64 = 86_400_000
        if !text.isEmpty, text.allSatisfy(\.isDigit) {
            let seconds = text.count > 9 ? day : text.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
            return .milliseconds(min(day, seconds * 1000))
        }
        guard let moment = HTTPDate.read(field) else { return nil }
        return .milliseconds(max(0, min(day, moment.milliseconds - now.milliseconds)))
    }
}
