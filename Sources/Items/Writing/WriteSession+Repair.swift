internal import Files
internal import JSONFormat

extension WriteSession {
    /// Makes the repair that a finding offers.
    ///
    /// - Parameter lastItemFile: gives the item.json of an item's last version, as its history/ has it; `nil` without one.
    /// - Returns: what was done.
    package func repair(
        _ repair: Finding.Repair, _ lastItemFile: (ItemID, _ folder: String) throws -> [UInt8]? = { _, _ in nil }
    ) throws(ItemError) -> Finding.Repair.Outcome {
        switch repair {
        case .moveToShard(let folder, let id):
            try moveFolder(folder, to: id)
            return .moved(folder: folder, to: Layout.itemFolder(id))
        case .newID(let folder):
            let id = ItemID.make()
            try giveID(id, to: folder)
            return .gaveID(id, folder: folder)
        case .itemFile(let id, let folder):
            try putBack(lastItemFile, of: id, in: folder)
            return .broughtBack(id)
        case .removeTombstone(let id):
            try touchPurged(id)
            try journal { .lasting(id, .repair) }
            try files { () throws(FileError) in
                let shard = try store.root.directory(Layout.tombstones + "/" + id.shard)
                try shard.removeFile(id.description + ".json")
                try shard.sync()
            }
            return .removedTombstone(id)
        case .recordHash(let id, let sha256):
            guard let stored = try store.item(id) else { throw .noItem(id) }
            var edit = ItemEdit(base: stored.json)
            edit.set(.documentSHA256, .string(sha256))
            try update(stored, edit)
            return .recordedHash(id)
        }
    }

    /// Gives an item that is as a purge saw it a new time. Other devices have the tombstone too, and the item comes to them only with
    /// something that the purge did not see.
    private func touchPurged(_ id: ItemID) throws(ItemError) {
        guard let stored = (try? store.item(id)) ?? nil, let tombstone = (try? store.tombstoneContents(of: id)) ?? nil
        else { return }
        if try !store.isPurged(stored) {
            guard let glance = try store.glance(id, in: stored.folder), try tombstone.purges(glance, in: store) else {
                return
            }
        }
        var edit = ItemEdit(base: stored.json)
        edit.touch()
        try update(stored, edit)
    }

    private func putBack(
        _ lastItemFile: (ItemID, _ folder: String) throws -> [UInt8]?, of id: ItemID, in folder: String
    ) throws(ItemError) {
        let path = folder + "/" + Layout.itemFile
        let seen = try files { () throws(FileError) in try store.root.statusIfPresent(of: path) }
        let bytes: [UInt8]?
        do {
            bytes = try lastItemFile(id, folder)
        } catch {
            throw error as? ItemError ?? .refused(.other(error, path: path))
        }
        guard let bytes else { throw .refused(.noVersion(path: folder + "/" + Layout.history, nil)) }
        let staged = try stageArchive()
        defer { discard(staged) }
        try files { () throws(FileError) in
            try Directory(path: staged.path).writeFile(Layout.itemFile, bytes)
        }
        if try !mend(Layout.itemFile, from: staged, of: id, in: folder, seen: seen) { throw .overtaken(path: path) }
    }

    private func moveFolder(_ folder: String, to id: ItemID) throws(ItemError) {
        let parts = folder.split(separator: "/").map(String.init)
        try journal { .lasting(id, .repair) }
        try locked { () throws(ItemError) in
            try files { () throws(FileError) in
                let shard = Layout.items + "/" + id.shard
                if try store.root.makeDirectory(shard) { try store.root.directory(Layout.items).sync() }
                let source = try store.root.directory(parts.dropLast().joined(separator: "/"))
                let target = try store.root.directory(shard)
                try source.move(parts[parts.count - 1], to: target, as: id.description)
                noteChange(id)
                try target.sync()
                try source.sync()
            }
        }
    }

    /// The id is written into item.json first. If this is interrupted, the copy still is no item and is found again.
    private func giveID(_ id: ItemID, to folder: String) throws(ItemError) {
        guard let contents = try store.itemFile(in: folder) else { throw .refused(.noItemFile(folder: folder)) }
        let json = try store.parse(contents.bytes, folder: folder)
        guard json.kind(json.root) == .object else { throw .refused(.noObject(folder: folder)) }
        _ = try FileChange(session: self, target: .item(id, in: folder, Layout.itemFile)) { bytes in
            bytes == json.bytes
                ? try json.rewriting([(ItemField.id.key, .string(id.description))]) {
                    ItemField(key: Array($0.utf8)[...])?.rank
                } : nil
        } describe: { error, _ in
            .refused(.other(error, path: folder))
        }.run()
        try moveFolder(folder, to: id)
    }
}
