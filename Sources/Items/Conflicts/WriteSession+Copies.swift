internal import Files

/// Conflict copies that are joined: Documentation/Merge.md § 5.
extension WriteSession {
    /// Removes a copy, if it still has the bytes that were read.
    ///
    /// - Parameters:
    ///   - path: relative to the library's folder.
    ///   - id: the item whose folder it is in; `nil` for a small file.
    /// - Returns: false if another program changed it meanwhile; it stays.
    @discardableResult
    package func removeCopy(_ path: String, seen: [UInt8], of id: ItemID? = nil) throws(ItemError) -> Bool {
        let parts = path.split(separator: "/").map(String.init)
        guard Directory.isSafe(path), let name = parts.last else { return false }
        let isRemoved = try locked { () throws(ItemError) -> Bool in
            try files { () throws(FileError) -> Bool in
                let parent =
                    try parts.count == 1
                    ? store.root.duplicate() : store.root.directory(parts.dropLast().joined(separator: "/"))
                guard try parent.contentsIfPresent(of: name, limit: seen.count)?.bytes == seen else { return false }
                try parent.removeFile(name)
                try parent.sync()
                return true
            }
        }
        if let id { noteChange(id) }
        return isRemoved
    }

    /// Puts a conflict copy of a document where a document lies that lost: beside the document, as
    /// `<name>.conflict-<hash8>.<extension>`. A copy with the bytes of a file that is there goes.
    ///
    /// - Parameter document: the item's document, as it is live.
    /// - Returns: the new path, relative to the item's folder; `nil` if the copy went, or stays because it changed.
    package func keepDocumentCopy(
        _ copy: ConflictCopy, beside document: Version.File, of id: ItemID, in folder: String
    ) throws(ItemError) -> String? {
        guard let name = copy.path.pathComponents.last, let original = copy.original.pathComponents.last else {
            return nil
        }
        let kept: String? = try locked { () throws(ItemError) -> String? in
            try files { () throws(FileError) -> String? in
                let documents = try store.root.directory(folder + "/" + Layout.document)
                guard let seen = try documents.statusIfPresent(of: name), seen.kind == .regular else { return nil }
                guard let file = try ItemStore.hashed(name, in: documents),
                    try documents.statusIfPresent(of: name)?.isSameVersion(as: seen) == true
                else { return nil }
                let hash = file.sha256
                let kept = Layout.conflictName(of: original, hash)
                var isHere = hash == document.sha256
                if !isHere, try documents.statusIfPresent(of: kept)?.kind == .regular {
                    isHere = try ItemStore.hashed(kept, in: documents)?.sha256 == hash
                }
                if isHere {
                    try documents.removeFile(name)
                } else {
                    do throws(FileError) {
                        try documents.move(name, to: documents, as: kept)
                    } catch {
                        if error.isTaken { return nil }
                        throw error
                    }
                }
                try documents.sync()
                return isHere ? nil : kept
            }
        }
        noteChange(id)
        return kept.map { Layout.document + "/" + $0 }
    }

    /// Joins the conflict copies of small files: what only a copy says, and its later values, come into the file, and a copy that says
    /// nothing else goes. One with a value that would be lost stays.
    package func joinSmallFileCopies() throws(ItemError) {
        for copy in store.smallFileCopies() {
            guard let theirs = contents(copy.path), let ours = contents(copy.original) else { continue }
            let parts = copy.original.pathComponents
            if ours != theirs {
                guard parts.count == 2, let folder = NamedFolder(rawValue: parts[0]),
                    let one = try? NamedFile(folder: folder, file: parts[1], bytes: ours),
                    let two = try? NamedFile(folder: folder, file: parts[1], bytes: theirs),
                    NamedFile.areSame(one.name, two.name),
                    let union = NamedUnion(
                        state(ours, copy.original), state(theirs, copy.path), keepsLost: true), !union.isUnsure
                else { continue }
                if !union.lost.isEmpty, union.isOurs { continue }
                let (new, modified) = (union.bytes, union.modified)
                if new != ours, try !replaceNamed(folder, parts[1], ours, with: new, modified: modified) { continue }
                if !union.lost.isEmpty { continue }
            }
            try removeCopy(copy.path, seen: theirs)
        }
    }

    /// Unites the conflict copies of tombstones with the tombstones.
    package func joinTombstoneCopies() throws(ItemError) {
        for copy in store.tombstoneCopies() {
            let parts = copy.original.pathComponents
            guard parts.count == 3, let id = ItemID(String(parts[2].dropLast(5))), id.shard == parts[1],
                let bytes = contents(copy.path, limit: Tombstone.byteLimit), let tombstone = try? Tombstone(bytes),
                tombstone.purgedAt != nil, ((try? store.tombstoneContents(of: id)) ?? nil) != nil
            else { continue }
            try keepTombstone(tombstone, of: id)
            try removeCopy(copy.path, seen: bytes)
        }
    }

    private func state(_ bytes: [UInt8], _ path: String) -> NamedState {
        NamedState(bytes, modified: ((try? store.root.statusIfPresent(of: path)) ?? nil)?.modified ?? 0)
    }

    /// - Returns: `nil` if the file is missing, too large or cannot be read.
    private func contents(_ path: String, limit: Int = Layout.settingsByteLimit) -> [UInt8]? {
        ((try? store.root.contentsIfPresent(of: path, limit: limit)) ?? nil)?.bytes
    }
}
