internal import Characters
internal import Files
internal import Items

/// What a file of the person's own was before, as the marks of its changes. They tell which of two files comes from the other:
/// Documentation/Exchange.md § 7.
struct OwnFilePast: Hashable, Sendable {
    /// Names a change of a file, or a file of which no change is known.
    struct Mark: Hashable, Comparable, Sendable {
        private let value: UInt64

        /// - Parameter hex: 16 digits.
        init?(hex: String) {
            guard hex.utf8.count == 16, let value = UInt64(hex, radix: 16) else { return nil }
            self.value = value
        }

        init(_ hash: Items.ContentHash) { value = UInt64(hash.hex.prefix(16), radix: 16) ?? 0 }

        var hex: String { Hexadecimal.padded(value) }
        static func < (one: Mark, two: Mark) -> Bool { one.value < two.value }
    }

    /// The hash of the file; `nil` without one.
    let now: Items.ContentHash?
    /// The marks of its changes, the oldest first. The last one is that of `now`; none where a file never was.
    let marks: [Mark]
    /// So many marks count, the latest.
    static let limit = 128
    static let never = OwnFilePast(now: nil, marks: [])

    init(now: Items.ContentHash?, marks: [Mark]) {
        self.now = now
        self.marks = marks.suffix(Self.limit)
    }

    /// A file of which no change is known.
    init(_ hash: Items.ContentHash) { self.init(now: hash, marks: [Mark(hash)]) }

    /// Whether no change is known.
    var isUnchanged: Bool { marks == [now].compactMap { $0.map(Mark.init) } }

    /// What a file becomes that has other bytes now, or is gone, or is there again.
    ///
    /// The mark is made of all that the file was: two devices that make the same change of the same file, with one time, make the same
    /// mark, and no later change makes it again.
    ///
    /// - Parameters:
    ///   - now: the hash of the file; `nil` if it was removed.
    ///   - modified: nanoseconds since 1970.
    func changed(to now: Items.ContentHash?, modified: Int64) -> OwnFilePast {
        let lines = marks.map(\.hex) + (now.map { [$0.hex, String(modified)] } ?? ["", ""])
        let hash = Items.ContentHash(of: Array(lines.map { $0 + "\n" }.joined().utf8))
        return OwnFilePast(now: now, marks: marks + [Mark(hash)])
    }

    // MARK: Two devices

    /// How this file is to that of another device.
    enum Order: Equatable {
        case same
        /// The other one was made of this one.
        case earlier
        /// This one was made of the other one.
        case later
        /// Neither saw all of the other one.
        case apart
    }

    func order(to other: Self) -> Order {
        if now == other.now { return .same }
        let (isEarlier, isLater) = (isWithin(other), other.isWithin(self))
        if isEarlier == isLater { return .apart }
        return isEarlier ? .earlier : .later
    }

    /// Whether the other file comes from this one with all of its changes. The other one may have forgotten the oldest.
    func isWithin(_ other: Self) -> Bool {
        if marks.isEmpty { return true }
        let known = Set(other.marks)
        let rest = other.marks.count < Self.limit ? marks[...] : marks.drop { !known.contains($0) }
        return !rest.isEmpty && rest.allSatisfy(known.contains)
    }

    /// Joins the pasts of two files of which this one stands: it comes from both.
    func standing(over other: Self) -> OwnFilePast {
        var all: [Mark] = []
        for mark in other.marks + marks where mark != marks.last && !all.contains(mark) { all.append(mark) }
        return OwnFilePast(now: now, marks: all + marks.suffix(1))
    }

    /// Joins the pasts of two files with the same bytes.
    func joined(with same: Self) -> OwnFilePast {
        if isWithin(same) { return same }
        if same.isWithin(self) { return self }
        guard let mark = marks.last, let theirs = same.marks.last else { return self }
        return theirs < mark ? standing(over: same) : same.standing(over: self)
    }
}
