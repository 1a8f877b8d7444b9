internal import Glibc

/// An instant in milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970 UTC.
    public var milliseconds: Int64

    /// - Parameter milliseconds: since 1970 UTC.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// - Parameter nanoseconds: since 1970 UTC, as in stat(2); rounded down.
    package init(nanoseconds: Int64) { milliseconds = Self.floor(nanoseconds, 1_000_000) }

    /// Whether instant `a` is earlier.
    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

    /// The current time.
    public static var now: Timestamp {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Timestamp(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000)
    }

    /// The instant this number of seconds later.
    public func adding(seconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds + seconds * 1000) }

    // MARK: Reading

    /// Reads an RFC 3339 date-time with any offset, or a date alone, which is midnight in the caller's time zone.
    ///
    /// Years 0000–9999. A second of 60 is read as the first of the next minute. Digits of the fraction beyond
    /// milliseconds are dropped. A space may replace the `T`.
    public init?(_ text: String) {
        var reader = Reader(bytes: Array(text.utf8))
        guard let date = reader.date() else { return nil }
        if reader.isAtEnd {
            self = date.localMidnight
            return
        }
        guard reader.skip("T") || reader.skip("t") || reader.skip(" "), let time = reader.time(),
            let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        let minutes = Int64(date.dayNumber) * 1440 + Int64(time.hour * 60 + time.minute - offset)
        milliseconds = (minutes * 60 + Int64(time.second)) * 1000 + Int64(time.millisecond)
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { index == bytes.count }

        mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
            guard index < bytes.count, bytes[index] == UInt8(ascii: scalar) else { return false }
            index += 1
            return true
        }

        mutating func number(_ count: Int, _ range: ClosedRange<Int>) -> Int? {
            guard index + count <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[index..<index + count] {
                guard byte >= 0x30, byte <= 0x39 else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            index += count
            return range.contains(value) ? value : nil
        }

        mutating func date() -> CalendarDate? {
            guard let year = number(4, 0...9999), skip("-"), let month = number(2, 1...12), skip("-"),
                let day = number(2, 1...CalendarDate.dayCount(year: year, month: month))
            else { return nil }
            return CalendarDate(year: year, month: month, day: day)
        }

        mutating func time() -> (hour: Int, minute: Int, second: Int, millisecond: Int)? {
            guard let hour = number(2, 0...23), skip(":"), let minute = number(2, 0...59), skip(":"),
                let second = number(2, 0...60)
            else { return nil }
            var millisecond = 0
            if skip(".") {
                let start = index
                var scale = 100
                while index < bytes.count, bytes[index] >= 0x30, bytes[index] <= 0x39 {
                    millisecond += Int(bytes[index] - 0x30) * scale
                    scale /= 10
                    index += 1
                }
                if index == start { return nil }
            }
            return (hour, minute, second, millisecond)
        }

        /// Minutes east of Greenwich.
        mutating func offset() -> Int? {
            if skip("Z") || skip("z") { return 0 }
            let sign = skip("+") ? 1 : skip("-") ? -1 : 0
            guard sign != 0, let hour = number(2, 0...23), skip(":"), let minute = number(2, 0...59) else { return nil }
            return sign * (hour * 60 + minute)
        }
    }

    // MARK: Writing

    /// `2026-11-21T10:15:00.123Z`: UTC, always with milliseconds; years are limited to 0000–9999.
    public var rfc3339: String {
        let rest = Self.remainder(milliseconds, 86_400_000)
        let date = CalendarDate(dayNumber: Int(Self.floor(milliseconds, 86_400_000)))
        let fields: [(value: Int64, width: Int, end: UInt8)] = [
            (Int64(max(0, min(9999, date.year))), 4, UInt8(ascii: "-")), (Int64(date.month), 2, UInt8(ascii: "-")),
            (Int64(date.day), 2, UInt8(ascii: "T")), (rest / 3_600_000, 2, UInt8(ascii: ":")),
            (rest / 60_000 % 60, 2, UInt8(ascii: ":")), (rest / 1000 % 60, 2, UInt8(ascii: ".")),
            (rest % 1000, 3, UInt8(ascii: "Z")),
        ]
        return String(unsafeUninitializedCapacity: 24) { buffer in
            var place = 0
            for field in fields {
                var value = field.value
                for index in stride(from: place + field.width - 1, through: place, by: -1) {
                    buffer[index] = 0x30 + UInt8(value % 10)
                    value /= 10
                }
                place += field.width
                buffer[place] = field.end
                place += 1
            }
            return place
        }
    }

    /// `20261121T101500Z`: for file names, without colons and to the second.
    package var compact: String {
        String(rfc3339.prefix(19).filter { $0 != "-" && $0 != ":" }) + "Z"
    }

    /// The calendar date in the caller's time zone.
    public var localDate: CalendarDate {
        let parts = localParts
        return CalendarDate(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
    }

    /// Hours and minutes in the caller's time zone, `HH:MM`.
    public var localTime: String {
        let parts = localParts
        return Self.pad(Int64(parts.tm_hour), 2) + ":" + Self.pad(Int64(parts.tm_min), 2)
    }

    private var localParts: tm {
        var seconds = time_t(Self.floor(milliseconds, 1000))
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }

    static func floor(_ value: Int64, _ divisor: Int64) -> Int64 { (value - remainder(value, divisor)) / divisor }

    static func remainder(_ value: Int64, _ divisor: Int64) -> Int64 {
        let rest = value % divisor
        return rest < 0 ? rest + divisor : rest
    }

    static func pad(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
