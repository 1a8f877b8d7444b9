internal import Time

/// What was known of an item's files when they were last read to their ends.
struct VerifiedRecord: Equatable {
    /// How files looked (names, sizes, times) and what they held, shortened to 32 and 24 bits. All zero if unknown.
    struct Mark: Equatable {
        var look: UInt32 = 0
        var content: UInt32 = 0

        static let contentBits: UInt32 = 24
        var isKnown: Bool { look != 0 || content != 0 }
    }

    /// The item (`VerifiedTable.key`), 63 bits.
    let key: UInt64
    /// Whether a file was edited since its hash was recorded, which is no fault.
    var hasEdits = false
    /// The day of the reading; see `VerifiedDay`.
    var day: UInt16
    /// Whether something was wrong.
    var hasFault = false
    /// item.json and text.md, which people edit.
    var edited = Mark()
    /// All other files.
    var saved = Mark()
}

/// Days since 2020-01-01 UTC, from 0 to 32,767.
enum VerifiedDay {
    static let limit = 0x7FFF
    /// 2020-01-01 in days since 1970.
    private static let first: Int64 = 18_262
    private static let milliseconds: Int64 = 86_400_000

    static func day(of time: Timestamp) -> UInt16 {
        let days = Int64((Double(time.milliseconds) / Double(milliseconds)).rounded(.down)) - first
        return UInt16(max(0, min(Int64(limit), days)))
    }

    /// The first moment of a day.
    static func start(of day: Int) -> Timestamp { Timestamp(milliseconds: (Int64(day) + first) * milliseconds) }
}
