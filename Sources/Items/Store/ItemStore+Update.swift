internal import Files
package import Time

extension ItemStore {
    /// Makes a change to an item.json, durable when this returns.
    ///
    /// The first write after a hand has put something into the folder also tidies: textContent moves to text.md, and a
    /// loose file becomes the document if there is none.
    ///
    /// - Returns: whether anything had to be written.
    /// - Throws: `ItemError.conflict` if another program changed the same field since `stored` was read.
    @discardableResult
    package func update(_ stored: StoredItem, _ edit: ItemEdit, at time: Timestamp = .now) throws(ItemError) -> Bool {
        try refuseDoubles(stored)
        var edit = edit
        if !edit.isEmpty { try tidy(stored, &edit) }
        return try replaceItemFile(stored, edit, at: time)
    }

    /// - Throws: `ItemError.refused` if the item's folder stands in two shards: neither is written then.
    func refuseDoubles(_ stored: StoredItem) throws(ItemError) {
        let folders = try folders(of: stored.id)
        if folders.count > 1 {
            throw .refused(
                "\(stored.id) lies in two places, \(folders.joined(separator: " and ")); neither was changed. Compare "
                    + "them and remove one")
        }
    }

    private func replaceItemFile(
        _ stored: StoredItem, _ edit: ItemEdit, at time: Timestamp
    ) throws(ItemError) -> Bool {
        let path = root.full(stored.folder + "/" + Layout.itemFile)
        return try FileReplacement(
            store: self, id: stored.id, folder: stored.folder, name: Layout.itemFile, limit: JSONDocument.byteLimit
        ) { bytes in
            try edit.apply(to: JSONDocument(parsing: bytes), at: time)
        } describe: { error, kept in
            switch error {
            case let clash as ItemEdit.Clash:
                .conflict(id: stored.id, what: clash.key, kept: kept ?? self.keepRefused(edit, of: stored, at: time))
            case let error as JSONError where kept != nil:
                .conflict(id: stored.id, what: "item.json (which now does not parse: \(error))", kept: kept)
            case let error as JSONError: .malformed(path: path, error)
            case let fault as FieldFault: .fault(path: path, fault)
            default: .refused("\(error)")
            }
        }.run()
    }

    /// Keeps what a refused change would have made of the version that the person saw.
    private func keepRefused(_ edit: ItemEdit, of stored: StoredItem, at time: Timestamp) -> String? {
        guard let ours = try? edit.apply(to: edit.base, at: time) else { return nil }
        return try? keep(ours, of: Layout.itemFile, in: stored.folder)
    }

    // MARK: Text

    /// What is to become of an item's text.
    package enum TextChange: Sendable {
        /// A new paragraph at the end, behind a blank line.
        case append([UInt8])
        /// A whole new text for the one that the person saw.
        case replace(base: [UInt8]?, with: [UInt8])
    }

    /// Changes an item's text, then item.json's `updatedAt`.
    ///
    /// - Returns: whether anything had to be written.
    @discardableResult
    package func updateText(
        _ stored: StoredItem, _ change: TextChange, at time: Timestamp = .now
    ) throws(ItemError) -> Bool {
        try refuseDoubles(stored)
        var edit = ItemEdit(base: stored.json)
        try tidy(stored, &edit)
        let isWritten: Bool
        if try !hasTextFile(stored), try placeText(stored, change) {
            isWritten = true
        } else {
            isWritten = try replaceText(stored, change)
        }
        if isWritten { edit.touch() }
        return try replaceItemFile(stored, edit, at: time) || isWritten
    }

    /// Puts a first text.md into the item's folder.
    ///
    /// - Returns: false if something has the name by now.
    private func placeText(_ stored: StoredItem, _ change: TextChange) throws(ItemError) -> Bool {
        guard let bytes = try? change.apply(to: nil) else {
            // The text that the person saw is gone; what the person wrote is kept.
            var kept: String?
            if case .replace(_, let ours) = change { kept = try keep(ours, of: Layout.textFile, in: stored.folder) }
            throw .conflict(id: stored.id, what: "the text", kept: kept)
        }
        try checkTextSize(bytes)
        return try placeNew(bytes, as: Layout.textFile, in: stored)
    }

    private func hasTextFile(_ stored: StoredItem) throws(ItemError) -> Bool {
        try files { () throws(FileError) -> Bool in
            try root.statusIfPresent(of: stored.folder + "/" + Layout.textFile)?.kind == .regular
        }
    }

    private func checkTextSize(_ bytes: [UInt8]) throws(ItemError) {
        if bytes.count > Layout.textByteLimit {
            throw .tooLarge(name: Layout.textFile, byteCount: bytes.count, limit: Layout.textByteLimit)
        }
    }

