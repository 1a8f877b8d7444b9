internal import Files
internal import Items
internal import JSONFormat
internal import Merge
internal import Time

/// A document under a name that item.json does not say, because a program renamed it, or moved it: Documentation/Merge.md § 2.
extension VersionSweep {
    /// Whether a program renamed the document of an item without versions. Nothing tells on which device: each notes the same versions.
    func isRenamedFirst() throws(ItemError) -> Bool {
        if hadVersions || isWorkTree || other != nil { return false }
        if live.hasRenamedDocument { return true }
        guard live.hashes.document == nil, let hash = live.documentHash else { return false }
        return try fileBeside(with: hash) != nil
    }

    /// Renames a document whose name holds a control character, as `attach` does: no item.json may say such a name (FORMAT.md § 21), and
    /// no version.
    ///
    /// - Returns: whether it has another name now. It keeps its name if another file has that one.
    static func giveValidName(_ live: LiveState, in store: ItemStore) throws(ItemError) -> Bool {
        guard let path = live.files.first(where: { Component(of: $0) == .document })?.path,
            path.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }),
            let name = path.pathComponents.last
        else { return false }
        do throws(FileError) {
            let folder = try store.root.directory(live.folder + "/" + Layout.document)
            try folder.move(name, to: folder, as: Layout.documentName(for: FileName(name)).name)
            return true
        } catch {
            if error.isTaken || error.isAbsent || error.isDenied { return false }
            throw .file(error)
        }
    }

    /// Whether the document lay beside another one at the last look, and a person put it in the place of that.
    var isPutFromBeside: Bool { wasBeside && !isOnlyNamed }

    /// Whether the item.json of another copy names a file that lay beside the document at the last look, and to which nothing was done since:
    /// no person chose it.
    var isOnlyNamed: Bool {
        guard wasBeside, let status = live.status(of: .document), status.changed <= memory.noted,
            let named = live.documentPath, live.files.contains(where: { $0.isAt(named) })
        else { return false }
        return live.hashes.item != outline(memory.at)?.content.item
            && !graph.versions(with: .item, live.hashes.item).isEmpty
    }

    /// Whether the document was here at the last look, which did not take it for one of this device, and nothing was done to it since.
    var stayed: Bool {
        guard let value = live.hashes.document, memory.showing[.document] == value, !replaced.contains(.document) else {
            return false
        }
        return memory.putOn(value) == nil
    }

    private var wasBeside: Bool {
        guard let status = live.status(of: .document) else { return false }
        return memory.beside.contains(.init(inode: status.inode, modified: status.modified))
    }

    /// The other files in document/, but for temporary ones.
    func filesBeside() throws(ItemError) -> Set<KnownState.Beside> {
        let own = live.files.first { Component(of: $0) == .document }?.path
        var found: Set<KnownState.Beside> = []
        for name in try store.fileNames(in: folder + "/" + Layout.document) where !Layout.isTemporary(name) {
            let path = Layout.document + "/" + name
            if own?.utf8.elementsEqual(path.utf8) ?? false { continue }
            guard let status = (try? store.root.statusIfPresent(of: folder + "/" + path)) ?? nil else { continue }
            found.insert(.init(inode: status.inode, modified: status.modified))
        }
        return found
    }

    /// Gives item.json the name of a document that a program renamed: where another file is in document/, nothing else tells which one is
    /// the document. But for the document, what is live must be the head, and an earlier version must have had the name.
    ///
    /// - Returns: whether the document was renamed a moment ago: a program that saves a file may be about to write one under the former
    ///   name.
    mutating func nameRenamedDocument() throws(ItemError) -> Bool {
        guard !isWorkTree, other == nil, drafts == nil, live.away.isEmpty, graph.heads.count == 1,
            let head = graph.heads.first
        else { return false }
        // A join may have written item.json since the look.
        let isNamed = live.documentPath.map { path in live.files.contains { $0.isAt(path) } }
        if isNamed == false, live.hashes.item != graph.versions[head].content.item { try lookAgain() }
        guard let former = live.documentPath,
            !live.files.contains(where: { $0.isAt(former) }), try hadName(former, head),
            let file = try renamedDocument(head, former)
        else { return false }
        let status: FileStatus?
        do throws(FileError) {
            status = try store.root.statusIfPresent(of: folder + "/" + file.path)
        } catch {
            throw .file(error)
        }
        guard let status else { return false }
        if isYoung(status) { return true }
        var members = live.members
        members.name(document: [file])
        // rsync compares whole seconds, and each device has to note the same.
        if let time = live.updatedAt { members.set(updatedAt: Timestamp(milliseconds: time + 1000)) }
        try note(
            [.item: .item(members), .document: .files([file])], on: graph.versions[head].name, isWrittenHere: true)
        try settle()
        return false
    }

    /// The document under a name that item.json does not say: the one that is live as in the head; where none is, since several files are
    /// in document/, the one with the bytes of the head's, or of the one that sbfs stored.
    private func renamedDocument(_ head: Int, _ former: String) throws(ItemError) -> Version.File? {
        let content = graph.versions[head].content
        let isSame = [Component.item, .text, .page].allSatisfy { content[$0] == live.hashes[$0] }
        if !isSame { return nil }
        if let file = live.files.first(where: { Component(of: $0) == .document }) {
            return content.document == live.hashes.document ? file : nil
        }
        let known = try existing(graph.versions[head].name).files.first { Component(of: $0) == .document }
        if let known, !known.isAt(former), lies(known) { return known }
        guard let hash = known?.sha256 ?? live.documentHash else { return nil }
        return try fileBeside(with: hash)
    }

    /// The only file in document/ with these bytes, which did not lose; `nil` if there is none, or several.
    private func fileBeside(with hash: Items.ContentHash) throws(ItemError) -> Version.File? {
        var found: Version.File?
        let path = folder + "/" + Layout.document
        do throws(FileError) {
            if try store.root.statusIfPresent(of: path)?.kind != .directory { return nil }
            let item = try store.root.directory(folder)
            for entry in try store.root.directory(path).entries() where entry.kind == .regular {
                guard let name = entry.name.string, !Layout.isTemporary(name),
                    !Layout.isConflictName(Array(name.utf8)),
                    let file = try ItemStore.hashed(Layout.document + "/" + name, in: item), file.sha256 == hash
                else { continue }
                if found != nil { return nil }
                found = file
            }
        } catch {
            throw .file(error)
        }
        return found
    }

    /// Whether item.json has the name of the document, and its hash, from a version whose document had that name, or was not known.
    private func hadName(_ path: String, _ head: Int) throws(ItemError) -> Bool {
        for place in graph.lineage(of: head) {
            let version = try existing(graph.versions[place].name)
            guard let named = LiveState.documentPath(in: version.item), named.utf8.elementsEqual(path.utf8),
                LiveState.documentHash(in: version.item) == live.documentHash
            else { continue }
            let document = version.files.first { Component(of: $0) == .document }
            if document.map({ $0.isAt(path) }) ?? true { return true }
        }
        return false
    }

    /// Whether a file changed less than two seconds ago: a program may be about to write another one under the name of one that it renamed,
    /// or to give folders their times.
    func isYoung(_ status: FileStatus) -> Bool { abs(now.milliseconds - status.changed / 1_000_000) < 2000 }
}

extension [JSON.Member] {
    /// Gives the item another time of its last change, if it has one.
    fileprivate mutating func set(updatedAt time: Timestamp) {
        let key = ItemField.updatedAt.key
        guard let place = firstIndex(where: { $0.key.utf8.elementsEqual(key.utf8) }) else { return }
        self[place] = JSON.Member(key, .string(time.rfc3339))
    }
}
