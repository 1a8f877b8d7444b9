internal import Items
internal import JSONFormat
internal import Merge

/// The item in another copy of the library, which this one reads and never writes.
struct OtherState {
    let copy: OtherCopy
    let live: LiveState
    /// item.json there.
    let json: JSONDocument
    /// Whether the copy is what a sync unpacked: it has those versions alone that came now, and its files tell nothing of when they were written.
    let isFromExchange: Bool
}

/// A join with another copy that is at hand: Documentation/Merge.md § 4.
extension VersionSweep {
    /// Notes what is live in the other copy and in no version.
    mutating func takeOther() throws(ItemError) {
        guard let other else { return }
        // An exchange brings each text once, and a purge may have removed it here since.
        try completeText(of: other.live)
        let theirs = Set(try VersionFolder(of: other.copy.folder, in: other.copy.store).names().versions)
        // A copy in which sbfs noted versions has what it wrote in the first one.
        if theirs.isEmpty { try noteBase(other.live, beside: live, traces: traces(of: other)) }
        if !knewVersion { try noteBase(live, beside: other.live, traces: traces) }
        let isExplained = isExplained(.item, other), isWholeExplained = isExplained && self.isExplained(.text, other)
        let isFirst = !hadVersions && !isBaseKnown
        let areApart = haveOneTime(other.live) || (Self.wasEdited(live) && Self.wasEdited(other.live))
        if !isWholeExplained, isFirst && areApart || theirs.isEmpty && !isBaseCommon && isBesideEditedRoots(other) {
            // Two edited copies of which nobody knows where they part: nothing of either is lost.
            try note(other.live.version([]), text: other.live.text)
            return
        }
        if !isExplained, isOlderThanAll(other) {
            isOtherOlder = true
            return
        }
        let beside = versionBeside(other, theirs)
        for component in Component.allCases {
            guard let value = other.live.hashes[component], graph.versions(with: component, value).isEmpty else {
                continue
            }
            // An exchange that lacks a bundle has the files that are here.
            if component == .page, hasNoOtherPage(other.live), try isPageUnfinished() { continue }
            if component == .document {
                if hasOriginalOfOurs(other.live) { continue }
                if live.hashes.document != nil, try hasUnrecordedDocument(other.live) { continue }
            }
            let modified = (other.live.status(of: component)?.modified ?? 0) / 1_000_000
            _ = try noteArrival(
                component, value, otherPiece(component, other), modified: modified, isCopy: false, waits: false,
                beside: beside, known: other.isFromExchange ? [] : theirs)
        }
        try noteArrived()
    }

    /// The version that a person of the other copy had before an edit, as far as the item.json there tells: of several that have it, the
    /// latest in that copy's history/. An edit that was noted here is none that a program found there. If that copy has none, the earliest.
    ///
    /// - Parameter theirs: the versions in that copy's history/.
    private func versionBeside(_ other: OtherState, _ theirs: Set<Items.ContentHash>) -> Items.ContentHash? {
        let all = graph.versions(with: .item, other.live.hashes.item)
        func isEarlier(_ one: Items.ContentHash, _ two: Items.ContentHash) -> Bool { depth(one) < depth(two) }
        // An exchange brings each version once.
        if all.count < 2 || other.isFromExchange { return all.max(by: isEarlier) }
        return all.filter(theirs.contains).max(by: isEarlier) ?? all.min(by: isEarlier)
    }

    /// Whether the item in a copy without versions may have been edited beside the versions here, and not after them: these come from
    /// roots alone that programs changed, and nothing tells what both came from.
    private func isBesideEditedRoots(_ other: OtherState) -> Bool {
        if other.isFromExchange || !graph.lacksState(of: other.live.updatedAt) || isOlderThanAll(other) { return false }
        if other.live.updatedAt != nil { return true }
        // A person wrote the item. What an editor saved in the other copy comes from what is known here; what lies there as it was copied may
        // be what an edit here was made of, and no edit of that.
        return [Component.item, .text].contains { component in
            !isExplained(component, other) && other.live.status(of: component).map(LiveState.isCopied) ?? false
        }
    }

