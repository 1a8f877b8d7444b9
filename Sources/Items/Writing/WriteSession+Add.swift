internal import Files
package import JSONFormat
package import Time

/// The contents of a new item with its id, as the library makes it of an `Addition`.
public struct NewItem: Sendable {
    /// The id that the item gets.
    public var id: ItemID
    /// How the item starts: as a snippet, a link or a document.
    public var kind: Item.Kind
    /// The title that a person gave it; `nil` for none.
    package var title: String?
    /// Tags, with those of the form `collection:Name`.
    package var tags: [String] = []
    /// The link as written into item.json; `nil` for none.
    package var linkURL: String?
    /// How completely the link's page is saved; `nil` if unknown.
    public var archiveStatus: Item.ArchiveStatus?
    /// The bytes of text.md; `nil` for no such file.
    package var text: [UInt8]?
    /// The path of a file outside the library that is copied as the document; `nil` for none.
    package var documentPath: String?
    /// A copy of the document that the session already holds; instead of `documentPath`.
    package var stagedDocument: StagedDocument?
    /// Where the item comes from: a word of FORMAT.md § 5.3, such as `cli` or `import`, or a program's name.
    package var source = "cli"
    /// When the item was created.
    package var createdAt: Timestamp
    /// `nil` stands for `createdAt`.
    package var updatedAt: Timestamp?
    /// Whether item.json, text.md and the document get `updatedAt` as their modification time. An old item from
    /// elsewhere then does not count as changed today (FORMAT.md § 5.9).
    package var keepsTimes = false
    /// Further members of item.json, without those that the other properties make.
    package var members: [JSON.Member] = []

    /// Makes an item without contents; `time` is its creation time.
    package init(kind: Item.Kind, id: ItemID = .make(), at time: Timestamp = .now) {
        self.kind = kind
        self.id = id
        createdAt = time
    }
}

extension WriteSession {
    /// Adds new items to the library. They are durable when this returns.
    ///
    /// Each item is built in staging and appears atomically. All contents are synced before the first rename and all
    /// folders after the last, together for many items: one sync of the file system instead of several for each item.
    ///
    /// - Throws: `ItemError.tooLarge` for a document or text above its limit; then no item was added. After any other
    ///   error, the first items may have been added.
    package func add(_ items: [NewItem]) throws(ItemError) {
        let staging = try staging()
        var built = 0
        do throws(ItemError) {
            for item in items {
                built += 1
                try build(item, in: staging, isAlone: items.count < Self.groupThreshold)
            }
            if items.count >= Self.groupThreshold {
                try files { () throws(FileError) in try staging.directory.syncFileSystem() }
            }
        } catch {
            for item in items[..<built] { try? staging.directory.removeTree(item.id.description) }
            throw error
        }
        try makeShards(of: items)
        // Holds the lock in short turns, so that other commands never wait long.
        for start in stride(from: 0, to: items.count, by: 500) {
            let turn = items[start..<min(start + 500, items.count)]
            do throws(ItemError) {
                try journal { .added(turn.map { $0.added() }) }
                try locked { () throws(ItemError) in
                    try files { () throws(FileError) in try place(turn, from: staging) }
                }
            } catch {
                for item in items[start...] { try? staging.directory.removeTree(item.id.description) }
                throw error
            }
        }
        try files { () throws(FileError) in try syncShards(of: items) }
    }

    /// Adds items as one group. If one of them makes the group fail, adds them one by one.
    ///
    /// - Returns: the items that were not added, with their errors.
    /// - Throws: an error that concerns all of them, such as a full disk.
    package func addEach(_ items: [NewItem]) throws(ItemError) -> [ItemID: ItemError] {
        if items.isEmpty { return [:] }
        do throws(ItemError) {
            try add(items)
            return [:]
        } catch {
            if !error.concernsOneItem { throw error }
        }
        var failures: [ItemID: ItemError] = [:]
        for new in items {
            do throws(ItemError) {
                if try item(new.id) == nil { try add([new]) }
            } catch {
                if !error.concernsOneItem { throw error }
                failures[new.id] = error
            }
        }
        return failures
    }

    /// From this number of items on, one sync of the file system is cheaper than a sync of each file. Measured in
    /// BENCHMARKS.md, "Making new items durable".
    static let groupThreshold = 16

