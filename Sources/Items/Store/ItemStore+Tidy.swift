internal import Files

extension ItemStore {
    /// Moves textContent to text.md and a loose file to document/, as far as the files stand so.
    func tidy(_ stored: StoredItem, _ edit: inout ItemEdit) throws(ItemError) {
        // A text that is being changed right now is moved the next time.
        if let content = stored.item.textContent, !edit.decides(.textContent) {
            let bytes = Array(content.utf8)
            // text.md is synced before item.json loses its copy. A link or FIFO in its place is none: the copy stays.
            if try placeNew(bytes, as: Layout.textFile, in: stored) {
                edit.drop(.textContent, .string(content))
            } else if let text = try? root.contents(
                of: stored.folder + "/" + Layout.textFile, limit: Layout.textByteLimit)
            {
                if text.bytes != bytes {
                    let kept = try keep(bytes, of: Layout.textFile, in: stored.folder)
                    tell(
                        "\(stored.id.short) had another text in item.json; text.md stays, the other is kept in \(kept)")
                }
                edit.drop(.textContent, .string(content))
            }
        }
        // A document that item.json promises and that is not here yet keeps its place.
        if stored.document == nil, stored.item.documentRelativePath == nil,
            let (name, loose) = try looseFile(in: stored.folder)
        {
            let (documentName, original) = Layout.documentName(for: loose)
            guard try adopt(name, as: documentName, in: stored.folder) else { return }
            noteChange(stored.id)
            edit.set(.documentRelativePath, .string(Layout.document + "/" + documentName))
            if let original { edit.set(.documentName, .string(original)) }
        }
    }

    /// Moves a loose file into document/, durably.
    ///
    /// - Returns: false if its name is taken there.
    private func adopt(_ name: String, as documentName: String, in folder: String) throws(ItemError) -> Bool {
        try files { () throws(FileError) -> Bool in
            let item = try root.directory(folder)
            try item.makeDirectory(Layout.document)
            let documents = try item.directory(Layout.document)
            do throws(FileError) {
                try item.move(name, to: documents, as: documentName)
            } catch let error where error.isTaken {
                return false
            }
            try documents.sync()
            try item.sync()
            return true
        }
    }

    /// The one file in an item's folder that has no meaning there, if document/ holds nothing.
    private func looseFile(in folder: String) throws(ItemError) -> (String, FileName)? {
        try files { () throws(FileError) -> (String, FileName)? in
            let item = try root.directory(folder)
            let loose = try item.entries().filter { entry in
                guard entry.kind == .regular, let name = entry.name.string else { return false }
                return !Layout.itemNames.contains(name) && !Layout.isTemporary(name) && !name.hasPrefix("favicon.")
            }
            if let status = try item.statusIfPresent(of: Layout.document) {
                // Something else than a folder there holds no document, and must not stop other changes.
                if status.kind != .directory { return nil }
                if try item.directory(Layout.document).entries().contains(where: { $0.kind == .regular }) { return nil }
            }
            guard let first = loose.min(by: { $0.name.bytes.lexicographicallyPrecedes($1.name.bytes) }),
                let name = first.name.string
            else { return nil }
            return (name, first.name)
        }
    }

    /// Puts a new file into an item's folder, durably, unless the name is taken.
    ///
    /// - Returns: whether it was put there.
    func placeNew(_ bytes: [UInt8], as name: String, in stored: StoredItem) throws(ItemError) -> Bool {
        let staging = try staging()
        let staged = staging.temporaryName(for: name)
        let item = try files { () throws(FileError) -> Directory in
            try staging.directory.writeFile(staged, bytes)
            return try root.directory(stored.folder)
        }
        let isPlaced = try locked { () throws(ItemError) -> Bool in
            do throws(FileError) {
                try staging.directory.move(staged, to: item, as: name)
                return true
            } catch {
                try? staging.directory.removeFile(staged)
                if error.isTaken { return false }
                throw .file(error)
            }
        }
        if isPlaced { noteChange(stored.id) }
        if isPlaced { try files { () throws(FileError) in try item.sync() } }
        return isPlaced
    }
}
