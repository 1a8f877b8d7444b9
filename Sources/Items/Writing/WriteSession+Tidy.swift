internal import Files
internal import Time

extension WriteSession {
    /// Whether a loose file becomes the document although it was written just now.
    enum Adoption {
        case ifSettled
        /// A person asks for the document itself.
        case atOnce
    }

    /// Moves textContent to text.md and a loose file to document/, if the item has them.
    func tidy(
        _ stored: StoredItem, _ edit: inout ItemEdit, _ adoption: Adoption = .ifSettled
    ) throws(ItemError) {
        // A text that this edit changes is moved the next time.
        if let content = stored.item.textContent, !edit.decides(.textContent) {
            let bytes = Array(content.utf8)
            // text.md is synced before item.json loses its copy. If a link or FIFO has its name, the copy stays.
            if try Swap(session: self, target: .item(stored.id, in: stored.folder, Layout.textFile)).put(bytes) {
                edit.drop(.textContent, .string(content))
            } else if let text = try? store.root.contents(
                of: stored.folder + "/" + Layout.textFile, limit: Layout.textByteLimit)
            {
                if text.bytes != bytes {
                    let kept = try keep(bytes, of: Layout.textFile, in: stored.folder)
                    store.tell(.secondText(stored.id, kept: kept))
                }
                edit.drop(.textContent, .string(content))
            }
        }
        // Reads the folder again: a document may have arrived meanwhile.
        if stored.document?.isLoose == true, let document = try store.item(stored.id, in: stored.folder)?.document,
            document.isLoose
        {
            let (name, original) = Layout.documentName(for: FileName(document.name))
            guard try adopt(document.name, as: name, in: stored.folder, adoption) else { return }
            store.tell(.adopted(stored.id, file: document.name, document: name))
            noteChange(stored.id)
            edit.set(.documentRelativePath, .string(Layout.document + "/" + name))
            if let original { edit.set(.documentName, .string(original)) }
        }
    }

    /// The item after its loose document was moved into document/, where it can be replaced and removed.
    func withoutLooseDocument(_ stored: StoredItem, at time: Timestamp) throws(ItemError) -> StoredItem {
        guard let document = stored.document, document.isLoose else { return stored }
        var edit = ItemEdit(base: stored.json)
        try tidy(stored, &edit, .atOnce)
        edit.touch()
        _ = try replaceItemFile(stored, edit, at: time)
        let now = try store.reread(stored)
        if now.document?.isLoose != false { throw .conflict(id: stored.id, what: "the document", kept: nil) }
        return now
    }

    /// The time, in nanoseconds, for which a program may be about to rename a file that it wrote.
    private static let renameTime: Int64 = 2_000_000_000

    private static func isYoung(_ file: FileStatus) -> Bool {
        let age = Timestamp.now.milliseconds * 1_000_000 - file.modified
        return age < renameTime && age > -renameTime
    }

    /// Moves a loose file into document/, durably.
    ///
    /// - Returns: false if the name is taken there, if a program has the file open for writing, or wrote it within the
    ///   last two seconds, since it may be about to rename it, or if text.md is a symbolic link, since the file may be
    ///   what it leads to.
    private func adopt(
        _ name: String, as documentName: String, in folder: String, _ adoption: Adoption
    ) throws(ItemError) -> Bool {
        try files { () throws(FileError) -> Bool in
            let item = try store.root.directory(folder)
            if try item.statusIfPresent(of: Layout.textFile)?.kind == .symbolicLink { return false }
            if isWritten(FileName(name), in: item) { return false }
            if adoption == .ifSettled, let status = try item.statusIfPresent(of: name), Self.isYoung(status) {
                return false
            }
            try item.makeDirectory(Layout.document)
            let documents = try item.directory(Layout.document)
            do throws(FileError) {
                try item.move(name, to: documents, as: documentName)
            } catch let error where error.isTaken || error.isAbsent {
                return false
            }
            try documents.sync()
            try item.sync()
            return true
        }
    }
}
