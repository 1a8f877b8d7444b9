internal import Files
internal import Items

/// The documents that an item's versions have.
struct DocumentPast {
    private var names: [Version.File: [Items.ContentHash]] = [:]
    private var renamed: Set<Version.File> = []
    private var replaced: Set<Version.File> = []
    private var replacedBytes: Set<Items.ContentHash> = []
    private var takenOut: Set<Version.File> = []

    init(_ sweep: VersionSweep) throws(ItemError) {
        var documents: [Items.ContentHash: Set<Version.File>] = [:]
        for outline in sweep.outlines where outline.content.document != nil || outline.parents.isEmpty {
            let version = try sweep.existing(outline.name)
            var files = version.files.filter { Component(of: $0) == .document }
            if files.isEmpty { files = try sweep.unrecordedDocument(of: version).map { [$0] } ?? [] }
            documents[outline.name] = Set(files)
            for file in files { names[file, default: []].append(outline.name) }
        }
        let graph = sweep.graph
        for outline in sweep.outlines {
            let now = documents[outline.name] ?? []
            let hashes = Set(now.map(\.sha256))
            for parent in outline.parents {
                let gone = (documents[parent] ?? []).subtracting(now)
                if gone.isEmpty { continue }
                for file in gone where hashes.contains(file.sha256) {
                    renamed.insert(file)
                    renamed.formUnion(now.filter { $0.sha256 == file.sha256 })
                }
                if outline.parents.count > 1 { continue }
                replaced.formUnion(gone)
                // `undo` brings an earlier document back: what made way for that may have lain beside it before.
                let isBack = now.contains { file in
                    (names[file] ?? []).contains { graph.isAncestor($0, of: parent) }
                }
                if !isBack { takenOut.formUnion(gone) }
                replacedBytes.formUnion(gone.map(\.sha256).filter { !hashes.contains($0) })
            }
        }
    }

    /// Sorted by path.
    var files: [Version.File] { names.keys.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) } }

    func versions(with file: Version.File) -> [Items.ContentHash] { names[file] ?? [] }

    /// Whether a program renamed it, or it got its name so.
    func wasRenamed(_ file: Version.File) -> Bool { renamed.contains(file) }

    /// Whether somebody took it out of the item, or put a new document in its place.
    func wasTakenOut(_ file: Version.File) -> Bool { takenOut.contains(file) }

    /// Whether somebody put another document in its place, or edited it under another name.
    func wasReplaced(_ file: Version.File) -> Bool {
        replaced.contains(file) || renamed.contains(file) && replacedBytes.contains(file.sha256)
    }
}

extension VersionSweep {
    /// The document of a first version that does not record it, since a program had changed it already, if it lies where item.json says: with
    /// the hash that item.json says, which may not be that of the file.
    fileprivate func unrecordedDocument(of version: Version) throws(ItemError) -> Version.File? {
        guard let path = LiveState.documentPath(in: version.item), Component(ofFileAt: path) == .document,
            Directory.isSafe(path), let hash = LiveState.documentHash(in: version.item),
            let status = (try? store.root.statusIfPresent(of: folder + "/" + path)) ?? nil, status.kind == .regular
        else { return nil }
        return Version.File(path: path, sha256: hash, size: status.byteCount)
    }
}
