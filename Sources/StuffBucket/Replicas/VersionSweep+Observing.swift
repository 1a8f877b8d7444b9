internal import Files
internal import Items
internal import JSONFormat
internal import Merge

/// What changed, and what it came from: Documentation/Merge.md § 2.
extension VersionSweep {
    /// Notes edits and arrivals.
    mutating func observe() throws(ItemError) {
        try completeText(of: live)
        let known = outline(memory.at)?.content
        let isCopied = isFolderCopied
        let editedCopy = try editedCopy()
        var edits: [Component] = [], first: [Component] = []
        for component in Component.allCases where !commanded.contains(component) {
            guard let value = live.hashes[component] else {
                // A text that is gone was removed here, or a tool carried its removal. A page or a document may be left out
                // of a copy on purpose.
                let isRemoval = component == .text ? try isTextRemoved() : isWorkTree
                if isRemoval, known?[component] != nil { edits.append(component) }
                continue
            }
            if component == .document { try notePutBefore(value) }
            if let known, value == known[component] { continue }
            if component == .page, try isPageUnfinished() { continue }
            var isLocal = isWorkTree
            if component == .document, !isLocal {
                isLocal = isRenamed || isPutFromBeside || hasChosenLoser(value)
                if !isLocal { isLocal = try isRenamedFirst() }
            }
            if !isLocal, component != .document || !isOnlyNamed && !stayed {
                let old = component.isOfFiles ? try memory.at.map(existing)?.files : nil
                isLocal = try store.isWrittenHere(component, of: live, known: memory.files, since: old ?? [])
            }
            if !isLocal, isCopied, graph.versions(with: component, value).isEmpty {
                // The first document may be in no version.
                isLocal = component == .document ? try !hasUnrecordedDocument() : true
            }
            var isPut = false
            if component == .document, !isLocal, let known, let put = try documentPutAlone(since: known) {
                isPutYoung = isPatient && !isDocumentInPlace && isYoung(put)
                if isPutYoung {
                    _ = try memory.waits(
                        component, value, modified: put.modified / 1_000_000, isCopy: false, putOn: statePutOn(),
                        now: now)
                    continue
                }
                // A join may have brought another document since it was put here.
                let recorded = memory.putOn(value).flatMap { graph.node(of: $0) == nil ? nil : $0 }
                if let recorded { putOn = recorded } else { putOn = try statePutOn() }
                forgetWaiting(component, value)
                (isLocal, isPut) = (true, true)
            }
            // It was taken out, and is here still, or a tool brought it again: `removeDetached` looks after it.
            if component == .document, !isPut, known != nil, try isDetachedFirst() { continue }
            // Where another document was known last, a person set this one back, unless it stayed because that one was not here.
            let isLeft = memory.showing[component] == value && !replaced.contains(component)
            if component == .document, known?.document == nil || !isLocal || isLeft, try hasUnrecordedDocument() {
                continue
            }
            if known != nil, isLocal {
                edits.append(component)
            } else if isLocal, !component.isOfFiles, let editedCopy, isSaved(component, since: editedCopy) {
                first.append(component)
            } else {
                try arrive(component, value, isLocal: isLocal)
            }
        }
        isDocumentEdited = edits.contains(.document)
        if let at = memory.at, !edits.isEmpty { try edited(edits, at) }
        if let editedCopy, !first.isEmpty { try edited(first, editedCopy) }
        try noteKept()
        try noteArrived()
    }

    /// Whether a person copied or restored the whole folder, and item.json or the text in it is the one that was here last: it has the
    /// bytes and the modification time, and is another file. What no version has was edited on the last state known then.
    private var isFolderCopied: Bool {
        let small = live.smallFiles.byPath
        let known = memory.small.filter { small[$0.file.path] != nil }
        return known.allSatisfy { small[$0.file.path]?.inode != $0.inode }
            && known.contains { old in
                small[old.file.path].map { $0.file == old.file && $0.modified == old.modified } ?? false
            }
    }

    /// The only head of an item that this device knows nothing of, if a tool brought the folder as it was on another device, and the item
    /// was at that head: programs here changed the files that were written here since.
    ///
    /// The tool kept the times: the version is born later than it was written. item.json has the bytes of the version, or it was written
    /// here, and has its `updatedAt`.
    private func editedCopy() throws(ItemError) -> Items.ContentHash? {
        guard memory.at == nil, !isWorkTree, other == nil, graph.heads.count == 1, let head = graph.heads.first else {
            return nil
        }
        let outline = graph.versions[head]
        if live.hashes.item != outline.content.item {
            guard let time = outline.updatedAt, Self.updatedAt(live.members) == time,
                try store.isWrittenHere(.item, of: live)
            else { return nil }
        }
        return try versionFolder.isWrittenHere(outline.name) ? nil : outline.name
    }

