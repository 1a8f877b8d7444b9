package import Files
package import Time

extension WriteSession {
    /// Copies a file into an item as its document. It is durable when this returns.
    ///
    /// The document is in place before item.json names it. Meanwhile, readers find it as the only file in document/.
    ///
    /// - Parameter isReplacing: whether an existing document may be replaced; its bytes are then gone.
    /// - Throws: `ItemError.refused` if there is a document that may not be replaced.
    package func attach(
        _ path: String, to stored: StoredItem, isReplacing: Bool, at time: Timestamp = .now
    ) throws(ItemError) {
        try refuseAttaching(to: stored, isReplacing: isReplacing)
        let source = try CopiedDocument.open(path, limit: store.settings.maxFileByteCount)
        // A lost document that takes the winner's place takes its name, too. Where that one has another name now, or is
        // gone, it gets the name back that it had: its own is that of the file here.
        let name = CopiedDocument.lastComponent(of: path)
        if let winner = Layout.winner(of: Array(name.utf8)) {
            let isWinner = stored.document.map { Array($0.name.utf8) == winner } ?? false
            if isWinner || store.lostDocuments(of: stored).contains(Layout.document + "/" + name) {
                return try attach(
                    source, named: FileName(bytes: winner), keepsSpelling: isWinner, to: stored, at: time)
            }
        }
        try attach(source, named: FileName(name), to: stored, at: time)
    }

    /// Replaces an item's document by an open file, under the document's name.
    ///
    /// - Parameter source: read from its position on.
    /// - Throws: `ItemError.refused` if the item has no document.
    package func replaceDocument(
        of stored: StoredItem, with source: borrowing Descriptor, at time: Timestamp = .now
    ) throws(ItemError) {
        try refuseAwayDocument(stored)
        guard let document = stored.document else { throw .refused(.noDocument(stored.id)) }
        try refuseAttaching(to: stored, isReplacing: true)
        try attach(source, named: FileName(document.name), keepsSpelling: true, to: stored, at: time)
    }

    private func refuseAttaching(to stored: StoredItem, isReplacing: Bool) throws(ItemError) {
        try refuseDoubles(stored)
        try refuseAwayDocument(stored)
        if let document = stored.document, !isReplacing {
            throw .hasDocument(stored.id, name: document.name)
        }
    }

    /// - Parameters:
    ///   - original: the name of the document.
    ///   - keepsSpelling: whether the item's `documentName` stays.
    private func attach(
        _ source: borrowing Descriptor, named original: FileName, keepsSpelling: Bool = false, to stored: StoredItem,
        at time: Timestamp
    ) throws(ItemError) {
        let stored = try withoutLooseDocument(stored, at: time)
        let staged = try staged(source, named: original, for: stored.id, limit: store.settings.maxFileByteCount)
        try attach(staged, keepsSpelling: keepsSpelling, to: stored, at: time)
    }

    /// Copies a file into staging as the document of an item. After a failure no file is left.
    ///
    /// - Parameters:
    ///   - source: read from its position on.
    ///   - limit: the largest document, in bytes.
    func staged(
        _ source: borrowing Descriptor, named original: FileName, for id: ItemID, limit: Int
    ) throws(ItemError) -> StagedDocument {
        let staging = try staging()
        let temporary = Self.documentPrefix + id.description
        try? staging.directory.removeFile(temporary)
        do throws(ItemError) {
            let copy = try CopiedDocument.copy(
                source, named: original, into: staging.directory, as: temporary, limit: limit, isSynced: true)
            return StagedDocument(temporary: temporary, copy: copy)
        } catch {
            try? staging.directory.removeFile(temporary)
            throw error
        }
    }

    /// Makes a staged copy the document of an item that has none, or in place of the one it has.
    ///
    /// - Parameters:
    ///   - staged: synced; gone when this returns or throws.
    ///   - keepsSpelling: whether the item's `documentName` stays.
    func attach(
        _ staged: StagedDocument, keepsSpelling: Bool = false, to stored: StoredItem, at time: Timestamp
    ) throws(ItemError) {
        var edit = ItemEdit(base: stored.json)
        edit.set(.documentRelativePath, .string(Layout.document + "/" + staged.copy.name))
        if let original = staged.copy.originalName {
            edit.set(.documentName, .string(original))
        } else if !keepsSpelling {
            edit.remove(.documentName)
        }
        edit.set(.documentSHA256, .string(staged.copy.sha256))
        try place(
            staged.temporary, named: staged.copy.name, sha256: staged.copy.sha256, over: stored.document, in: stored,
            edit, at: time)
    }

