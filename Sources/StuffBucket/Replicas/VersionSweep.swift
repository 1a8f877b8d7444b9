internal import Files
internal import Items
internal import JSONFormat
internal import Merge
internal import Time

/// Compares the files of one item with its versions and with what this device knew last, notes what is new, and joins
/// what met: Documentation/Merge.md § 2 and § 3.
struct VersionSweep {
    let id: ItemID
    let folder: String
    let store: ItemStore
    /// Writes without a journal: nobody undoes a join.
    let session: WriteSession
    let states: KnownStates
    let bytes: KnownBytes?
    let versionFolder: VersionFolder
    /// Whether git brings the files: then nothing tells arrivals from local changes, and every change is one made here.
    let isWorkTree: Bool
    /// Whether bytes wait for a version that explains them. Nothing waits of an item that somebody is about to change:
    /// it comes from the nearest version. If a better one comes, both name the same content, and their parents unite.
    var isPatient = true
    /// What a command changed: its versions are noted, also where the new bytes are those of an earlier version.
    var commanded: Set<Component> = []
    /// What programs saved here, and others replaced before this look.
    var saved: [Component: RecentSaves.Save] = [:]
    /// The item in another copy of the library that is joined into this one; `nil` in a sweep.
    var other: OtherState?
    /// Whether the item had versions before this look.
    var hadVersions = false
    /// Whether this device knew a version of the item before this look.
    var knewVersion = false
    /// Whether the first version is what the item was before the edits of this copy.
    var isBaseKnown = false
    /// Whether it is what the other copy came from, too.
    var isBaseCommon = false
    /// The page, if it took the place of another, and the document, if it is not the one that was hashed last.
    var replaced: Set<Component> = []
    /// The document as it was hashed at the last look.
    var documentBefore: KnownFile?
    /// Whether a program renamed the document here: the file is the one that was known under another name.
    var isRenamed = false
    /// Whether the document is the file of the last look: programs wrote into it.
    var isDocumentInPlace = false
    /// Whether a tool put the document in its place a moment ago: it may be about to give the folder its time, too.
    var isPutYoung = false
    /// Whether the document was changed here.
    var isDocumentEdited = false
    /// Files under former names of the document that were left alone, as the present one is not here: they lie beside it by nobody's wish.
    var formerNamesLeft: Set<KnownState.Beside> = []
    /// The state that the document was put on, if it came without its folder.
    var putOn: Items.ContentHash?
    /// Whether the other copy has an old state of the item, from before every version.
    var isOtherOlder = false
    /// Whether the versions would be joined to what is no item, and stay unjoined.
    var isUnusable = false
    /// Whether history/ lacked versions that are known, and has them again: a copying program may have removed other files too.
    var hasBroughtBackHistory = false
    /// Documents that this look put beside the winner: paths relative to the item's folder.
    var kept: [String] = []
    /// Components that had the bytes of an earlier version, which arrived, and that got the newer ones again, with a version of
    /// those bytes.
    var returned: [(component: Component, version: Items.ContentHash)] = []
    /// What a person should know of the join.
    var notices: [Notice] = []
    /// Where versions are written in a dry run; `nil` otherwise.
    var drafts: VersionDrafts?
    /// The texts that a join asked for and that could not be read.
    let unread = UnreadTexts()
    let now: Timestamp

    var memory = KnownState()
    var live: LiveState
    var outlines: [VersionOutline] = []
    var texts: Set<Items.ContentHash> = []
    var graph: VersionGraph
    /// What arrived, by its parent: it is noted together.
    var arrived: [Items.ContentHash: [Component: Piece]] = [:]

    /// The bytes of conflict copies that wait.
    var copied: Set<Items.ContentHash> = []
    /// What tools had set aside as conflict copies before what is live was saved: that comes from none of it.
    var setAside: [Component: Set<Items.ContentHash>] = [:]

    /// The bytes of one component.
    enum Piece {
        case item([JSON.Member])
        case text([UInt8]?)
        case files([Version.File])
    }

