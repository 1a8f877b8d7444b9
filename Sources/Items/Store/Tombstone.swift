internal import Files
package import JSONFormat
package import Time

/// What says that an item was purged: FORMAT.md § 10.
package struct Tombstone: Equatable, Sendable {
    /// When; `nil` if the file does not say.
    package var purgedAt: Timestamp?
    /// The versions that the purge found.
    package var versions: Set<ContentHash> = []
    /// The hashes of each component of these versions and of the item as it was found, and of its files that no version has.
    package var hashes: Set<ContentHash> = []

    /// The largest tombstone that is read: 16 MiB, some 100,000 versions.
    package static let byteLimit = 16 << 20

    /// Reads a tombstone. What it does not say, or says wrongly, counts as absent.
    package init(_ bytes: [UInt8]) throws(JSONError) {
        let json = try JSONDocument(parsing: bytes)
        func list(_ key: String) -> Set<ContentHash> {
            guard let list = json.member(key, of: json.root), json.kind(list) == .array else { return [] }
            return Set(json.elements(list).compactMap { json.string($0).flatMap { ContentHash(hex: $0.utf8) } })
        }
        purgedAt = json.member("purgedAt", of: json.root).flatMap { json.string($0) }.flatMap(Timestamp.init)
        versions = list("versions")
        hashes = list("hashes")
    }

    /// The tombstone of an item that is about to be purged. What cannot be read is not listed: a tombstone that says less
    /// purges less elsewhere.
    init(of stored: StoredItem, in store: ItemStore, at time: Timestamp) {
        purgedAt = time
        let text = try? store.root.contentsIfPresent(
            of: stored.folder + "/" + Layout.textFile, limit: Layout.textByteLimit)
        hashes = [
            StateHashes.item(stored.json), (text ?? nil).map { ContentHash(of: $0.bytes) },
        ].reduce(into: []) { if let hash = $1 { $0.insert(hash) } }
        let document = stored.item.documentRelativePath
        let own = try? store.ownHashes(in: stored.folder) { $0 == document }
        hashes.formUnion(own ?? [])
        guard let listing = try? VersionFolder(of: stored.folder, in: store).list() else { return }
        for outline in listing.outlines {
            versions.insert(outline.name)
            for component in Component.allCases {
                if let hash = outline.content[component] { hashes.insert(hash) }
            }
        }
    }

    /// Whether it lists nothing that the purge found, as those of older programs do.
    package var listsNothing: Bool { hashes.isEmpty }

    /// Whether an item had its state before the purge, by its time: all that a tombstone says that lists nothing. One of more
    /// than a day ahead of the clock says nothing: every later change would be before it.
    func isLater(than stored: StoredItem, now: Timestamp = .now) -> Bool {
        guard let purgedAt, purgedAt <= now.adding(seconds: 86_400) else { return false }
        return stored.effectiveUpdatedAt <= purgedAt
    }

    /// What two devices say of the same item.
    package func united(with other: Tombstone) -> Tombstone {
        var united = self
        united.purgedAt = [purgedAt, other.purgedAt].compactMap { $0 }.max()
        united.versions.formUnion(other.versions)
        united.hashes.formUnion(other.hashes)
        return united
    }

    /// The file.
    package func bytes(of id: ItemID) -> [UInt8] {
        func list(_ hashes: Set<ContentHash>) -> JSON? { hashes.isEmpty ? nil : .strings(hashes.sorted().map(\.hex)) }
        return JSONWriter.file(
            .members([
                ("id", .string(id.description)), ("purgedAt", purgedAt.map { .string($0.rfc3339) }),
                ("versions", list(versions)), ("hashes", list(hashes)),
            ]))
    }

    /// Whether an item was purged in the state that it has: the purge found its versions, and the bytes of each of its components
    /// and of each file that no version has. Of a purge by an older program, whose tombstone lists nothing, the trash and the time say so.
    ///
    /// - Throws: `ItemError.file` if a file of the item cannot be read.
    package func purges(_ glance: ItemGlance, in store: ItemStore) throws(ItemError) -> Bool {
        let stored = glance.stored
        if listsNothing { return stored.item.hasBothTrashMarks && isLater(than: stored) }
        let names = try VersionFolder(of: glance.folder, in: store).names().versions
        guard purgedAt != nil, versions.isSuperset(of: names) else { return false }
        // The cheap ones first: most items with a tombstone were edited.
        guard hashes.contains(StateHashes.item(stored.json)) else { return false }
        let live = try store.live(glance).hashes
        guard Component.allCases.allSatisfy({ live[$0].map(hashes.contains) ?? true }) else { return false }
        return try files { () throws(FileError) in
            try store.ownHashes(in: glance.folder) { glance.statuses.index(exactly: $0) != nil }
                .allSatisfy(hashes.contains)
        }
    }
}