    /// The texts of versions that history/ lacks, that no purge removed, and that another copy has, sorted.
    func lackedTexts(in there: [Items.ContentHash]) -> [Items.ContentHash] {
        let lacked = Set(outlines.compactMap(\.text)).subtracting(texts).intersection(there)
        if lacked.isEmpty { return [] }
        let purged = store.purgedVersions(of: id, outlines, texts)
        let wanted = Set(outlines.filter { !purged.contains($0.name) }.compactMap(\.text))
        return lacked.intersection(wanted).sorted()
    }

    /// Notes a state that sbfs wrote as the one that first versions came from, if these have its `updatedAt` and another item.json or
    /// text: an editor had changed that before the version was noted. Of two files that look as sbfs wrote them, the later one is the edit.
    private mutating func noteBase(
        _ state: LiveState, beside other: LiveState, traces: EditTraces
    ) throws(ItemError) {
        guard let time = state.updatedAt else { return }
        for root in outlines where root.parents.isEmpty && root.updatedAt?.milliseconds == time {
            var written: [Component] = []
            for component in [Component.item, .text] {
                guard let value = state.hashes[component], value != root.content[component],
                    // A join gives an edit the time of the item. An edit of the moment after does not count as what sbfs wrote.
                    graph.versions(with: component, value).allSatisfy({ outline($0)?.parents.isEmpty ?? true }),
                    state.isJustAsWritten(component, at: time, within: LiveState.writeMilliseconds)
                else { continue }
                if other.hashes[component] == root.content[component],
                    other.isJustAsWritten(component, at: time, within: LiveState.writeMilliseconds),
                    !state.isEarlier(component, than: other)
                {
                    continue
                }
                // An editor may have saved in that half second, too.
                if try traces.isUntouched(component) { written.append(component) }
            }
            // What is neither as sbfs wrote it nor the same in both is an edit of one of them, and no base of the other.
            let isWhole = [Component.item, .text].allSatisfy { component in
                written.contains(component) || state.hashes[component] == root.content[component]
                    || other.hashes[component] == root.content[component]
                        && other.isJustAsWritten(component, at: time, within: LiveState.writeMilliseconds)
            }
            if written.isEmpty || !isWhole { continue }
            let isAsWritten = [Component.item, .text].allSatisfy { component in
                written.contains(component)
                    || [state, other].contains {
                        $0.hashes[component] == root.content[component]
                            && $0.isJustAsWritten(component, at: time, within: LiveState.writeMilliseconds)
                    }
            }
            let edited = try existing(root.name)
            let base = Version(
                parents: [], item: written.contains(.item) ? state.members : edited.item,
                text: written.contains(.text) ? state.hashes.text : edited.text, files: edited.files,
                isEdited: !isAsWritten)
            let name = try note(base, text: written.contains(.text) ? state.text : edited.text.flatMap(text))
            try note(
                Version(parents: [name], item: edited.item, text: edited.text, files: edited.files),
                text: edited.text.flatMap(text))
        }
    }

