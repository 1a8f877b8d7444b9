internal import JSONFormat
internal import Time

/// Undoing changes of small files, whose `changedAt` says when each key was set: FORMAT.md § 9.2.
extension NamedState {
    /// Whether another state differs only in the times of its keys. An editor's change of white space is a change.
    func isSame(as other: [UInt8]) -> Bool {
        if bytes == other { return true }
        guard let json, bytes == JSONWriter.file(.object(json.exactMembers(json.root))),
            let others = NamedState(other, modified: 0).json
        else { return false }
        return Self.values(json) == Self.values(others)
    }

    /// The bytes of an earlier state that takes the place of this one.
    ///
    /// The keys that differ are set now. With their former times, the state that is undone would come back from another copy. A
    /// state without times is put back byte for byte: all of its keys get the time of the file.
    func undone(to old: [UInt8], at time: Timestamp) -> [UInt8] {
        guard let json, !NamedUnion.isDeletion(json), var keys,
            let before = NamedState(old, modified: 0).json, !NamedUnion.isDeletion(before),
            before.member(NamedKeys.timesKey, of: before.root) != nil
        else { return old }
        let values = Self.values(before)
        for member in values where keys.value(member.key) != member.value {
            keys.set(member.key, member.value, at: time)
        }
        for key in keys.present where !values.contains(where: { $0.key.utf8.elementsEqual(key.utf8) }) {
            keys.set(key, nil, at: time)
        }
        let new = try? before.rewriting(
            [(NamedKeys.timesKey, keys.times)], limit: Layout.settingsByteLimit, rank: NamedFile.rank)
        return new ?? old
    }

    private static func values(_ json: JSONDocument) -> [JSON.Member] {
        json.exactMembers(json.root).filter { !NamedKeys.isTimes($0.key) }
    }
}