    private func replaceText(_ stored: StoredItem, _ change: TextChange) throws(ItemError) -> Bool {
        try FileReplacement(
            store: self, id: stored.id, folder: stored.folder, name: Layout.textFile, limit: Layout.textByteLimit
        ) { current in
            let new = try change.apply(to: current)
            if let new { try self.checkTextSize(new) }
            return new
        } describe: { error, kept in
            if let error = error as? ItemError { return error }
            var kept = kept
            if kept == nil, case .replace(_, let ours) = change {
                // Nothing of ours was live yet; what the person wrote is kept all the same.
                kept = try? self.keep(ours, of: Layout.textFile, in: stored.folder)
            }
            return .conflict(id: stored.id, what: "the text", kept: kept)
        }.run()
    }

    /// Removes the item's text, durably; it must still be what the person saw.
    package func removeText(_ stored: StoredItem, at time: Timestamp = .now) throws(ItemError) {
        try refuseDoubles(stored)
        // item.json loses its copy first: it must not become the text when text.md goes.
        var edit = ItemEdit(base: stored.json)
        if stored.item.textContent != nil { edit.remove(.textContent) }
        edit.touch()
        _ = try replaceItemFile(stored, edit, at: time)
        guard let status = stored.text else { return }
        let path = stored.folder + "/" + Layout.textFile
        try locked { () throws(ItemError) in
            let now = try files { () throws(FileError) in try root.statusIfPresent(of: path) }
            guard let now, now.modified == status.modified, now.isSameFile(as: status) else {
                throw .conflict(id: stored.id, what: "the text", kept: nil)
            }
            try files { () throws(FileError) in
                let item = try root.directory(stored.folder)
                try item.removeFile(Layout.textFile)
                try item.sync()
            }
        }
    }

    // MARK: Tidying

    /// Moves textContent to text.md and a loose file to document/, as far as the files stand so.
    private func tidy(_ stored: StoredItem, _ edit: inout ItemEdit) throws(ItemError) {
        if let content = stored.item.textContent {
            let bytes = Array(content.utf8)
            // text.md is synced before item.json loses its copy. A link or FIFO in its place is none: the copy stays.
            if try placeNew(bytes, as: Layout.textFile, in: stored) {
                edit.drop(.textContent, .string(content))
            } else if let text = try? root.contents(
                of: stored.folder + "/" + Layout.textFile, limit: Layout.textByteLimit)
            {
                if text.bytes != bytes { try keep(bytes, of: Layout.textFile, in: stored.folder) }
                edit.drop(.textContent, .string(content))
            }
        }
        // A document that item.json promises and that is not here yet keeps its place.
        if stored.document == nil, stored.item.documentRelativePath == nil,
            let (name, loose) = try looseFile(in: stored.folder)
        {
            let (documentName, original) = Layout.documentName(for: loose)
            try files { () throws(FileError) in
                let item = try root.directory(stored.folder)
                try item.makeDirectory(Layout.document)
                try item.move(name, to: try item.directory(Layout.document), as: documentName)
                try item.directory(Layout.document).sync()
                try item.sync()
            }
            edit.set(.documentRelativePath, .string(Layout.document + "/" + documentName))
            if let original { edit.set(.documentName, .string(original)) }
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
            if try item.statusIfPresent(of: Layout.document) != nil {
                if try item.directory(Layout.document).entries().contains(where: { $0.kind == .regular }) { return nil }
            }
            guard let first = loose.min(by: { $0.name.repaired < $1.name.repaired }), let name = first.name.string
            else { return nil }
            return (name, first.name)
        }
    }

    /// Puts a new file into an item's folder, durably, unless the name is taken.
    ///
    /// - Returns: whether it was put there.
    func placeNew(_ bytes: [UInt8], as name: String, in stored: StoredItem) throws(ItemError) -> Bool {
        let staging = try staging()
        let staged = Self.keptPrefix + stored.id.description + "." + name
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
        if isPlaced { try files { () throws(FileError) in try item.sync() } }
        return isPlaced
    }
}

extension ItemStore.TextChange {
    /// The text was changed by another program since the person saw it.
    struct Clash: Error {}

    /// - Returns: `nil` where the text already is as wanted.
    func apply(to current: [UInt8]?) throws(Clash) -> [UInt8]? {
        switch self {
        case .append(let paragraph):
            guard let current, !current.isEmpty else { return paragraph }
            let end = current.suffix(2)
            let gap = end.elementsEqual([0x0A, 0x0A]) ? "" : end.last == 0x0A ? "\n" : "\n\n"
            return current + gap.utf8 + paragraph
        case .replace(let base, let new):
            if current == new { return nil }
            if current != base { throw Clash() }
            return new
        }
    }
}