    /// Whether a file was saved after a version came to this device.
    private func isSaved(_ component: Component, since version: Items.ContentHash) -> Bool {
        live.status(of: component).map { $0.modified / 1_000_000 >= versionFolder.birth(of: version) } ?? false
    }

    /// Whether a link or a folder has the name of the text.
    private func isTextInTheWay() throws(ItemError) -> Bool {
        do throws(FileError) {
            return try store.root.statusIfPresent(of: folder + "/" + Layout.textFile) != nil
        } catch {
            throw .file(error)
        }
    }

    /// Whether an absent text was removed: nothing else has its name, and the item's folder did not come back as it was before the
    /// item had a text.
    private func isTextRemoved() throws(ItemError) -> Bool {
        if try isTextInTheWay() { return false }
        if isWorkTree { return true }
        return try !isFromBeforeText()
    }

    /// Whether the live item.json is that of a version without a text that the last state known came from, and a tool put it there: it has
    /// bytes that were not written here, or the same bytes in another file.
    private func isFromBeforeText() throws(ItemError) -> Bool {
        guard let at = memory.at else { return false }
        let earlier = graph.versions(with: .item, live.hashes.item)
        if !earlier.contains(where: { outline($0)?.text == nil && graph.isAncestor($0, of: at) }) { return false }
        if live.hashes.item != outline(at)?.content.item { return try !store.isWrittenHere(.item, of: live) }
        guard let before = memory.small.byPath[Layout.itemFile] else { return false }
        return live.statuses[Layout.itemFile].map { $0.inode != before.inode } ?? false
    }

    /// Puts the text of a version into history/ if it is live and only there.
    mutating func completeText(of live: LiveState) throws(ItemError) {
        guard let hash = live.hashes.text, let bytes = live.text, !texts.contains(hash),
            let version = outlines.first(where: { $0.text == hash })
        else { return }
        try write(existing(version.name), text: bytes)
        texts.insert(hash)
        updateGraph()
    }

    // MARK: Edits

    /// - Parameter at: the last state known here.
    private mutating func edited(_ edits: [Component], _ at: Items.ContentHash) throws(ItemError) {
        try noteWaiting(edits)
        var groups: [(parent: Items.ContentHash, components: [Component])] = []
        for component in edits {
            var parent = at
            if let value = live.hashes[component] {
                let found = graph.versions(with: component, value)
                if !found.isEmpty {
                    // What stayed because its successor is not here yet is no step back. What was written here before the
                    // first look at the item stands.
                    let isLeft =
                        component.isOfFiles && !isWorkTree && !memory.isNew && memory.showing[component] == value
                    if isLeft || !isStepBack(to: found, from: at) { continue }
                    let aside = setAside[component] ?? [], bytes = evidence(component, livePiece(component))
                    if !isWorkTree, outline(at)?.content[component].map(aside.contains) == true {
                        parent = try choice.ofLocal(bytes, at: at, setAside: aside, found: found)
                        // What the edit was made of is not here yet.
                        if found.contains(parent) { continue }
                    } else if !isWorkTree, !component.isOfFiles,
                        try choice.mayComeFromArrival(bytes, of: found, at: at, setAside: aside)
                    {
                        // Either guess may lose an edit: what both versions changed stays.
                        continue
                    }
                } else {
                    if component == .document, try noteBesideAwaited(at) { continue }
                    if !isWorkTree {
                        parent = try choice.ofLocal(
                            evidence(component, livePiece(component)), at: at, setAside: setAside[component] ?? [],
                            written: draftTime(component), birth: versionFolder.birth)
                    }
                    let shown =
                        component.isOfFiles ? leftVersion(component, before: at) : shownVersion(component, value)
                    var brought = component == .document ? putOn : nil
                    if component == .document, brought == nil { brought = try versionBroughtBefore(at) }
                    parent = shown ?? brought ?? parent
                    // The next edit comes from this one.
                    if component.isOfFiles { memory.showing[component] = nil }
                }
            }
            if let place = groups.firstIndex(where: { $0.parent == parent }) {
                groups[place].components.append(component)
            } else {
                groups.append((parent, [component]))
            }
        }
        for (parent, components) in groups {
            let pieces = Dictionary(uniqueKeysWithValues: components.map { ($0, livePiece($0)) })
            try note(pieces, on: parent, isWrittenHere: true)
        }
    }

