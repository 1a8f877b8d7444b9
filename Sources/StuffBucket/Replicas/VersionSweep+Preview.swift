internal import Items
internal import Merge

/// What joining another copy of an item would do. Nothing is written.
struct JoinPreview {
    /// Whether the other copy's state is older than every version here, and would be left.
    var isOtherOlder = false
    /// Whether the item here would change.
    var isChanged = false
    /// Whether the versions would be joined to what is no item.
    var isUnusable = false
    /// Documents that would be put beside the winner: paths relative to the item's folder.
    var kept: [String] = []
    /// The names of the conflicts that would be there.
    var conflicts: Set<String> = []
    /// Conflicts and lost documents that somebody ended: paths relative to the item's folder.
    var ended: Set<String> = []
}

extension VersionSweep {
    /// Joins in memory what `run` would join.
    ///
    /// - Parameters:
    ///   - other: the item in the other copy.
    ///   - wasChanged: whether a program changed the item here since it was last looked at. A merge notes that first.
    mutating func preview(_ other: OtherState, wasChanged: Bool) throws(ItemError) -> JoinPreview {
        isPatient = false
        var isKnown = memory.at != nil
        if wasChanged, !isKnown { isKnown = try begin() }
        if wasChanged, isKnown {
            try noteDeletedLosers()
            try absorbCopies()
            try observe()
        }
        try take(versionsOf: other)
        self.other = other
        hadVersions = !outlines.isEmpty
        if memory.at == nil { _ = try begin() }
        try takeOther()
        if !wasChanged { try observe() }
        var preview = JoinPreview(isOtherOlder: isOtherOlder)
        try list(&preview, other)
        return preview
    }

    /// Takes the versions of another copy that are not here.
    private mutating func take(versionsOf other: OtherState) throws(ItemError) {
        let theirs = VersionFolder(of: other.copy.folder, in: other.copy.store)
        let known = Set(outlines.map(\.name)), there = try theirs.names()
        for hash in lackedTexts(in: there.texts) {
            guard let outline = outlines.first(where: { $0.text == hash }), let text = try theirs.text(hash) else {
                continue
            }
            try write(existing(outline.name), text: text)
            texts.insert(hash)
        }
        for name in there.versions where !known.contains(name) {
            guard case .success(let version)? = try theirs.version(name) else { continue }
            let text = try version.text.flatMap { hash throws(ItemError) in
                texts.contains(hash) ? nil : try theirs.text(hash)
            }
            try write(version, text: text)
            if text != nil, let hash = version.text { texts.insert(hash) }
            outlines.append(VersionOutline(version))
        }
        updateGraph()
    }

    /// What `settle` would do.
    private mutating func list(_ preview: inout JoinPreview, _ other: OtherState) throws(ItemError) {
        let ended = try endedNow()
        preview.ended = ended
        let here = try ConflictFolder(of: folder, in: store).list().conflicts.map(\.name)
        let there = try ConflictFolder(of: other.copy.folder, in: other.copy.store).list().conflicts.map(\.name)
        var conflicts = Set(here + there)
        guard let joined = try graph.joined(text: text) else { return }
        if !isUsable(joined.state, StateHashes(joined.version)) {
            preview.isUnusable = true
            return
        }
        if joined.isMerge {
            conflicts.formUnion(joined.conflicts.map { String($0.path.split(separator: "/")[1]) })
        }
        preview.conflicts = conflicts.filter { !ended.contains(Layout.conflicts + "/" + $0) }
        for loser in try losers(joined) where loser.unit == .document {
            for file in loser.files where live.files.contains(file) || other.live.files.contains(file) {
                guard let name = file.path.pathComponents.last else { continue }
                let path = Layout.document + "/" + Layout.conflictName(of: name, file.sha256)
                let isThere = try store.fileNames(in: folder + "/" + Layout.document).contains {
                    path.utf8.elementsEqual("\(Layout.document)/\($0)".utf8)
                }
                if !isThere, !preview.kept.contains(path) { preview.kept.append(path) }
            }
        }
        let before = outline(memory.at)?.content
        let hashes = StateHashes(joined.version)
        preview.isChanged = !preview.kept.isEmpty || preview.conflicts != Set(here)
        for component in Component.allCases where !preview.isChanged {
            preview.isChanged = try changes(component, hashes, before, joined.state, other)
        }
    }

    /// Whether a component would get other bytes.
    private func changes(
        _ component: Component, _ hashes: StateHashes, _ before: StateHashes?, _ state: ItemState, _ other: OtherState
    ) throws(ItemError) -> Bool {
        let value = hashes[component], now = live.hashes[component]
        if value == now { return false }
        let isUnknown = now.map { graph.versions(with: component, $0, isCounting: true).isEmpty } ?? false
        if component.isOfFiles {
            if value == nil {
                if component == .page { return false }
                return try isDetached(state)
            }
            if value != other.live.hashes[component] { return false }
            // A first version may lack the document as it was stored.
            if isUnknown, component == .document { return try hasUnrecordedDocument() }
            return !isUnknown
        }
        return !isUnknown || !staysLive(component, value, before)
    }
}