    /// - Returns: `nil` if there is no item.
    /// - Throws: `ItemError` if its item.json cannot be used, or a file cannot be read.
    init?(
        _ id: ItemID, in folder: String, _ session: WriteSession, _ states: KnownStates, _ bytes: KnownBytes?,
        isWorkTree: Bool, isDry: Bool = false,
        now: Timestamp
    ) throws(ItemError) {
        self.id = id
        self.folder = folder
        store = session.store
        self.session = session
        self.states = states
        self.bytes = bytes
        self.isWorkTree = isWorkTree
        self.now = now
        drafts = isDry ? VersionDrafts() : nil
        memory = states.read(id)
        let looked = memory
        guard var live = try SyncFolder.live(id, in: folder, session.store, &memory.files) else { return nil }
        if !isDry, try Self.giveValidName(live, in: session.store),
            let renamed = try SyncFolder.live(id, in: folder, session.store, &memory.files)
        {
            live = renamed
        }
        self.live = live
        let known = StateHashes(item: [], text: nil, files: memory.files.map(\.file))
        documentBefore = looked.files.first { Component(of: $0.file) == .document }
        replaced = live.hashes.replaced(since: known)
        isRenamed = live.isDocumentRenamed(since: memory.files)
        if replaced.contains(.document) {
            isDocumentInPlace = try Self.isInPlace(live, since: looked, in: session.store)
        }
        memory.files = live.knownFiles(after: memory.files)
        versionFolder = VersionFolder(of: folder, in: session.store)
        let listing = try versionFolder.list()
        outlines = listing.outlines
        texts = listing.texts
        graph = VersionGraph([], texts: [])
        try mend(listing.strangers)
        if !isWorkTree { try bringBackHistory() }
        updateGraph()
        memory.at = [memory.at, memory.from].lazy.compactMap(\.self).first { [graph] in graph.node(of: $0) != nil }
        memory.from = nil
        knewVersion = memory.at != nil
        hadVersions = !outlines.isEmpty
    }

    /// Looks at everything once.
    ///
    /// - Returns: whether the item has to be looked at again though no file changes: something waits, a copy is not joined, or there were
    ///   too many heads for one join.
    mutating func run() throws(ItemError) -> Bool {
        try mendSmallFiles()
        if memory.at == nil, try !begin() { return false }
        memory.waits(for: graph.incomplete, now: now)
        updateGraph()
        try noteDeletedLosers()
        try noteSaved()
        try absorbCopies()
        try takeOther()
        try removeFormerAssets()
        try observe()
        try settle()
        try bringBackConflicts()
        let isRenameYoung = try nameRenamedDocument()
        keepHistory()
        noteConflicts()
        try remember()
        if isRenameYoung || isPutYoung || memory.isUnsettled(now: now) || isUnusable || graph.heads.count > 1 {
            return true
        }
        let copies = try conflictCopies()
        return !copies.isEmpty
    }

    /// Notes what is new without joining, and waits for nothing: the item is about to change.
    ///
    /// - Returns: for each component that there is, a version that has its live bytes.
    mutating func explainLive() throws(ItemError) -> [Component: Items.ContentHash] {
        isPatient = false
        try mendSmallFiles()
        if memory.at == nil, try !begin() { memory.at = try noteFirst() }
        try noteDeletedLosers()
        try noteSetAside()
        try removeFormerAssets()
        try observe()
        try bringBackConflicts()
        try remember(isWhole: false)
        var found: [Component: Items.ContentHash] = [:]
        for component in Component.allCases {
            let names = graph.versions(with: component, live.hashes[component])
            if let at = memory.at, names.contains(at) {
                found[component] = at
            } else {
                // The latest of them: the person saw no later state.
                found[component] = names.max { depth($0) < depth($1) } ?? memory.at
            }
        }
        return found
    }

    /// Writes what is known now, and gives new files second names.
    ///
    /// - Parameter isWhole: whether this look also joined: only that removes documents that lie beside the present one.
    private mutating func remember(isWhole: Bool = true) throws(ItemError) {
        memory.lost = losersHere
        if isWhole {
            memory.beside = try filesBeside().subtracting(formerNamesLeft.subtracting(memory.beside))
        }
        memory.noteSmall(live.smallFiles)
        for component in replaced.union(commanded.intersection([.page])) {
            states.keepFiles(of: component, live, of: id, in: store, &memory.files)
        }
        do throws(FileError) {
            try states.write(memory, of: id)
        } catch {
            throw .file(error)
        }
    }

