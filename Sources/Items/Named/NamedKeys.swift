internal import JSONFormat
internal import Time

/// The keys of a small file with their values, and when each was set or removed: FORMAT.md § 9.2.
///
/// Two of them join key by key: the later value stands. The join does not depend on which is first, and joining again changes nothing.
struct NamedKeys: Equatable {
    /// A key that has a value, or had one.
    struct Key: Equatable {
        /// `nil` if it was removed.
        let value: JSON?
        /// In milliseconds since 1970.
        let at: Int64
        /// The values that it replaced.
        var former: [KeyTime.Mark] = []
        /// Whether the time is that of the file: `changedAt` says nothing of the key.
        var isOfFile = false

        var time: KeyTime { KeyTime(KeyTime.Mark(at: at, hash: KeyTime.hash(value)), former: former) }

        static func == (a: Key, b: Key) -> Bool { a.value == b.value && a.at == b.at && a.former == b.former }
    }

    /// By the bytes of the key.
    private(set) var keys: [[UInt8]: Key] = [:]
    /// The value of `updatedAt`, which has no time of its own.
    private(set) var updatedAt: JSON?

    /// The key with the times.
    static let timesKey = "changedAt"
    private static let updatedKey = "updatedAt"

    /// - Parameter modified: when the file was modified, in milliseconds: the time of each key that `changedAt` does not explain.
    init(_ members: [JSON.Member], modified: Int64) {
        let times = Self.times(members)
        for member in members where !Self.isTimes(member.key) {
            let key = Array(member.key.utf8)
            if key.elementsEqual(Self.updatedKey.utf8) {
                updatedAt = updatedAt ?? member.value
            } else if keys[key] == nil {
                keys[key] = Self.key(member.value, times[key], modified)
            }
        }
        for (key, time) in times where keys[key] == nil { keys[key] = Self.key(nil, time, modified) }
    }

    /// A key as a program set it, or as an editor changed it since.
    private static func key(_ value: JSON?, _ time: KeyTime?, _ modified: Int64) -> Key {
        guard let time else { return Key(value: value, at: modified, isOfFile: true) }
        if time.fits(value) { return Key(value: value, at: time.mark.at, former: time.former) }
        return Key(value: value, at: max(modified, time.mark.at + 1), after: time)
    }

    static func isTimes(_ key: String) -> Bool { key.utf8.elementsEqual(timesKey.utf8) }

    /// Whether a key has a time of its own.
    static func isTimed(_ key: String) -> Bool { !isTimes(key) && !key.utf8.elementsEqual(updatedKey.utf8) }

    /// What `changedAt` says, by the bytes of the key. Entries of another form say nothing.
    static func times(_ members: [JSON.Member]) -> [[UInt8]: KeyTime] {
        guard case .object(let list)? = members.first(where: { isTimes($0.key) })?.value else { return [:] }
        var times: [[UInt8]: KeyTime] = [:]
        for member in list where isTimed(member.key) {
            guard case .string(let text) = member.value, let time = KeyTime(text) else { continue }
            times[Array(member.key.utf8)] = time
        }
        return times
    }

    /// The value of a key; `nil` without one.
    func value(_ key: String) -> JSON? { keys[Array(key.utf8)]?.value }

    /// Whether the key has a value, or was removed.
    func knows(_ key: String) -> Bool { keys[Array(key.utf8)] != nil }

    /// Keys that have another value than in an earlier state, or a value only here or only there.
    func differing(from other: NamedKeys) -> [String] {
        Set(keys.keys).union(other.keys.keys).filter { keys[$0]?.value != other.keys[$0]?.value }
            .sorted(by: Self.precedes).map { String(decoding: $0, as: UTF8.self) }
    }

    func hasValues(of other: NamedKeys) -> Bool {
        updatedAt == other.updatedAt && keys.compactMapValues(\.value) == other.keys.compactMapValues(\.value)
    }

    // MARK: Changing

    /// Sets a key, or removes it with no value.
    mutating func set(_ key: String, _ value: JSON?, at time: Timestamp) {
        let bytes = Array(key.utf8)
        let old = keys[bytes]
        // Never before what it replaces: the clock of another device may be ahead.
        keys[bytes] =
            old.map { Key(value: value, at: max(time.milliseconds, $0.at + 1), after: $0.time) }
            ?? Key(value: value, at: time.milliseconds)
    }

    /// The keys of a file that an editor saved over an earlier state: those that `changedAt` says nothing of follow what they were then.
    ///
    /// - Parameter time: when it was saved, in milliseconds.
    func following(_ earlier: NamedKeys, at time: Int64) -> NamedKeys {
        var following = self
        for (key, old) in earlier.keys where keys[key]?.isOfFile ?? true {
            let value = keys[key]?.value
            following.keys[key] =
                old.value == value ? old : Key(value: value, at: max(time, old.at + 1), after: old.time)
        }
        return following
    }

