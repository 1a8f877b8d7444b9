internal import Files
internal import Items
internal import Merge

/// A document that a program renamed: Documentation/Merge.md § 3. Copying programs bring the new name and leave the old one.
extension VersionSweep {
    /// Whether a program renamed the document of an item without versions. Nothing tells on which device: each notes the same versions.
    var isRenamedFirst: Bool { !hadVersions && !isWorkTree && other == nil && live.hasRenamedDocument }

    /// Gives item.json the name of a document that a program renamed: where another file comes into document/, nothing else tells which
    /// one is the document. What is live must be the head, and the name in item.json that of the same document in an earlier version.
    ///
    /// - Returns: whether the document was renamed a moment ago: a program that saves a file may be about to write one under the former
    ///   name.
    mutating func nameRenamedDocument() throws(ItemError) -> Bool {
        guard !isWorkTree, other == nil, drafts == nil, graph.heads.count == 1, let head = graph.heads.first,
            graph.versions[head].content == live.hashes, let former = live.documentPath,
            let file = live.files.first(where: { Component(of: $0) == .document }), !file.isAt(former),
            let status = live.statuses[file.path], try hasDocument(at: former, in: graph.lineage(of: head))
        else { return false }
        let age = now.milliseconds - status.changed / 1_000_000
        if abs(age) < Self.renameMilliseconds { return true }
        var members = live.members
        members.name(document: [file])
        try note([.item: .item(members)], on: graph.versions[head].name, isWrittenHere: true)
        try settle()
        return false
    }

    /// Whether a version had the document that item.json names at a path, as sbfs stored it.
    private func hasDocument(at path: String, in places: [Int]) throws(ItemError) -> Bool {
        for place in places where graph.versions[place].content.document != nil {
            let files = try existing(graph.versions[place].name).files
            if files.contains(where: { $0.isAt(path) && live.documentHash ?? $0.sha256 == $0.sha256 }) { return true }
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
            if try session.removeDocument((file.path, status), of: id, in: folder) { isChanged = true }
        }
        if isChanged { try lookAgain() }
    }

    /// When the first of some versions was made here, in milliseconds since 1970; the earliest time if nothing tells.
    private func birth(of versions: [Items.ContentHash]) -> Int64 {
        let first = versions.map(versionFolder.birth).min() ?? .max
        return first == .max ? .min : first
    }

    /// Whether a file of a version is in the item's folder.
    private func lies(_ file: Version.File) -> Bool {
        guard Directory.isSafe(file.path), let item = try? store.root.directory(folder),
            (try? item.statusIfPresent(of: file.path))??.byteCount == file.size
        else { return false }
        return (try? ItemStore.hashed(file.path, in: item)) ?? nil == file
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
        for outline in sweep.outlines where outline.content.document != nil {
            let files = try sweep.existing(outline.name).files.filter { Component(of: $0) == .document }
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
