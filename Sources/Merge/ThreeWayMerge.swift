package import Items

/// What two states are joined to.
package struct Merged: Sendable {
    package let state: ItemState
    package let conflicts: [Conflict]
    /// The files of pages and documents that lost. Their bytes go to snapshots/, or beside the winner.
    package let losers: [Loser]

    /// The files of one unit that lost.
    package struct Loser: Sendable, Hashable {
        package let unit: Unit
        package let files: [Version.File]
    }
}

extension ItemState {
    /// Joins two states that came from a base: Documentation/Merge.md § 3. A pure function.
    ///
    /// - Parameter aWins: whether `a` has the later `updatedAt`, or the same and the larger name. Its value stands where
    ///   both sides changed one.
    package static func merge(base: ItemState, _ a: ItemState, _ b: ItemState, aWins: Bool) -> Merged {
        var fields = FieldMerge(
            base: base.members, a: a.members, b: b.members, aWins: aWins,
            hasOtherEdit: (
                a.text != base.text || a.files != base.files, b.text != base.text || b.files != base.files
            ))
        let members = fields.run()
        var conflicts = fields.conflicts
        var text = a.text == base.text ? b.text : a.text
        if a.text != b.text, a.text != base.text, b.text != base.text {
            let old = base.text ?? [], one = a.text ?? [], two = b.text ?? []
            if one == old || two == old {
                // One of them is empty, and the other is absent: the third one changed it.
                text = one == old ? two : one
            } else {
                var merge = TextMerge(base: old, a: one, b: two, aWins: aWins)
                text = merge.run()
                conflicts += merge.conflicts
            }
        }
        var files: [Version.File] = [], losers: [Merged.Loser] = []
        for unit in [Unit.page, .document] {
            let old = base.files(of: unit), one = a.files(of: unit), two = b.files(of: unit)
            if one == two {
                files += one
                continue
            }
            let isA = fields.choosesA(unit, base: old, a: one, b: two)
            let loser = isA ? two : one
            files += isA ? one : two
            if !loser.isEmpty, loser != old { losers.append(Merged.Loser(unit: unit, files: loser)) }
        }
        files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        return Merged(
            state: ItemState(members: members, text: text, files: files), conflicts: conflicts, losers: losers)
    }

    private func files(of unit: Unit) -> [Version.File] { files.filter { unit.holds($0.path) } }
}