    /// Takes the value of a key and its times from another state.
    mutating func take(_ key: [UInt8], from other: NamedKeys) { keys[key] = other.keys[key] }

    // MARK: Joining

    func joined(with other: NamedKeys) -> NamedKeys {
        var joined = explained(by: other)
        let other = other.explained(by: self)
        joined.keys.merge(other.keys) { Self.joined($0, $1) }
        joined.updatedAt = Self.later(updatedAt, other.updatedAt)
        return joined
    }

    /// Keys of which one of the two joined states has a value that is not here, and that the value here did not replace as far as the
    /// times tell.
    func lost(from one: NamedKeys, _ two: NamedKeys) -> [[UInt8]] {
        keys.filter { key, now in
            [one.keys[key], two.keys[key]].contains { old in
                guard let old, old.value != nil else { return false }
                return old.value != now.value && !now.former.contains(old.time.mark)
            }
        }.keys.sorted(by: Self.precedes)
    }

    /// The keys of a file without times, where another state says when they were set: those that have a value which it replaced. An
    /// editor that changes another key gives the whole file a new time.
    func explained(by other: NamedKeys) -> NamedKeys {
        var explained = self
        for (key, own) in keys where own.isOfFile {
            guard let theirs = other.keys[key], let mark = theirs.former.first(where: { $0.hash == own.time.mark.hash })
            else { continue }
            explained.keys[key] = Key(value: own.value, at: min(mark.at, own.at))
        }
        return explained
    }

    private static func joined(_ a: Key, _ b: Key) -> Key {
        let (later, earlier) = isLater(b, a) ? (b, a) : (a, b)
        let time = KeyTime(later.time.mark, former: later.former + earlier.former)
        return Key(value: later.value, at: later.at, former: time.former)
    }

    /// At one time, a value counts as later than a removal, and of two values that with the larger hash.
    private static func isLater(_ a: Key, _ b: Key) -> Bool {
        if a.at != b.at { return a.at > b.at }
        guard let one = a.value, let two = b.value else { return a.value != nil }
        return one != two && KeyTime.fullHash(two) < KeyTime.fullHash(one)
    }

    private static func later(_ a: JSON?, _ b: JSON?) -> JSON? {
        guard let a, let b else { return a ?? b }
        let times = (time(a), time(b))
        if times.0 != times.1 { return times.0 > times.1 ? a : b }
        return KeyTime.fullHash(a) < KeyTime.fullHash(b) ? b : a
    }

    private static func time(_ value: JSON) -> Int64 {
        guard case .string(let text) = value else { return .min }
        return Timestamp(text)?.milliseconds ?? .min
    }

    // MARK: Writing

    /// The members of a file: the keys of FORMAT.md § 9 in their order, the others by their bytes, and `changedAt`.
    var members: [JSON.Member] {
        var values = keys.compactMapValues(\.value)
        values[Array(Self.updatedKey.utf8)] = updatedAt
        return values.sorted { Self.precedes($0.key, $1.key) }.map {
            JSON.Member(String(decoding: $0.key, as: UTF8.self), $0.value)
        } + [JSON.Member(Self.timesKey, times)]
    }

    /// The value of `changedAt`.
    var times: JSON {
        Self.object(keys.mapValues(\.time))
    }

    /// The value of `changedAt` in a new file; `nil` for one that has only a name, which is the same on every device.
    static func times(ofNew members: [(String, JSON?)]) -> JSON? {
        var keys = NamedKeys([], modified: 0)
        let now = Timestamp.now
        for case (let key, let value?) in members { keys.set(key, value, at: now) }
        return keys.keys.count > 1 ? keys.times : nil
    }

    static func object(_ times: [[UInt8]: KeyTime]) -> JSON {
        .object(
            times.sorted { precedes($0.key, $1.key) }.map { key, time in
                JSON.Member(String(decoding: key, as: UTF8.self), .string(time.text))
            })
    }

    private static func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        let ranks = [a, b].map { NamedFile.rank(String(decoding: $0, as: UTF8.self)) ?? .max }
        return ranks[0] != ranks[1] ? ranks[0] < ranks[1] : a.lexicographicallyPrecedes(b)
    }
}

extension NamedKeys.Key {
    /// A value in the place of another one.
    fileprivate init(value: JSON?, at: Int64, after old: KeyTime) {
        let mark = KeyTime.Mark(at: at, hash: KeyTime.hash(value))
        self.init(value: value, at: at, former: KeyTime(mark, former: [old.mark] + old.former).former)
    }
}