    /// Makes a staged file the document of an item.
    ///
    /// - Parameters:
    ///   - temporary: its name in the session; gone when this returns or throws.
    ///   - old: the document that the person saw, which makes way; `nil` if there is none.
    ///   - edit: the change of item.json.
    func place(
        _ temporary: String, named name: String, sha256: String, over old: StoredDocument?, in stored: StoredItem,
        _ edit: ItemEdit, at time: Timestamp
    ) throws(ItemError) {
        let staging = try staging()
        do throws(ItemError) {
            try refuseAwayDocument(stored)
            let mark = try journal(old, of: stored, new: .init(name: name, sha256: sha256))
            do throws(ItemError) {
                try locked { () throws(ItemError) in try place(temporary, name, over: old, in: stored, staging) }
            } catch {
                void(mark)
                throw error
            }
        } catch {
            try? staging.directory.removeFile(temporary)
            throw error
        }
        var edit = edit
        edit.touch()
        try update(stored, edit, at: time)
        if let old, FileName(old.name) != FileName(name) {
            try removeDocumentFile(old, of: stored)
        }
        try? staging.directory.removeFile(temporary)
    }

    /// Keeps the item's document and records in the journal that it is replaced or removed.
    private func journal(
        _ document: StoredDocument?, of stored: StoredItem, new: JournalRecord.NewDocument?
    ) throws(ItemError) -> JournalMark? {
        guard let journal = try openJournal() else { return nil }
        var old: JournalRecord.KeptDocument?
        if let document {
            do throws(FileError) {
                let folder = try store.root.directory(stored.folder + "/" + Layout.document)
                old = .init(name: document.name, kept: try journal.keep(document.name, of: folder))
            } catch {
                if error.isAbsent { throw .conflict(id: stored.id, what: "the document", kept: nil) }
                throw .file(error)
            }
        }
        return try self.journal { .document(stored.id, old: old, new: new) }
    }

    private func place(
        _ temporary: String, _ name: String, over old: StoredDocument?, in stored: StoredItem, _ staging: StagingFolder
    ) throws(ItemError) {
        var isTaken = false
        let isPlaced = try files { () throws(FileError) -> Bool in
            let item = try store.root.directory(stored.folder)
            try item.makeDirectory(Layout.document)
            let folder = try item.directory(Layout.document)
            if let old, FileName(old.name) == FileName(name) {
                guard try folder.statusIfPresent(of: name)?.isSameVersion(as: old.status) == true else {
                    return false
                }
                try Self.makeLater(temporary, in: staging.directory, than: old.status)
                if try !staging.directory.swap(temporary, with: folder, name) {
                    try staging.directory.replace(temporary, to: folder, as: name)
                } else if try staging.directory.statusIfPresent(of: temporary)?.isSameVersion(as: old.status) != true {
                    // An editor saved the document meanwhile. That version goes back.
                    _ = try staging.directory.swap(temporary, with: folder, name)
                    return false
                }
            } else {
                do throws(FileError) {
                    try staging.directory.move(temporary, to: folder, as: name)
                } catch {
                    if !error.isTaken { throw error }
                    isTaken = true
                    return false
                }
            }
            try folder.sync()
            try item.sync()
            return true
        }
        if isTaken { throw .refused(.besideDocument(stored.id, path: Layout.document + "/" + name)) }
        if !isPlaced { throw .conflict(id: stored.id, what: "the document", kept: nil) }
        noteChange(stored.id)
    }

    /// Gives a file that takes the place of one of its size the next whole second, if it is in no later one: rsync compares whole
    /// seconds, and would take the two for the same.
    private static func makeLater(
        _ name: String, in folder: borrowing Directory, than old: FileStatus
    ) throws(FileError) {
        let second: Int64 = 1_000_000_000
        guard let new = try folder.statusIfPresent(of: name), new.byteCount == old.byteCount,
            new.modified / second <= old.modified / second
        else { return }
        let file = try folder.fileForWriting(name)
        try file.setModified((old.modified / second + 1) * second)
        try file.sync()
    }