    /// When a text was written that a program put in the place of a younger one, in milliseconds since 1970: an editor wrote it
    /// under another name first. `nil` of any other file.
    private func draftTime(_ component: Component) -> Int64? {
        guard component == .text, let modified = live.status(of: .text)?.modified,
            let before = memory.small.byPath[Layout.textFile], modified < before.changed
        else { return nil }
        return modified / 1_000_000
    }

    /// Whether earlier bytes were put back here on purpose.
    private func isStepBack(to found: [Items.ContentHash], from at: Items.ContentHash) -> Bool {
        isWorkTree || found.contains { graph.isAncestor($0, of: at) }
    }

    /// The version whose bytes an editor had before it, though that version waits for those that it came from.
    private func shownVersion(_ component: Component, _ value: Items.ContentHash) -> Items.ContentHash? {
        guard let shown = memory.showing[component], shown != value else { return nil }
        return graph.versions(with: component, shown).first { name in
            graph.node(of: name) == nil && (outline(name)?.text.map { texts.contains($0) } ?? true)
        }
    }

    /// Bytes that waited here and were edited meanwhile are noted now: the edit may come from them.
    private mutating func noteWaiting(_ edits: [Component]) throws(ItemError) {
        for waiting in memory.waiting where edits.contains(waiting.component) {
            guard waiting.hash != live.hashes[waiting.component] else { continue }
            if graph.versions(with: waiting.component, waiting.hash).isEmpty, let piece = keptPiece(waiting),
                let parent = try choice.ofArrival(evidence(waiting.component, piece), time: waiting.modified)?.parent
            {
                try note([waiting.component: piece], on: parent)
            }
            forget(waiting)
        }
    }

    /// Notes what a command changed, each component on the version whose bytes it found.
    ///
    /// - Parameter replaced: files that the command wrote, and that have other bytes now.
    mutating func noteChanges(
        from before: StateHashes, _ versions: [Component: Items.ContentHash], resolved: [String],
        _ replaced: [Component: WrittenFile] = [:]
    ) throws(ItemError) {
        self.replaced.formUnion(live.hashes.replaced(since: before))
        let versions = together(versions, from: before, replaced)
        var groups: [Items.ContentHash: [Component: Piece]] = [:]
        for component in Component.allCases {
            guard let parent = versions[component] else { continue }
            if let file = replaced[component] {
                // What is live is not of the command.
                guard let (piece, value) = Piece.of(component, file.bytes), value != before[component] else { continue }
                groups[parent, default: [:]][component] = piece
            } else if live.hashes[component] != before[component] {
                commanded.insert(component)
                groups[parent, default: [:]][component] = livePiece(component)
            }
        }
        // A document that was removed first, and then taken out: its absence alone changes nothing.
        if let parent = versions[.item], groups[parent]?[.item] != nil, replaced[.item] == nil,
            live.documentPath == nil, live.hashes.document == nil, outline(parent)?.content.document != nil,
            LiveState.documentPath(in: try existing(parent).item) != nil
        {
            groups[parent]?[.document] = .files([])
        }
        if groups.isEmpty, !resolved.isEmpty, let parent = versions[.item] {
            groups[parent] = [.item: livePiece(.item)]
        }
        for parent in groups.keys.sorted() {
            // A version that is foreseen is one of what is live.
            let name = try note(
                groups[parent] ?? [:], on: parent, resolved: resolved, isWrittenHere: replaced.isEmpty)
            if outline(name)?.content == live.hashes { memory.at = name }
        }
    }

    /// Lets a page or a document that a command changed come from the version that item.json comes from, if the command changed that, too.
    /// It names them: of two versions, one would have the fields of the new page and the files of an earlier one, and a join might choose
    /// these.
    ///
    /// - Returns: the versions, those of such components the same. It is one that has item.json and one of the files as the command found
    ///   them, if there is any.
    private func together(
        _ versions: [Component: Items.ContentHash], from before: StateHashes, _ replaced: [Component: WrittenFile]
    ) -> [Component: Items.ContentHash] {
        let item: Items.ContentHash? = replaced[.item].map { Piece.of(.item, $0.bytes)?.value } ?? live.hashes.item
        guard let item, item != before.item, let parent = versions[.item] else { return versions }
        let files = [Component.page, .document].filter { live.hashes[$0] != before[$0] }
        // Nothing comes from the absence of a file: a page that is away, or that somebody removed by hand.
        let found = files.lazy.compactMap { before[$0] == nil ? nil : versions[$0] }
            .first { outline($0)?.content.item == before.item }
        return files.isEmpty
            ? versions : versions.merging((files + [.item]).map { ($0, found ?? parent) }) { $1 }
    }

