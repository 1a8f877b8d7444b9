internal import Files
internal import Items
internal import JSONFormat
internal import Merge
internal import Time

/// What the versions are joined to becomes live: Documentation/Merge.md § 3.
extension VersionSweep {
    /// Joins the heads, and makes the result live, but leaves alone what waits.
    mutating func settle() throws(ItemError) {
        unread.hashes = []
        var result = try graph.joined(text: text)
        if try setAsideUnreadTexts() { result = try graph.joined(text: text) }
        guard let joined = result else { return }
        if !isUsable(joined.state, StateHashes(joined.version)) {
            isUnusable = true
            return
        }
        let before = outline(memory.at)?.content
        if drafts == nil { try noteWhatLost(to: joined.state, isMerge: joined.isMerge) }
        // A device that finds the version of the join looks at no page or document again, so they come first.
        let losers = try losers(joined)
        let isCarried = try isDocumentFolderCarried()
        try keepOwn(losers)
        try keepOther(losers)
        let earlier = earlierFiles(before)
        try removeFormerNames(joined.state, isCarried: isCarried)
        let replaced = live
        try bringFiles(joined.state, StateHashes(joined.version))
        noteReplaced(earlier)
        noteStepsBack(from: replaced, before)
        try setApart(joined.state, losers)
        if joined.isMerge {
            // Both are durable before anything is replaced.
            for conflict in joined.conflicts {
                let name = String(conflict.path.split(separator: "/")[1])
                try session.keepConflict(conflict.bytes, as: name, of: id, in: folder)
            }
            try note(joined.version, text: joined.state.text)
        }
        try reopenConflicts()
        for path in ended.sorted() where Self.isConflict(path) {
            try session.removeNeedless(path, of: id, in: folder)
        }
        try removeEndedLosers()
        try makeLive(joined.state, StateHashes(joined.version), before)
        memory.isNew = before == nil
        memory.at = joined.version.name
        for waiting in memory.waiting where !graph.versions(with: waiting.component, waiting.hash).isEmpty {
            forget(waiting)
        }
    }

    /// Whether a state can be an item. What each copy has is within the limits, and both together may not be.
    func isUsable(_ state: ItemState, _ hashes: StateHashes) -> Bool {
        if hashes.text != live.hashes.text, state.text?.count ?? 0 > Layout.textByteLimit { return false }
        return hashes.item == live.hashes.item || store.isItem(JSONWriter.file(.object(state.members)), id)
    }

    /// Whether a path from a version is that of a conflict: nothing else is removed by its name.
    static func isConflict(_ path: String) -> Bool {
        path.utf8.starts(with: (Layout.conflicts + "/").utf8) && path.utf8.split(separator: 0x2F).count == 2
    }

    private mutating func makeLive(
        _ state: ItemState, _ hashes: StateHashes, _ before: StateHashes?
    ) throws(ItemError) {
        let shown = memory.showing
        memory.showing = [:]
        for component in Component.allCases {
            let value = hashes[component], now = live.hashes[component]
            if value == now { continue }
            if component == .document, value == nil, try removeDetached(state, before) { continue }
            if let now, graph.versions(with: component, now, isCounting: true).isEmpty {
                if component.isOfFiles || staysLive(component, value, before) {
                    // What is noted later was put in the place of what was shown before.
                    memory.showing[component] = component == .document && isPutYoung ? shown[component] ?? now : now
                    continue
                }
            }
            let earlier = earlierVersion(component, before)
            if try !put(component, state) {
                memory.showing[component] = now
                if shown[component] != now { try stepAside(component, for: state) }
            } else if let earlier {
                returned.append((component, earlier))
            }
        }
    }

    /// A version that the last state known came from and whose bytes are live again: a program put them back, with the time that they
    /// had.
    private func earlierVersion(_ component: Component, _ before: StateHashes?) -> Items.ContentHash? {
        guard other == nil, let at = memory.at, let now = live.hashes[component], let before, before[component] != now
        else { return nil }
        return graph.versions(with: component, now).first { graph.isAncestor($0, of: at) }
    }

    private struct EarlierFile {
        let file: String
        let sha256: Items.ContentHash
        let kept: String
    }

    /// The page and the document that are earlier ones, and the place of their second names.
    private func earlierFiles(_ before: StateHashes?) -> [Component: EarlierFile] {
        if isWorkTree || drafts != nil { return [:] }
        var found: [Component: EarlierFile] = [:]
        for component in [Component.page, .document] where earlierVersion(component, before) != nil {
            guard let hash = live.hashes[component],
                let file = live.files.first(where: { Component(of: $0) == component })
            else { continue }
            found[component] = .init(
                file: file.path, sha256: file.sha256, kept: KnownStates.keptFolder(hash, of: id) + "/" + file.path)
        }
        return found
    }