    func depth(_ name: Items.ContentHash) -> Int {
        graph.node(of: name).map { graph.lineage(of: $0).count } ?? 0
    }

    /// Looks for what was known of an item that this device knows no version of.
    ///
    /// - Returns: whether there is anything to look at.
    mutating func begin() throws(ItemError) -> Bool {
        if outlines.isEmpty, let base = try commonBase() {
            memory.at = try note(base.version, text: base.text)
            (isBaseKnown, isBaseCommon) = (true, true)
            return true
        }
        if let known = try lastBytes() {
            var isSame =
                known.hashes.item == live.hashes.item && known.hashes.text == live.hashes.text
                && !live.hasEditedDocument
            if isSame, try isRenamedFirst() { isSame = false }
            if other == nil, isSame, saved.isEmpty, outlines.isEmpty, try conflictCopies().isEmpty {
                return false
            }
            // Read after the edit alone: what it came from is among the versions that came.
            if isEditOfVersion(known) { return true }
            if other != nil, isSame {
                if try isExplained() { return true }
                if outlines.isEmpty, let base = baseOfCopy() {
                    memory.at = try note(base.version, text: base.text)
                    (isBaseKnown, isBaseCommon) = (true, true)
                    return true
                }
            }
            // An edit, an arrival or a copy: the root says what was here before.
            isBaseKnown = known.hashes != live.hashes
            if let version = graph.versions.first(where: { isState($0, known.hashes) }) {
                memory.at = version.name
            } else {
                let isLive = known.hashes.item == live.hashes.item && known.hashes.text == live.hashes.text
                memory.at = try note(
                    Version(
                        parents: [], item: known.members, text: known.hashes.text, files: known.files,
                        isEdited: !known.isAsWritten && !(isLive && live.isJustAsWritten)),
                    text: known.text)
            }
            return true
        }
        if !outlines.isEmpty { return true }
        // The first version of an item of which nothing is known: an edit that somebody made here, or a copy that a tool left.
        let copies = try conflictCopies()
        var isEdit = try store.isWrittenHere(.item, of: live)
        if !isEdit, live.text != nil { isEdit = try store.isWrittenHere(.text, of: live) }
        if copies.isEmpty, !isEdit, other == nil { return false }
        memory.at = try noteFirst()
        return true
    }

    /// Whether programs alone changed a state since sbfs wrote it, a version has the time at which it did, and what no version has is
    /// live.
    private func isEditOfVersion(_ state: LastState) -> Bool {
        guard let updated = outlines.lazy.compactMap(\.updatedAt).first(where: { $0 == Self.updatedAt(state.members) }),
            !graph.versions.contains(where: { isState($0, state.hashes) })
        else { return false }
        let unexplained = Component.allCases.filter { component in
            state.hashes[component].map { graph.versions(with: component, $0).isEmpty } ?? false
        }
        if unexplained.isEmpty { return true }
        return !graph.lacksState(of: updated.milliseconds)
            && unexplained.allSatisfy { component in
                state.hashes[component] == live.hashes[component]
                    && !live.isAsWritten(component, at: updated.milliseconds)
            }
    }

    /// Whether versions have all that is live, each file perhaps another one.
    private func isExplained() throws(ItemError) -> Bool {
        if outlines.isEmpty { return false }
        for component in Component.allCases {
            guard let value = live.hashes[component], graph.versions(with: component, value).isEmpty else { continue }
            if component != .document { return false }
            if try !hasUnrecordedDocument() { return false }
        }
        return true
    }

    static func updatedAt(_ members: [JSON.Member]) -> Timestamp? {
        let value = members.first { $0.key.utf8.elementsEqual(ItemField.updatedAt.key.utf8) }?.value
        if case .string(let time)? = value { return Timestamp(time) }
        return nil
    }

    /// Notes what is live as the first version.
    private mutating func noteFirst() throws(ItemError) -> Items.ContentHash {
        let version = Version(
            parents: [], item: live.members, text: live.hashes.text, files: firstFiles(),
            isEdited: !live.isJustAsWritten)
        return try note(version, text: live.text)
    }