    private func build(_ item: NewItem, in staging: StagingFolder, isAlone: Bool) throws(ItemError) {
        if let text = item.text, text.count > Layout.textByteLimit {
            throw .tooLarge(name: Layout.textFile, byteCount: text.count, limit: Layout.textByteLimit)
        }
        let name = item.id.description
        try files { () throws(FileError) in _ = try staging.directory.makeDirectory(name) }
        let folder = try files { () throws(FileError) -> Directory in try staging.directory.directory(name) }
        var document: CopiedDocument?
        if let path = item.documentPath {
            try files { () throws(FileError) in _ = try folder.makeDirectory(Layout.document) }
            let target = try files { () throws(FileError) -> Directory in try folder.directory(Layout.document) }
            document = try CopiedDocument.copy(
                path, into: target, limit: store.settings.maxFileByteCount, isSynced: isAlone)
        } else if let staged = item.stagedDocument {
            try files { () throws(FileError) in
                try folder.makeDirectory(Layout.document)
                let target = try folder.directory(Layout.document)
                try staging.directory.move(staged.temporary, to: target, as: staged.copy.name)
                if isAlone {
                    try target.file(staged.copy.name).sync()
                    try target.sync()
                }
            }
            document = staged.copy
        }
        try files { () throws(FileError) in
            let time = item.keepsTimes ? item.updatedAt ?? item.createdAt : nil
            if let text = item.text { try Self.write(text, Layout.textFile, in: folder, at: time, isSynced: isAlone) }
            if let time, let document {
                try folder.file(Layout.document + "/" + document.name).setModified(Self.nanoseconds(time))
            }
            try Self.write(
                item.itemFile(document: document), Layout.itemFile, in: folder, at: time, isSynced: isAlone)
            if isAlone { try folder.sync() }
        }
    }

    private static func write(
        _ bytes: [UInt8], _ name: String, in folder: borrowing Directory, at time: Timestamp?, isSynced: Bool
    ) throws(FileError) {
        let file = try folder.createFile(name)
        try file.write(bytes)
        if let time { try file.setModified(Self.nanoseconds(time)) }
        if isSynced { try file.sync() }
    }

    /// Limited to 1901 and later, which every file system can store.
    private static func nanoseconds(_ time: Timestamp) -> Int64 {
        max(time.milliseconds, -2_147_483_648_000) * 1_000_000
    }

    private func place(_ items: ArraySlice<NewItem>, from staging: StagingFolder) throws(FileError) {
        let parent = try store.root.directory(Layout.items)
        for (shard, group) in Dictionary(grouping: items, by: \.id.shard) {
            let folder = try parent.directory(shard)
            for item in group {
                try staging.directory.move(item.id.description, to: folder, as: item.id.description)
                noteChange(item.id)
            }
        }
    }

    /// Makes missing shards and syncs them once, before the lock is taken.
    private func makeShards(of items: [NewItem]) throws(ItemError) {
        try files { () throws(FileError) in
            let parent = try store.root.directory(Layout.items)
            var isMade = false
            for shard in Set(items.map(\.id.shard)) where try parent.statusIfPresent(of: shard) == nil {
                isMade = try parent.makeDirectory(shard) || isMade
            }
            if isMade { try parent.sync() }
        }
    }

    private func syncShards(of items: [NewItem]) throws(FileError) {
        for shard in Set(items.map(\.id.shard)) { try store.root.directory(Layout.items + "/" + shard).sync() }
    }
}

extension NewItem {
    /// The item as the journal records it.
    fileprivate func added() -> AddedItem {
        // These bytes always parse.
        guard let json = try? JSONDocument(parsing: itemFile(document: nil)) else { return AddedItem(id, state: nil) }
        return AddedItem(id, json, text: text)
    }

    /// The canonical bytes of the item's item.json.
    func itemFile(document: CopiedDocument?) -> [UInt8] {
        let own: [(ItemField, JSON?)] = [
            (.id, .string(id.description)),
            (.type, .string(kind.rawValue)),
            (.title, title.map(JSON.string)),
            (.tags, tags.isEmpty ? nil : .strings(tags)),
            (.linkURL, linkURL.map(JSON.string)),
            (.archiveStatus, archiveStatus.map { .string($0.rawValue) }),
            (.documentRelativePath, document.map { .string(Layout.document + "/" + $0.name) }),
            (.documentName, document?.originalName.map(JSON.string)),
            (.documentSHA256, document.map { .string($0.sha256) }),
            (.source, .string(source)),
            (.createdAt, .string(createdAt.rfc3339)),
            (.updatedAt, .string((updatedAt ?? createdAt).rfc3339)),
        ]
        if members.isEmpty { return JSONWriter.file(.members(own.map { ($0.key, $1) })) }
        let keys = Set(own.map(\.0.key))
        var all = own.compactMap { field, value in value.map { JSON.Member(field.key, $0) } }
        all += members.filter { !keys.contains($0.key) }
        // Unknown keys follow the known ones, in their own order.
        let ranks = all.enumerated().map { (ItemField(key: Array($1.key.utf8)[...])?.rank ?? .max, $0) }
        return JSONWriter.file(.object(ranks.sorted(by: <).map { all[$0.1] }))
    }
}

extension ItemError {
    /// Whether the error leaves other items possible: a file is missing, unreadable or too large, but the disk is not
    /// full.
    fileprivate var concernsOneItem: Bool {
        switch self {
        case .tooLarge: true
        case .file(let error): error.operation == .open || error.operation == .read
        default: false
        }
    }
}
