internal import Files
package import Time

extension ItemStore {
    /// Looks whether a file outside the library could become a document.
    ///
    /// - Throws: what adding it would: no regular file, not readable, above the limit.
    package func checkDocument(at path: String) throws(ItemError) {
        _ = try CopiedDocument.open(path, limit: settings.maxFileByteCount)
    }

    /// Copies a file into an item as its document, durable when this returns.
    ///
    /// The document is in place before item.json names it: in between, a reader finds it as the only file in document/.
    ///
    /// - Parameter isReplacing: whether a document that is there may be replaced; its bytes are gone then.
    /// - Throws: `ItemError.refused` if there is a document and it may not be replaced.
    package func attach(
        _ path: String, to stored: StoredItem, isReplacing: Bool, at time: Timestamp = .now
    ) throws(ItemError) {
        try refuseDoubles(stored)
        if let document = stored.document, !isReplacing {
            throw .refused("\(stored.id.short) already has the document \(document.name); say --replace to replace it")
        }
        let staging = try staging()
        let temporary = Self.documentPrefix + stored.id.description
        try? staging.directory.removeFile(temporary)
        let copy: CopiedDocument
        do throws(ItemError) {
            copy = try CopiedDocument.copy(
                path, into: staging.directory, as: temporary, limit: settings.maxFileByteCount, isSynced: true)
        } catch {
            try? staging.directory.removeFile(temporary)
            throw error
        }
        do throws(ItemError) {
            try locked { () throws(ItemError) in try place(temporary, copy, in: stored, staging) }
        } catch {
            try? staging.directory.removeFile(temporary)
            throw error
        }
        var edit = ItemEdit(base: stored.json)
        edit.set(.documentRelativePath, .string(Layout.document + "/" + copy.name))
        if let original = copy.originalName {
            edit.set(.documentName, .string(original))
        } else {
            edit.remove(.documentName)
        }
        edit.set(.documentSHA256, .string(copy.sha256))
        edit.touch()
        try update(stored, edit, at: time)
        if let old = stored.document, FileName(old.name) != FileName(copy.name) {
            try removeDocumentFile(old, of: stored)
        }
        try? staging.directory.removeFile(temporary)
    }

    private func place(
        _ temporary: String, _ copy: CopiedDocument, in stored: StoredItem, _ staging: StagingSession
    ) throws(ItemError) {
        try checkUnchanged(stored.document, of: stored)
        try files { () throws(FileError) in
            let item = try root.directory(stored.folder)
            try item.makeDirectory(Layout.document)
            let folder = try item.directory(Layout.document)
            if let old = stored.document, FileName(old.name) == FileName(copy.name) {
                if try !staging.directory.exchange(temporary, with: folder, copy.name) {
                    try staging.directory.replace(temporary, to: folder, as: copy.name)
                }
            } else {
                try staging.directory.move(temporary, to: folder, as: copy.name)
            }
            try folder.sync()
            try item.sync()
        }
    }

    /// Removes an item's document; it must still be what the person saw.
    package func detachDocument(from stored: StoredItem, at time: Timestamp = .now) throws(ItemError) {
        try refuseDoubles(stored)
        guard let document = stored.document else { throw .refused("\(stored.id.short) has no document") }
        try removeDocumentFile(document, of: stored)
        var edit = ItemEdit(base: stored.json)
        for field in [ItemField.documentRelativePath, .documentName, .documentSHA256] { edit.remove(field) }
        edit.touch()
        try update(stored, edit, at: time)
    }

    private func removeDocumentFile(_ document: StoredDocument, of stored: StoredItem) throws(ItemError) {
        try locked { () throws(ItemError) in
            try checkUnchanged(document, of: stored)
            try files { () throws(FileError) in
                let folder = try root.directory(stored.folder + "/" + Layout.document)
                try folder.removeFile(document.name)
                try folder.sync()
            }
        }
    }

    private func checkUnchanged(_ document: StoredDocument?, of stored: StoredItem) throws(ItemError) {
        guard let document else { return }
        let path = stored.folder + "/" + Layout.document + "/" + document.name
        let now = try files { () throws(FileError) -> FileStatus? in try root.statusIfPresent(of: path) }
        guard let now, now.isSameFile(as: document.status), now.modified == document.status.modified else {
            throw .conflict(id: stored.id, what: "the document", kept: nil)
        }
    }
}
