package import Items
internal import JSONFormat

/// What two states are joined to.
package struct Merged: Sendable {
    package let state: ItemState
    package let conflicts: [Conflict]
    /// The files of saved pages and documents that lost. Their bytes go to snapshots/, or beside the winner.
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
        merge(base: base, a, b, aWins: aWins, edits: .none)
    }

    /// The same, where histories may have crossed.
    static func merge(
        base: ItemState, _ a: ItemState, _ b: ItemState, aWins: Bool, edits: CrossedEdits
    ) -> Merged {
        var fields = FieldMerge(
            base: base.members, a: a.members, b: b.members, aWins: aWins,
            hasOtherEdit: (
                a.text != base.text || a.files != base.files, b.text != base.text || b.files != base.files
            ), edits: edits.parts.map(\.members))
        var members = fields.run()
        var conflicts = fields.conflicts
        var text = a.text == base.text ? b.text : a.text
        let bothChanged = a.text != base.text && b.text != base.text
        if a.text != b.text, bothChanged || edits.haveParagraphs {
            let old = base.text ?? [], one = a.text ?? [], two = b.text ?? []
            var merge = TextMerge(base: old, a: one, b: two, aWins: aWins, edits: edits.paragraphs)
            if merge.hasCrossed || bothChanged && one != old && two != old {
                text = merge.run()
                conflicts += merge.conflicts
            } else if bothChanged {
                // One of them is empty, and the other is absent: the third one changed it.
                text = one == old ? two : one
            }
        }
        var files: [Version.File] = [], losers: [Merged.Loser] = []
        for unit in [Unit.page, .document] {
            let old = base.files(of: unit), one = a.files(of: unit), two = b.files(of: unit)
            if one == two {
                files += one
                continue
            }
            let ofUnit = { (state: StateParts) in state.files.filter { unit.holds($0.path) } }
            let isHeld = edits.parts.isHeld(old, one, two, ==, ofUnit)
            let isA = fields.choosesA(
                unit, base: old, a: one, b: two, stale: edits.parts.stale(one, two, ==, ofUnit), isHeld: isHeld)
            let loser = isA ? two : one
            files += isA ? one : two
            // The name alone gives way to the edit: nothing is lost.
            let isEdited = unit == .document && isA == Unit.editedDocument(old, one, two)
            if unit == .document {
                let standing = isA ? one : two
                let isNamed = (isA ? a : b).members.isName(ofDocument: standing)
                let isOld =
                    members.hasOtherName(than: base.members)
                    && [old, one, two].contains { members.isName(ofDocument: $0) }
                if standing.count == 1, isEdited || isNamed || isOld || Self.areNames([old, one, two]) {
                    members.name(document: standing)
                }
            }
            if !loser.isEmpty, loser != old || isHeld, !isEdited {
                losers.append(Merged.Loser(unit: unit, files: loser))
            }
        }
        files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        return Merged(
            state: ItemState(members: members, text: text, files: files), conflicts: conflicts, losers: losers)
    }

    /// Whether three states have one document with the same bytes under three names: both sides renamed it.
    private static func areNames(_ states: [[Version.File]]) -> Bool {
        let documents = states.compactMap { $0.count == 1 ? $0[0] : nil }
        return documents.count == states.count && Set(documents.map(\.sha256)).count == 1
            && Set(documents.map(\.path)).count == documents.count
    }

    private func files(of unit: Unit) -> [Version.File] { files.filter { unit.holds($0.path) } }
}

extension [JSON.Member] {
    private var documentPath: String? { LiveState.documentPath(in: self) }

    /// Whether item.json names another document than an earlier one did.
    fileprivate func hasOtherName(than base: Self) -> Bool {
        guard let path = documentPath, let old = base.documentPath else {
            return (documentPath == nil) != (base.documentPath == nil)
        }
        return !path.utf8.elementsEqual(old.utf8)
    }

    /// Whether item.json names this document.
    fileprivate func isName(ofDocument files: [Version.File]) -> Bool {
        files.count == 1 && documentPath.map(files[0].isAt) == true
    }

    /// Gives the document its name, if item.json names one.
    package mutating func name(document files: [Version.File]) {
        let key = ItemField.documentRelativePath.key.utf8
        guard let file = files.first, let place = firstIndex(where: { $0.key.utf8.elementsEqual(key) }) else { return }
        self[place] = JSON.Member(self[place].key, .string(file.path))
    }
}
