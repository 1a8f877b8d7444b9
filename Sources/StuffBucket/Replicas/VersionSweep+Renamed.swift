internal import Files
internal import Items
internal import JSONFormat
internal import Merge
internal import Time

/// A document that a program renamed: Documentation/Merge.md § 3. Copying programs bring the new name and leave the old one.
extension VersionSweep {
    /// Whether a program renamed the document of an item without versions. Nothing tells on which device: each notes the same versions.
    func isRenamedFirst() throws(ItemError) -> Bool {
        if hadVersions || isWorkTree || other != nil { return false }
        if live.hasRenamedDocument { return true }
        guard live.hashes.document == nil, let hash = live.documentHash else { return false }
        return try fileBeside(with: hash) != nil
    }

    /// Whether the document lay beside another one at the last look: a person put it in the place of that.
    var wasBeside: Bool {
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
            let head = graph.heads.first, let former = live.documentPath,
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
        if abs(now.milliseconds - status.changed / 1_000_000) < Self.renameMilliseconds { return true }
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

    /// The time for which a program may be about to write a file under the name of one that it renamed.
    private static let renameMilliseconds: Int64 = 2000

    /// Removes the document under its former names, if the one that stands is in document/ under its own. A version must have
    /// these bytes under that name. What nobody replaced, and has other bytes, is kept as a lost document.
    ///
    /// Where the one that stands is live already, only files go that a program renamed, or got by renaming, and that are older than what is
    /// known of them: what a person put beside it later stays.
    mutating func removeFormerNames(_ state: ItemState) throws(ItemError) {
        guard !isWorkTree, drafts == nil, let winner = state.files.first(where: { Component(of: $0) == .document }),
            live.away.isEmpty, lies(winner)
        else { return }
        let isLive = live.files.contains(winner)
        if isLive, try store.fileNames(in: folder + "/" + Layout.document).count < 2 { return }
        let past = try DocumentPast(self)
        var isChanged = false
        for file in past.files where !file.isAt(winner.path) && lies(file) {
            guard let status = (try? store.root.statusIfPresent(of: folder + "/" + file.path)) ?? nil else { continue }
            if isLive, !past.wasRenamed(file) || status.modified / 1_000_000 >= birth(of: past.versions(with: file)) {
                continue
            }
            if file.sha256 != winner.sha256, !past.wasReplaced(file) {
                let own = OtherCopy(store, folder: folder)
                if let path = try session.keepDocument(file, from: own, of: id, in: folder) { kept.append(path) }
            }
            if live.files.contains(file) { states.keepFiles(of: .document, live, of: id, in: store, &memory.files) }
            if try session.removeDocument((file.path, status), of: id, in: folder) { isChanged = true }
        }
        if isChanged { try lookAgain() }
    }

    /// When the first of some versions was made here, in milliseconds since 1970; the earliest time if nothing tells.
    private func birth(of versions: [Items.ContentHash]) -> Int64 {
        let first = versions.map(versionFolder.birth).min() ?? .max
        return first == .max ? .min : first
    }

    /// The document of a first version that does not record it, since a program had changed it already, if it lies where item.json says: with
    /// the hash that item.json says, which may not be that of the file.
    fileprivate func unrecordedDocument(of version: Version) throws(ItemError) -> Version.File? {
        guard let path = LiveState.documentPath(in: version.item), Component(ofFileAt: path) == .document,
            Directory.isSafe(path), let hash = LiveState.documentHash(in: version.item),
            let status = (try? store.root.statusIfPresent(of: folder + "/" + path)) ?? nil, status.kind == .regular
        else { return nil }
        return Version.File(path: path, sha256: hash, size: status.byteCount)
    }

    /// Whether a file of a version is in the item's folder.
    private func lies(_ file: Version.File) -> Bool {
        guard Directory.isSafe(file.path), let item = try? store.root.directory(folder),
            (try? item.statusIfPresent(of: file.path))??.byteCount == file.size
        else { return false }
        return (try? ItemStore.hashed(file.path, in: item)) ?? nil == file
    }
}

extension [JSON.Member] {
    /// Gives the item another time of its last change, if it has one.
    fileprivate mutating func set(updatedAt time: Timestamp) {
        let key = ItemField.updatedAt.key
        guard let place = firstIndex(where: { $0.key.utf8.elementsEqual(key.utf8) }) else { return }
        self[place] = JSON.Member(key, .string(time.rfc3339))
    }
}

/// The documents that an item's versions have.
private struct DocumentPast {
    private var names: [Version.File: [Items.ContentHash]] = [:]
    private var renamed: Set<Version.File> = []
    private var replaced: Set<Version.File> = []
    private var replacedBytes: Set<Items.ContentHash> = []

    init(_ sweep: VersionSweep) throws(ItemError) {
        var documents: [Items.ContentHash: Set<Version.File>] = [:]
        for outline in sweep.outlines where outline.content.document != nil || outline.parents.isEmpty {
            let version = try sweep.existing(outline.name)
            var files = version.files.filter { Component(of: $0) == .document }
            if files.isEmpty { files = try sweep.unrecordedDocument(of: version).map { [$0] } ?? [] }
            documents[outline.name] = Set(files)
            for file in files { names[file, default: []].append(outline.name) }
        }
        for outline in sweep.outlines {
            let now = documents[outline.name] ?? []
            let hashes = Set(now.map(\.sha256))
            for parent in outline.parents {
                let gone = (documents[parent] ?? []).subtracting(now)
                for file in gone where hashes.contains(file.sha256) {
                    renamed.insert(file)
                    renamed.formUnion(now.filter { $0.sha256 == file.sha256 })
                }
                if outline.parents.count > 1 { continue }
                replaced.formUnion(gone)
                replacedBytes.formUnion(gone.map(\.sha256).filter { !hashes.contains($0) })
            }
        }
    }

    /// Sorted by path.
    var files: [Version.File] { names.keys.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) } }

    func versions(with file: Version.File) -> [Items.ContentHash] { names[file] ?? [] }

    /// Whether a program renamed it, or it got its name so.
    func wasRenamed(_ file: Version.File) -> Bool { renamed.contains(file) }

    /// Whether somebody put another document in its place, or edited it under another name.
    func wasReplaced(_ file: Version.File) -> Bool {
        replaced.contains(file) || renamed.contains(file) && replacedBytes.contains(file.sha256)
    }
}
