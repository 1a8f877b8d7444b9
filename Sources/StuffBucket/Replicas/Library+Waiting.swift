internal import Files
public import Items
internal import JSONFormat

extension Library {
    /// What of an item waits to be joined. Only reads, also in a copy that cannot be written.
    ///
    /// - Throws: `ItemError.file` if a file cannot be read, `.cancelled`.
    public func waitingJoin(of stored: StoredItem, _ monitor: Monitor = Monitor()) throws(ItemError) -> WaitingJoin {
        let document = stored.document.flatMap { $0.isLoose ? nil : $0.name }
        let copies = try store.conflictCopies(in: stored.folder, document: document)
        let versions = try self.versions(of: stored, monitor).versions
        let heads = versions.count(where: \.isHead)
        return WaitingJoin(
            id: stored.id, versionCount: heads > 1 ? heads : 0, incompleteCount: versions.count(where: \.isWaiting),
            isChanged: !versions.isEmpty && !versions.contains(where: \.isCurrent),
            isHeld: try KnownStates(reading: store).read(stored.id).isHolding,
            copies: copies.map { stored.folder + "/" + $0.path },
            copiesForPerson: copies.filter { !isJoined($0, stored) }.map { stored.folder + "/" + $0.path },
            isPurgedElsewhere: (try? store.isPurgedElsewhere(stored)) ?? false)
    }

    /// Whether a command joins a conflict copy, at once or after a day.
    private func isJoined(_ copy: ConflictCopy, _ stored: StoredItem) -> Bool {
        switch copy.original {
        case Layout.itemFile:
            guard
                let contents = try? store.root.contentsIfPresent(
                    of: stored.folder + "/" + copy.path, limit: Layout.textByteLimit),
                let json = try? JSONDocument(parsing: contents.bytes)
            else { return false }
            return json.kind(json.root) == .object && copy.isOf(stored.id, json)
        case let original: return !Layout.captureFiles.contains(original)
        }
    }

    /// The items of which something waits to be joined, sorted by id.
    ///
    /// Looks at the items that other programs changed, as far as the index has noticed, and at those with a tombstone; in a library
    /// that cannot be written, at all items. Items that cannot be read are passed over.
    ///
    /// - Throws: `ItemError` if the items cannot be listed, `.cancelled`.
    public func waitingJoins(_ monitor: Monitor = Monitor()) throws -> [WaitingJoin] {
        let candidates: Set<ItemID>
        if let list = ForeignChanges(store) {
            let purged = try store.tombstones().filter { id in
                guard let stored = (try? store.item(id)) ?? nil else { return false }
                return (try? store.isPurgedElsewhere(stored)) ?? false
            }
            candidates = Set(purged).union(list.read()?.ids ?? [])
        } else {
            candidates = Set(try ids())
        }
        let found = try Workers.map(Array(candidates), pieceSize: 64) { id -> WaitingJoin? in
            try monitor.check()
            guard let stored = (try? self.store.item(id)) ?? nil,
                let waiting = try? self.waitingJoin(of: stored, monitor)
            else { return nil }
            return waiting.isEmpty ? nil : waiting
        }
        return found.compactMap(\.self).sorted { $0.id < $1.id }
    }

    /// Conflict copies of library.json, of files of collections/, tags/ and smart/, and of tombstones, that are not joined:
    /// their paths, relative to the library's folder.
    public func waitingSmallFiles() -> [String] { (store.smallFileCopies() + store.tombstoneCopies()).map(\.path) }
}