    /// Notes of which of them the newer ones are back.
    private mutating func noteReplaced(_ earlier: [Component: EarlierFile]) {
        for (component, files) in earlier.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let isSame = live.hashes[component].map { files.kept.hasPrefix(KnownStates.keptFolder($0, of: id) + "/") }
            if isSame ?? true { continue }
            // It only got another name.
            if component == .document,
                live.files.contains(where: { Component(of: $0) == component && $0.sha256 == files.sha256 })
            {
                continue
            }
            notices.append(.earlierFileReplaced(id, file: files.file, kept: files.kept))
        }
    }

    /// Notes the page and the document that are earlier ones now, as another copy has them: a person may have put a folder of before in the
    /// place of the item there, and did not mean these.
    ///
    /// - Parameter replaced: what was live before this join.
    private mutating func noteStepsBack(from replaced: LiveState, _ before: StateHashes?) {
        guard !isWorkTree, drafts == nil, let at = memory.at else { return }
        for component in [Component.page, .document] {
            guard let now = live.hashes[component], let old = replaced.hashes[component], now != old,
                old == before?[component],
                graph.versions(with: component, now).contains(where: { graph.isAncestor($0, of: at) }),
                let file = secondFiles(component, old).first
            else { continue }
            // Somebody resolved a conflict so.
            let isChosen = live.files.contains {
                component == .document && Component(of: $0) == .document
                    && Self.lostPaths(of: $0).contains(where: ended.contains)
            }
            if isChosen { continue }
            notices.append(
                .wentBack(id, file: file.path, kept: KnownStates.keptFolder(old, of: id) + "/" + file.path))
        }
    }

    /// Whether bytes that no whole version has stay where they are. They are of a version that is not whole yet, or nothing is
    /// new but what waits, or this device reads the item for the first time: then it cannot tell what came later.
    func staysLive(_ component: Component, _ value: Items.ContentHash?, _ before: StateHashes?) -> Bool {
        let isIncomplete = live.hashes[component].map { !graph.versions(with: component, $0).isEmpty } ?? false
        return value == nil || isIncomplete || before == nil || value == before?[component]
    }

    /// Removes a document that somebody took out of the item in another copy, or that came back as it was before. The device keeps a
    /// second name: the other copy may have taken out a document that it did not have.
    ///
    /// - Parameter before: the last state known here.
    /// - Returns: whether it was removed.
    private mutating func removeDetached(_ state: ItemState, _ before: StateHashes?) throws(ItemError) -> Bool {
        guard try isDetached(state), let document = live.files.first(where: { Component(of: $0) == .document }) else {
            return false
        }
        if live.away.contains(document.path) {
            if other == nil { return false }
            try session.forgetAway([.document], of: id)
            return true
        }
        // In a git work tree a file goes with the checkout, and a device that reads the item for the first time cannot tell which state is
        // later.
        if other == nil, isWorkTree || drafts != nil || before == nil && !wasHereBefore(document) { return false }
        if live.damaged.contains(document.path) {
            if other == nil { return false }
            return try removeDamaged(document)
        }
        if !isWorkTree, drafts == nil, !keepsDetached() { return false }
        try session.removeNeedless(document.path, of: id, in: folder)
        if isWorkTree || drafts != nil { return true }
        if let hash = live.hashes.document {
            let kept = KnownStates.keptFolder(hash, of: id) + "/" + document.path
            notices.append(
                earlierVersion(.document, before) != nil
                    ? .detachedReturned(id, kept: kept) : .detachedElsewhere(id, kept: kept))
        }
        return true
    }

    /// Whether this device knew the item before it had versions, and the document is older than the item.json that names none.
    private func wasHereBefore(_ document: Version.File) -> Bool {
        guard bytes?.last(id) != nil, let status = live.statuses[document.path], let time = live.updatedAt else {
            return false
        }
        return status.modified / 1_000_000 < time
    }

    /// Removes a document that may be damaged, once the bytes that it has now, which are recorded nowhere, have a second name.
    private mutating func removeDamaged(_ document: Version.File) throws(ItemError) -> Bool {
        if isWorkTree || drafts != nil { return false }
        do throws(FileError) {
            let item = try store.root.directory(folder)
            guard let name = document.path.pathComponents.last,
                let file = try ItemStore.hashed(document.path, in: item),
                let hash = StateHashes.hash([file])
            else { return false }
            let kept = try states.makePlace(named: name, hash, of: id)
            if try store.root.statusIfPresent(of: kept) == nil {
                let parts = kept.pathComponents
                try item.directory(Layout.document)
                    .keep(name, in: store.root.directory(parts.dropLast().joined(separator: "/")), as: name)
            }
            guard try store.root.file(kept).sha256() == file.sha256.hex else { return false }
            notices.append(.detachedElsewhere(id, kept: kept))
        } catch {
            return false
        }
        try session.removeNeedless(document.path, of: id, in: folder)
        return true
    }

    /// Gives a document that was taken out a second name.
    ///
    /// - Returns: whether it has one, with its bytes.
    private mutating func keepsDetached() -> Bool {
        guard let hash = live.hashes.document else { return false }
        states.keepFiles(of: .document, live, of: id, in: store, &memory.files)
        if !secondFiles(.document, hash).isEmpty { return true }
        states.setAsideFiles(hash, of: id)
        states.keepFiles(of: .document, live, of: id, in: store, &memory.files)
        return !secondFiles(.document, hash).isEmpty
    }

    /// Whether the document was taken out of the item, and is here as a version has it.
    func isDetached(_ state: ItemState) throws(ItemError) -> Bool {
        let documents = live.files.filter { Component(of: $0) == .document }
        let names = state.members.contains { $0.key.utf8.elementsEqual(ItemField.documentRelativePath.key.utf8) }
        if names || documents.count != 1 { return false }
        if !graph.versions(with: .document, live.hashes.document, isCounting: true).isEmpty { return true }
        return try isFirstDocument(documents[0].sha256)
    }

    /// Writes one component.
    ///
    /// - Returns: false if it stays as it is: its bytes are not here, or another program saved meanwhile.
    private func put(_ component: Component, _ state: ItemState) throws(ItemError) -> Bool {
        // The time of a join may be a moment ahead. A file that is newer than now would win over the next edit elsewhere.
        let time = Timestamp(milliseconds: min(state.updated, now.milliseconds))
        switch component {
        case .item:
            let bytes = JSONWriter.file(.object(state.members))
            return try session.replaceJoined(Layout.itemFile, of: id, in: folder, live.itemBytes, bytes, at: time)
        case .text:
            return try session.replaceJoined(Layout.textFile, of: id, in: folder, live.text, state.text, at: time)
        case .page, .document: return false
        }
    }
}
