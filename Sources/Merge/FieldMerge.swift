internal import Files
import Items
import JSONFormat

/// The three-way merge of the members of an item.json or of a small file: Documentation/Merge.md § 3.
struct FieldMerge {
    let base: Members, a: Members, b: Members
    /// Whether the value of `a` stands where both sides changed one.
    let aWins: Bool
    /// Whether a side changed the text or a file.
    let hasOtherEdit: (a: Bool, b: Bool)
    /// What each side's versions did, if histories crossed.
    let edits: Edits<Members>
    var conflicts: [Conflict] = []
    /// Which side each unit is of.
    var units: [Unit: Unit.Choice] = [:]

    /// The later side wins, and nobody asks for the other value.
    private static let quiet: Set<String> = [
        "sortOrder", "favicon", "archiveAttempts", "stateSHA256", "stateUpdatedAt",
    ]
    /// Fields with rules of their own, beside those of the units.
    private static let special = ["id", "createdAt", "tags", "annotations", "trashedAt", "deletedAt", "updatedAt"]
    private static let ruled = Set((special + Unit.allCases.flatMap(\.keys)).map { Array($0.utf8) })

    /// Whether a field has no rule of its own.
    static func isPlain(_ key: [UInt8]) -> Bool { !ruled.contains(key) }

    init(
        base: [JSON.Member], a: [JSON.Member], b: [JSON.Member], aWins: Bool,
        hasOtherEdit: (a: Bool, b: Bool) = (false, false), edits: Edits<Members> = Edits(a: [], b: [])
    ) {
        self.base = Members(base)
        self.a = Members(a)
        self.b = Members(b)
        self.aWins = aWins
        self.hasOtherEdit = hasOtherEdit
        self.edits = edits
    }

    /// The winner and the loser.
    var sides: (first: Members, second: Members) { aWins ? (a, b) : (b, a) }

    /// The merged members: in the winner's order, then those that the other side alone has, in its order.
    mutating func run() -> [JSON.Member] {
        let (first, second) = sides
        var merged: [[UInt8]: JSON] = [:]
        func put(_ key: String, _ value: JSON?) { merged[Array(key.utf8)] = value }
        put("id", first["id"] ?? second["id"])
        put("createdAt", earliest("createdAt"))
        put("tags", tags())
        put("annotations", annotations())
        put("trashedAt", trashedAt)
        for unit in Unit.allCases {
            for (key, value) in zip(unit.keys, choose(unit)) { put(key, value) }
        }
        put("updatedAt", time)
        for key in Members.keys(first, second, base) where Self.isPlain(key) {
            merged[key] = value(String(decoding: key, as: UTF8.self), base[key], a[key], b[key]) { $0[key] }
        }
        settleDeletion(&merged)
        let order = Members.keys(first, second, Members([JSON.Member("updatedAt", .null)]))
        return order.compactMap { key in merged[key].map { JSON.Member(String(decoding: key, as: UTF8.self), $0) } }
    }

    /// Who changed it, wins. Both: the winner's value, and the other is a conflict.
    ///
    /// - Parameter place: where the value is in the members of any version.
    mutating func pick(
        _ field: String, _ base: JSON?, _ a: JSON?, _ b: JSON?, at place: (Members) -> JSON?
    ) -> JSON? {
        switch edits.stale(a, b, place) {
        case .a: b
        case .b: a
        case nil:
            !Self.quiet.contains(field) && edits.isHeld(base, a, b, place)
                ? clash(field, base, a, b) : pick(field, base, a, b)
        }
    }

    /// The same, where no value is stale or held.
    mutating func pick(_ field: String, _ base: JSON?, _ a: JSON?, _ b: JSON?) -> JSON? {
        if JSON.areSame(a, b) || JSON.areSame(b, base) { return a }
        if JSON.areSame(a, base) { return b }
        return clash(field, base, a, b)
    }

    /// The winner's value; the other is a conflict.
    mutating func clash(_ field: String, _ base: JSON?, _ a: JSON?, _ b: JSON?) -> JSON? {
        let (winner, loser) = aWins ? (a, b) : (b, a)
        if !Self.quiet.contains(field) {
            conflicts.append(Conflict(field: field, base: base, winner: winner, loser: loser))
        }
        return winner
    }

    /// A field without a rule of its own: objects member by member, anything else whole.
    private mutating func value(
        _ field: String, _ base: JSON?, _ a: JSON?, _ b: JSON?, at place: (Members) -> JSON?
    ) -> JSON? {
        switch (a, b) {
        case (.object, .object):
            let old = Members(base), one = Members(a), two = Members(b)
            var merged: [JSON.Member] = []
            for key in aWins ? Members.keys(one, two, old) : Members.keys(two, one, old) {
                let name = String(decoding: key, as: UTF8.self)
                let value = value(field + "." + name, old[key], one[key], two[key]) { Members(place($0))[key] }
                if let value { merged.append(JSON.Member(name, value)) }
            }
            return .object(merged)
        case (nil, .object), (.object, nil):
            // One side removed the object, the other changed it: the change wins, as for paragraphs.
            if base != nil, !JSON.areSame(a, base), !JSON.areSame(b, base), edits.stale(a, b, place) == nil {
                return a ?? b
            }
            return pick(field, base, a, b, at: place)
        default: return pick(field, base, a, b, at: place)
        }
    }

    // MARK: Times

    /// Later than both, and hardly ever the time of another merge: arrived bytes are known by their time.
    private var time: JSON {
        let both = [a, b].map { JSONWriter.file(.object($0.list)) }.sorted { $0.lexicographicallyPrecedes($1) }
        let latest = max(a["updatedAt"]?.instant ?? 0, b["updatedAt"]?.instant ?? 0)
        let extra = UInt64(SHA256.hex(both[0] + both[1]).prefix(8), radix: 16) ?? 0
        return .time(latest + 1 + Int64(extra % 997))
    }

    /// The side's value with the earliest instant; the same instant: the smaller bytes.
    private mutating func earliest(_ key: String) -> JSON? { extreme(key, a[key], b[key]) { $0 < $1 } }

    /// The value whose instant is first by `order`. A value that is no time loses against one, and two such are a
    /// conflict.
    mutating func extreme(_ key: String, _ a: JSON?, _ b: JSON?, _ order: (Int64, Int64) -> Bool) -> JSON? {
        switch (a?.instant, b?.instant) {
        case (let one?, let two?) where one != two: order(one, two) ? a : b
        case (_?, _?):
            [a, b].compactMap { $0 }.min { JSONWriter.file($0).lexicographicallyPrecedes(JSONWriter.file($1)) }
        case (_?, nil): a
        case (nil, _?): b
        case (nil, nil): pick(key, base[key], a, b) { $0[key] }
        }
    }
}
