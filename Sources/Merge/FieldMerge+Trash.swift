import Items
import JSONFormat

extension FieldMerge {
    /// Whether the merged item is in the trash. Either mark puts it there. Restoring wins over trashing.
    var isTrashed: Bool {
        let old = Self.isTrashed(base), one = Self.isTrashed(a), two = Self.isTrashed(b)
        switch edits.stale(one, two, ==, decides: false, Self.isTrashed) {
        case .a: return two
        case .b: return one
        case nil: return one == two ? one : two == old ? one : two
        }
    }

    /// The later of both sides' times. If one side trashed the item and the other edited it, the days begin again.
    var trashedAt: JSON? {
        guard isTrashed else { return nil }
        let one = Self.isTrashed(a), two = Self.isTrashed(b)
        guard let latest = later(a.given("trashedAt"), b.given("trashedAt")) else { return nil }
        if one == two { return latest }
        let isEdited = one ? hasOtherEdit.b || Self.isEdited(base, b) : hasOtherEdit.a || Self.isEdited(base, a)
        if !isEdited { return latest }
        return .time(max(a["updatedAt"]?.instant ?? 0, b["updatedAt"]?.instant ?? 0) + 1)
    }

    /// A small file that one side deleted and the other changed comes back whole.
    func settleDeletion(_ merged: inout [[UInt8]: JSON]) {
        let one = a.given("deletedAt") != nil, two = b.given("deletedAt") != nil, old = base.given("deletedAt") != nil
        if !one, !two { return }
        let key = Array("deletedAt".utf8)
        if one != two {
            let other = one ? b : a
            if old || Self.isEdited(base, other) {
                let updated = Array("updatedAt".utf8)
                for name in Array(merged.keys) where name != updated && other[name] == nil { merged[name] = nil }
                for member in other.list where !member.key.utf8.elementsEqual(updated) {
                    merged[Array(member.key.utf8)] = member.value
                }
                return
            }
        }
        merged[key] = later(a.given("deletedAt"), b.given("deletedAt"))
    }

    /// The value with the later instant; of equal ones, or of two that are no times, the larger bytes.
    private func later(_ one: JSON?, _ two: JSON?) -> JSON? {
        guard let one, let two else { return one ?? two }
        let times = (one.instant ?? .min, two.instant ?? .min)
        if times.0 != times.1 { return times.0 > times.1 ? one : two }
        return JSONWriter.file(one).lexicographicallyPrecedes(JSONWriter.file(two)) ? two : one
    }

    private static func isTrashed(_ side: Members) -> Bool {
        side.given("trashedAt") != nil || TagSide(side)?.spelling[TagSide.trash] != nil
    }

    /// Whether anything but times and the marks of the trash differs.
    private static func isEdited(_ base: Members, _ side: Members) -> Bool {
        let passedOver = Set(["updatedAt", "trashedAt", "deletedAt"].map { Array($0.utf8) })
        return Members.keys(base, side).contains { key in
            if passedOver.contains(key) { return false }
            if key.elementsEqual("tags".utf8), let old = TagSide(base), let new = TagSide(side) {
                return plain(old) != plain(new)
            }
            return !JSON.areSame(base[key], side[key])
        }
    }

    private static func plain(_ tags: TagSide) -> [[UInt8]] {
        tags.order.filter { $0.0 != TagSide.trash }.map { Array($0.1.utf8) }
    }
}