    /// Removes an item's document if it still is what the person saw.
    ///
    /// item.json stops naming it first, so item.json never names a document that is gone. Meanwhile, readers find the
    /// file as the only one in document/.
    ///
    /// If one other file in document/ becomes the document (FORMAT.md § 7.1, rule 2), item.json names it: it stays the document when
    /// further files come from another device.
    ///
    /// - Parameter isLost: whether a document that is away, or that a sync waits for, is taken out, too. Undo cannot bring that back.
    /// - Returns: the name of that file.
    @discardableResult
    package func detachDocument(
        from stored: StoredItem, isLost: Bool = false, at time: Timestamp = .now
    ) throws(ItemError) -> String? {
        try refuseDoubles(stored)
        let away = isLost ? stored.away?.document?.file.path.pathComponents.last : nil
        let stored = away == nil ? try withoutLooseDocument(stored, at: time) : stored
        var edit = ItemEdit(base: stored.json)
        for field in [ItemField.documentRelativePath, .documentName, .documentSHA256] { edit.remove(field) }
        let next = try (away ?? stored.document?.name).flatMap { name throws(ItemError) in
            try files { () throws(FileError) in try store.onlyDocument(in: stored.folder, besides: name) }
        }
        if let next { edit.set(.documentRelativePath, .string(Layout.document + "/" + next)) }
        if away == nil {
            try detachDocument(from: stored, edit, isLost: isLost, at: time)
        } else {
            edit.touch()
            try update(stored, edit, at: time)
            try forgetAway([.document], of: stored.id)
        }
        return next
    }

    /// - Parameter edit: the change of item.json.
    func detachDocument(
        from stored: StoredItem, _ edit: ItemEdit, isLost: Bool = false, at time: Timestamp
    ) throws(ItemError) {
        if !isLost { try refuseAwayDocument(stored) }
        guard let document = stored.document else {
            if stored.item.documentRelativePath == nil { throw .refused(.noDocument(stored.id)) }
            // Another program deleted the document, or it has not arrived here: item.json stops naming it.
            var edit = edit
            edit.touch()
            try update(stored, edit, at: time)
            return
        }
        let path = stored.folder + "/" + Layout.document + "/" + document.name
        let now = try files { () throws(FileError) in try store.root.statusIfPresent(of: path) }
        if now?.isSameVersion(as: document.status) != true {
            throw .conflict(id: stored.id, what: "the document", kept: nil)
        }
        var edit = edit
        edit.touch()
        let mark = try journal(document, of: stored, new: nil)
        do throws(ItemError) {
            try update(stored, edit, at: time)
            try removeDocumentFile(document, of: stored)
        } catch {
            void(mark)
            throw error
        }
    }

    private func removeDocumentFile(_ document: StoredDocument, of stored: StoredItem) throws(ItemError) {
        try removeFile(
            document.name, in: stored.folder + "/" + Layout.document, as: document.status, of: stored.id, "the document"
        )
    }

    /// Removes a file permanently if it is the version that the person saw.
    ///
    /// The file is moved into staging first and compared there. A version that an editor saved meanwhile goes back.
    func removeFile(
        _ name: String, in folder: String, as seen: FileStatus, of id: ItemID, _ what: String
    ) throws(ItemError) {
        let staging = try staging()
        let temporary = staging.temporaryName(for: name)
        let isRemoved = try locked { () throws(ItemError) -> Bool in
            try files { () throws(FileError) -> Bool in
                let directory = try store.root.directory(folder)
                guard try directory.statusIfPresent(of: name)?.isSameVersion(as: seen) == true else { return false }
                try directory.move(name, to: staging.directory, as: temporary)
                if try staging.directory.statusIfPresent(of: temporary)?.isSameVersion(as: seen) != true {
                    try staging.directory.move(temporary, to: directory, as: name)
                    return false
                }
                try directory.sync()
                return true
            }
        }
        if !isRemoved { throw .conflict(id: id, what: what, kept: nil) }
        noteChange(id)
        try? staging.directory.removeFile(temporary)
    }
}