    /// The state of an item without versions as it was last read. Unless this device synced others, its page and its document are
    /// taken for those of now.
    private func lastBytes() throws(ItemError) -> LastState? {
        guard let source = bytes?.last(id), let json = try? JSONDocument(parsing: source.item),
            json.kind(json.root) == .object
        else { return nil }
        let members = json.exactMembers(json.root)
        let hash = source.text.map { Items.ContentHash(of: $0) }
        let files = filesBefore()
        return LastState(
            members: members, text: source.text, files: files,
            hashes: StateHashes(item: members, text: hash, files: files), isAsWritten: source.isAsWritten)
    }

    /// An item without versions as it was last read.
    private struct LastState {
        let members: [JSON.Member]
        let text: [UInt8]?
        let files: [Version.File]
        let hashes: StateHashes
        /// Whether item.json and the text looked as sbfs wrote them.
        let isAsWritten: Bool
    }

    // MARK: The graph

    mutating func updateGraph() {
        graph = graph(but: [])
        if graph.incomplete.isEmpty { return }
        let gone = store.purgedVersions(of: id, outlines, texts)
        if !gone.isEmpty { graph = graph(but: gone) }
    }

    private func graph(but gone: Set<Items.ContentHash>) -> VersionGraph {
        VersionGraph(outlines, texts: texts, gone: gone, waited: memory.waited(now: now)) {
            [versionFolder, drafts] name throws(ItemError) in
            if let draft = drafts?.versions[name] { return draft }
            return try versionFolder.existing(name)
        }
    }

    /// Gives the bytes of a text in history/.
    var text: (Items.ContentHash) -> [UInt8]? {
        { [versionFolder, states, id, drafts, unread] hash in
            let text = drafts?.texts[hash] ?? ((try? versionFolder.text(hash)) ?? nil) ?? states.keptText(hash, of: id)
            if text == nil { unread.hashes.insert(hash) }
            return text
        }
    }

    var choice: ParentChoice { ParentChoice(graph, text: text) }

    func outline(_ name: Items.ContentHash?) -> VersionOutline? {
        name.flatMap { graph.place(of: $0) }.map { graph.versions[$0] }
    }

    /// Writes a version, durably.
    @discardableResult
    mutating func note(_ version: Version, text: [UInt8]?) throws(ItemError) -> Items.ContentHash {
        try write(version, text: text)
        if let hash = version.text { texts.insert(hash) }
        if graph.place(of: version.name) == nil {
            outlines.append(VersionOutline(version))
            updateGraph()
        }
        return version.name
    }

    /// Notes a version with other bytes of some components. What was written here, on the last state known, is foreseen.
    @discardableResult
    mutating func note(
        _ pieces: [Component: Piece], on parent: Items.ContentHash, resolved: [String] = [], isWrittenHere: Bool = false
    ) throws(ItemError) -> Items.ContentHash {
        let old = try existing(parent)
        var members = old.item, text = old.text, files = old.files, bytes: [UInt8]?
        for (component, piece) in pieces {
            switch piece {
            case .item(let new): members = new
            case .text(let new):
                bytes = new
                text = new.map { Items.ContentHash(of: $0) }
            case .files(let new): files = files.filter { Component(of: $0) != component } + new
            }
        }
        let version = Version(parents: [parent], item: members, text: text, files: files, resolved: resolved)
        if isWrittenHere, parent == memory.at, drafts == nil {
            states.foresee(version.name, on: parent, of: id, states.read(id))
        }
        return try note(version, text: bytes)
    }

    /// The live bytes of a component.
    func livePiece(_ component: Component) -> Piece {
        switch component {
        case .item: .item(live.members)
        case .text: .text(live.text)
        case .page, .document: .files(live.files.filter { Component(of: $0) == component })
        }
    }

    /// Bytes as the choice of a parent wants them.
    func evidence(_ component: Component, _ piece: Piece) -> ParentChoice.Bytes {
        switch piece {
        case .item(let members): .item(members)
        case .text(let bytes): .text(bytes ?? [])
        case .files(let files): component == .page ? .page : .document(files.first)
        }
    }
}