    // MARK: Arrivals

    /// - Parameter isLocal: whether the bytes were written here, before this device knew a version: they need not wait.
    private mutating func arrive(
        _ component: Component, _ value: Items.ContentHash, isLocal: Bool
    ) throws(ItemError) {
        if !graph.versions(with: component, value).isEmpty { return }
        let modified = (live.status(of: component)?.modified ?? 0) / 1_000_000
        _ = try noteArrival(
            component, value, livePiece(component), modified: modified, isCopy: false, waits: !isLocal,
            beside: component == .document || component == .page && !isPatient ? copiedHead : nil, isLocal: isLocal)
    }

    /// The head, if its item.json is live on a device that knows nothing of the item: it was copied with its folder.
    private var copiedHead: Items.ContentHash? {
        guard memory.at == nil, graph.heads.count == 1, let head = graph.heads.first,
            graph.versions[head].content.item == live.hashes.item
        else { return nil }
        return graph.versions[head].name
    }

    /// Notes bytes from elsewhere, once their parent is certain or they have waited.
    ///
    /// - Parameters:
    ///   - beside: the version whose item.json lies beside them in another copy.
    ///   - isLocal, known: as for `ParentChoice.ofArrival`.
    /// - Returns: whether they are noted, or will be with what else arrived.
    mutating func noteArrival(
        _ component: Component, _ value: Items.ContentHash, _ piece: Piece, modified: Int64, isCopy: Bool,
        waits: Bool = true, beside: Items.ContentHash? = nil, isLocal: Bool = false,
        known: Set<Items.ContentHash> = []
    ) throws(ItemError) -> Bool {
        let found = try choice.ofArrival(
            evidence(component, piece), time: modified, isCopy: isCopy, live: live.hashes[component], beside: beside,
            isLocal: isLocal, known: known)
        if waits, isPatient, found?.isCertain != true,
            !memory.waits(component, value, modified: modified, isCopy: isCopy, now: now)
        {
            try keep(piece, value)
            return false
        }
        forgetWaiting(component, value)
        guard let parent = found?.parent else {
            guard let root = root(of: piece, isCopy: isCopy) else { return false }
            try note(root.version, text: root.text)
            return true
        }
        if isCopy || arrived[parent]?[component] != nil {
            try note([component: piece], on: parent)
        } else {
            arrived[parent, default: [:]][component] = piece
        }
        return true
    }

    /// Bytes that come from no version as a first one: an item, or the text of a conflict copy with the item here; `nil` of all else.
    private func root(of piece: Piece, isCopy: Bool) -> (version: Version, text: [UInt8]?)? {
        switch piece {
        case .item(let members): return (Version(parents: [], item: members, isEdited: true), nil)
        case .text(let text?) where isCopy:
            let hash = Items.ContentHash(of: text)
            return (Version(parents: [], item: live.members, text: hash, isEdited: true), text)
        case .text, .files: return nil
        }
    }

    /// What arrived and comes from one version is one version.
    mutating func noteArrived() throws(ItemError) {
        for parent in arrived.keys.sorted() { try note(arrived[parent] ?? [:], on: parent) }
        arrived = [:]
    }

    /// Looks again at bytes that waited and are live no longer.
    private mutating func noteKept() throws(ItemError) {
        for waiting in memory.waiting where waiting.hash != live.hashes[waiting.component] {
            guard graph.versions(with: waiting.component, waiting.hash).isEmpty, let piece = keptPiece(waiting) else {
                forget(waiting)
                continue
            }
            // A copy that waits was looked at. One that is gone was deleted by a person, or by the device that noted it.
            if waiting.isCopy {
                if !copied.contains(waiting.hash) { forget(waiting) }
                continue
            }
            // Copying programs carry history/, and nothing else of a text that was replaced.
            if case .text(let bytes?) = piece, drafts == nil, !texts.contains(waiting.hash) {
                try session.noteText(bytes, waiting.hash, of: id, in: folder)
                texts.insert(waiting.hash)
            }
            // A page or a document was replaced before anything explained it. Its bytes are not read again and again.
            _ = try noteArrival(
                waiting.component, waiting.hash, piece, modified: waiting.modified, isCopy: false,
                waits: !waiting.component.isOfFiles)
        }
    }
}
