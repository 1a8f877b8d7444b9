package import Files
package import Time

/// A copy of a person's file in the session, before it becomes the document of an item.
package struct StagedDocument: Sendable {
    /// Its name in the session.
    let temporary: String
    package let copy: CopiedDocument
}

extension WriteSession {
    /// Copies an open file into the session, once, with its hash; not synced.
    ///
    /// - Parameters:
    ///   - source: read from its current position.
    ///   - name: the file's own name.
    /// - Throws: `ItemError.tooLarge` as soon as there are more bytes than the library's limit.
    package func stage(_ source: borrowing Descriptor, named name: FileName) throws(ItemError) -> StagedDocument {
        let session = try staging()
        let temporary = session.temporaryName(for: "document")
        do throws(ItemError) {
            let copy = try CopiedDocument.copy(
                source, named: name, into: session.directory, as: temporary, limit: store.settings.maxFileByteCount,
                isSynced: false)
            return StagedDocument(temporary: temporary, copy: copy)
        } catch {
            try? session.directory.removeFile(temporary)
            throw error
        }
    }

    /// Removes a staged copy that is not needed; one that is gone is no error.
    package func discard(_ staged: StagedDocument) {
        guard let session = try? staging() else { return }
        try? session.directory.removeFile(staged.temporary)
    }

    /// The full path of a staged copy, for another process.
    package func path(of staged: StagedDocument) throws(ItemError) -> String {
        try staging().directory.full(staged.temporary)
    }

    /// Makes a staged copy the document of an item without one. It is durable when this returns.
    ///
    /// - Throws: `ItemError.hasDocument` if the item has a document; then the copy is still staged.
    package func attach(
        staged: StagedDocument, to stored: StoredItem, at time: Timestamp = .now
    ) throws(ItemError) {
        try refuseDoubles(stored)
        if let document = stored.document { throw .hasDocument(stored.id, name: document.name) }
        let session = try staging()
        try files { () throws(FileError) in try session.directory.file(staged.temporary).sync() }
        try attach(staged, to: stored, at: time)
    }
}