    /// What two copies of an item came from if editors alone changed them since sbfs wrote it: of each file the one that still has the time
    /// at which sbfs wrote it, the older one if both do. Editors leave `updatedAt` alone, and set the time of the file.
    ///
    /// - Returns: `nil` if sbfs wrote one copy later than the other, or a file was edited in both, or copied without its time.
    func commonBase() throws(ItemError) -> (version: Version, text: [UInt8]?)? {
        guard let other, haveOneTime(other.live) else { return nil }
        let theirs = other.live
        func isOurs(_ component: Component) throws(ItemError) -> Bool? {
            if live.hashes[component] == theirs.hashes[component] { return true }
            guard let ours = live.status(of: component)?.modified, let others = theirs.status(of: component)?.modified,
                ours != others
            else { return nil }
            let isOlder = ours < others
            func isWritten(_ isOurs: Bool) throws(ItemError) -> Bool {
                let state = isOurs ? live : theirs
                if !state.isJustAsWritten(component, at: state.updatedAt, within: 2000) { return false }
                return try (isOurs ? traces : traces(of: other)).isUntouched(component)
            }
            if try isWritten(isOlder) { return isOlder }
            // The clock of the other machine was late.
            return try isWritten(!isOlder) ? !isOlder : nil
        }
        guard let isOurItem = try isOurs(.item), let isOurText = try isOurs(.text) else { return nil }
        // An editor may have changed what is the same in both before the copy was made.
        func isAsWritten(_ component: Component, _ isOurs: Bool) -> Bool {
            let isSame = live.hashes[component] == theirs.hashes[component]
            return (isSame ? [live, theirs] : [isOurs ? live : theirs]).contains {
                $0.isJustAsWritten(component, at: $0.updatedAt, within: LiveState.writeMilliseconds)
            }
        }
        let text = isOurText ? live.text : theirs.text
        let version = Version(
            parents: [], item: isOurItem ? live.members : theirs.members,
            text: (isOurText ? live : theirs).hashes.text, files: firstFiles(),
            isEdited: !isAsWritten(.item, isOurItem) || !isAsWritten(.text, isOurText))
        return (version, text)
    }

    /// The state here, if two copies of an item without `updatedAt` came from it: what differs was written in the other copy, and here before
    /// that copy was made.
    ///
    /// - Returns: `nil` if both may have been changed, or nothing tells when the copy was made.
    func baseOfCopy() -> (version: Version, text: [UInt8]?)? {
        guard let other, !other.isFromExchange, live.updatedAt == nil, other.live.updatedAt == nil,
            let time = other.live.copiedAt
        else { return nil }
        for component in Component.allCases {
            let (ours, theirs) = (live.hashes[component], other.live.hashes[component])
            if ours == theirs { continue }
            guard !component.isOfFiles, let here = live.status(of: component), here.modified < time,
                let there = other.live.status(of: component), !LiveState.isCopied(there)
            else { return nil }
        }
        let version = Version(
            parents: [], item: live.members, text: live.hashes.text, files: live.filesAsNamed, isEdited: true)
        return (version, live.text)
    }

    /// Whether all files of the other copy's page are here.
    private func hasNoOtherPage(_ theirs: LiveState) -> Bool {
        Set(theirs.files.filter { Component(of: $0) == .page }).isSubset(of: live.files)
    }

    /// Whether the other copy has the document as sbfs stored it, and a program changed the one here since.
    private func hasOriginalOfOurs(_ theirs: LiveState) -> Bool {
        live.hasEditedDocument
            && theirs.files.contains { Component(of: $0) == .document && $0.sha256 == live.documentHash }
    }

    /// The files of a first version. If a program changed the document since sbfs stored it, that of the other copy or of a
    /// version stands for the one before, or none: a first version with the changed one would take the unchanged one for its
    /// successor. One that item.json does not name is an addition, unless the other copy has the same. One that a program renamed has
    /// the name in item.json.
    func firstFiles() -> [Version.File] {
        if live.hasUnnamedDocument, other.map({ $0.live.hashes.document != live.hashes.document }) ?? true {
            return live.files.filter { Component(of: $0) != .document }
        }
        guard live.hasEditedDocument, let hash = live.documentHash else { return live.filesAsNamed }
        var before = (other?.live.files ?? []).filter { Component(of: $0) == .document && $0.sha256 == hash }
        for outline in outlines where before.isEmpty && outline.content.document != nil {
            let files = (try? existing(outline.name).files) ?? []
            before = files.filter { Component(of: $0) == .document && $0.sha256 == hash }
        }
        return (live.files.filter { Component(of: $0) != .document } + before).sorted {
            $0.path.utf8.lexicographicallyPrecedes($1.path.utf8)
        }
    }

