internal import JSONFormat
internal import Time

/// Undoing changes of small files, whose `changedAt` says when each key was set: FORMAT.md § 9.2.
extension NamedState {
    /// Whether another state differs only in the times of its keys, or both say that the name was deleted. An editor's change of
    /// white space is a change.
    func isSame(as other: [UInt8]) -> Bool {
        if bytes == other { return true }
        guard let json, bytes == JSONWriter.file(.object(json.exactMembers(json.root))),
            let others = NamedState(other, modified: 0).json
        else { return false }
        if NamedUnion.isDeletion(json) { return NamedUnion.isDeletion(others) }
        return Self.values(json) == Self.values(others)
    }

    /// The bytes of an earlier state that takes the place of this one.
    ///
    /// The keys that differ are set now. With their former times, or with none, the state that is undone would come back from another
    /// copy. So would a state that was deleted, if the deletion were not a new one of this state.
    func undone(to old: [UInt8], at time: Timestamp) -> [UInt8] {
        guard let json, !NamedUnion.isDeletion(json), let before = NamedState(old, modified: 0).json else { return old }
        if NamedUnion.isDeletion(before) {
            let name = before.member("name", of: before.root).flatMap { before.string($0) }
            return name.map { NamedFile.deleted($0, at: time, self) } ?? old
        }
        guard var keys, !before.hasLoneSurrogateInKey(before.root) else { return old }
        var known: Set<[UInt8]> = []
        var isChanged = false
        for member in Self.values(before) where NamedKeys.isTimed(member.key) {
            let isFirst = known.insert(Array(member.key.utf8)).inserted
            if !isFirst || keys.value(member.key) == member.value { continue }
            keys.set(member.key, member.value, at: time)
            isChanged = true
        }
        for (key, old) in keys.keys where old.value != nil && !known.contains(key) {
            keys.set(String(decoding: key, as: UTF8.self), nil, at: time)
            isChanged = true
        }
        if !isChanged, before.member(NamedKeys.timesKey, of: before.root) == nil { return old }
        let new = try? before.rewriting(
            [(NamedKeys.timesKey, keys.times)], limit: Layout.settingsByteLimit, rank: NamedFile.rank)
        return new ?? old
    }

    private static func values(_ json: JSONDocument) -> [JSON.Member] {
        json.exactMembers(json.root).filter { !NamedKeys.isTimes($0.key) }
    }
}