    /// The files of the state before what a program changed now: as this device synced them last, if a version has these or there is none yet,
    /// else as of a first version.
    func filesBefore() -> [Version.File] {
        let recorded = SyncFolder.recordedPageAndDocument(of: id, store) ?? []
        var files = firstFiles()
        for component in [Component.page, .document] {
            let before = recorded.filter { Component(of: $0) == component }
            guard let value = StateHashes.hash(before),
                outlines.isEmpty || !graph.versions(with: component, value).isEmpty
            else { continue }
            files = files.filter { Component(of: $0) != component } + before
        }
        return files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// Whether a version is a state. Where a program changed the document before the first version, that version has none, and
    /// only its item.json tells the hash: the unchanged document of another device is of it.
    func isState(_ version: VersionOutline, _ state: StateHashes) -> Bool {
        if version.content == state { return true }
        return version.content.document == nil && version.content.item == state.item
            && version.content.text == state.text && version.content.page == state.page && isDocumentAsStored
    }

    /// Whether the document of a state is as sbfs stored it, and a version has the same item.json and no document, as above.
    func hasUnrecordedDocument(_ state: LiveState) throws(ItemError) -> Bool {
        guard let hash = state.documentHash, !state.hasEditedDocument,
            graph.versions(with: .document, state.hashes.document).isEmpty
        else { return false }
        return try isFirstDocument(hash)
    }

    /// Whether the item.json of a first version that records no document has this hash of one.
    func isFirstDocument(_ hash: Items.ContentHash) throws(ItemError) -> Bool {
        for outline in outlines where outline.content.document == nil && outline.parents.isEmpty {
            if try LiveState.documentHash(in: existing(outline.name).item) == hash { return true }
        }
        return false
    }

    func hasUnrecordedDocument() throws(ItemError) -> Bool { try hasUnrecordedDocument(live) }

    /// Whether the document is that of a first version which does not record it, item.json names none, and is later than the document.
    func isDetachedFirst() throws(ItemError) -> Bool {
        let paths = live.paths(of: .document)
        guard paths.count == 1, live.documentPath == nil, let status = live.statuses[paths[0]],
            let time = live.updatedAt,
            status.modified / 1_000_000 < time, let file = live.files.first(where: { $0.isAt(paths[0]) })
        else { return false }
        return try isFirstDocument(file.sha256)
    }

    /// Whether the document has the hash that item.json tells.
    private var isDocumentAsStored: Bool { live.documentHash != nil && !live.hasEditedDocument }

    /// Whether both copies have one `updatedAt`, or none that can be read: programs alone changed them since sbfs wrote the item, if it did.
    private func haveOneTime(_ theirs: LiveState) -> Bool { live.updatedAt == theirs.updatedAt }

    /// Whether a version has the other bytes, or there are none.
    private func isExplained(_ component: Component, _ other: OtherState) -> Bool {
        other.live.hashes[component].map { !graph.versions(with: component, $0).isEmpty } ?? true
    }

    /// Whether the other item was written before every version that is known: an old backup, which has nothing new.
    private func isOlderThanAll(_ other: OtherState) -> Bool {
        guard let time = other.live.updatedAt else { return false }
        return !outlines.isEmpty && outlines.allSatisfy { ($0.updatedAt?.milliseconds ?? .min) > time }
    }

    /// Whether an item was changed after it was made.
    private static func wasEdited(_ state: LiveState) -> Bool {
        state.updatedAt.map { $0 != state.time(.createdAt) } ?? false
    }

    private func otherPiece(_ component: Component, _ other: OtherState) -> Piece {
        switch component {
        case .item: .item(other.live.members)
        case .text: .text(other.live.text)
        case .page, .document: .files(other.live.files.filter { Component(of: $0) == component })
        }
    }
}
