package import Files
internal import JSONFormat
package import Time

/// Reading items.
extension ItemStore {
    /// Reads an item by its id.
    ///
    /// - Parameter misplaced: as for `folders`.
    /// - Returns: `nil` if there is no such item, or its item.json has not arrived on this device.
    /// - Throws: `ItemError.malformed` or `.fault` if item.json cannot be used.
    package func item(_ id: ItemID, misplaced: Set<ItemID>? = nil) throws(ItemError) -> StoredItem? {
        do throws(ItemError) {
            if let item = try item(id, in: Layout.itemFolder(id)) { return item }
        } catch {
            // Skips a link in place of the item's folder; the item may be in another shard.
            guard case .file(let cause) = error, cause.isEscape,
                try folder(of: id, misplaced: misplaced) != Layout.itemFolder(id)
            else {
                throw error
            }
        }
        guard let folder = try folder(of: id, misplaced: misplaced) else { return nil }
        return try item(id, in: folder)
    }

    /// The status of text.md from a moment ago, so that reading many items need not ask again.
    package struct KnownFiles: Sendable {
        /// Status of the entry text.md, of any kind; `nil` if there is none.
        package var text: FileStatus?

        package init(text: FileStatus?) { self.text = text }
    }

    /// Reads an item from a known folder.
    ///
    /// - Parameters:
    ///   - known: a status from a moment ago; `nil` to ask now.
    ///   - elsewhere: the path of a document that belongs to the item and is not in its folder. It counts as one that is away.
    package func item(
        _ id: ItemID, in folder: String, now: Timestamp = .now, known: KnownFiles? = nil, elsewhere: String? = nil
    ) throws(ItemError) -> StoredItem? {
        var loose: String?
        let found = try files { () throws(FileError) -> (FileContents, ItemParts)? in
            do throws(FileError) {
                let directory = try root.directory(folder)
                let file = try directory.contents(of: Layout.itemFile, limit: JSONDocument.byteLimit)
                return (file, try ItemParts(in: directory, loose: &loose))
            } catch let error where error.isAbsent {
                return nil
            }
        }
        guard let (contents, parts) = found else { return nil }
        let json = try parse(contents.bytes, folder: folder)
        var faults: [FieldFault] = []
        let item = Item(id: id, json: json, faults: &faults)
        if let fault = faults.first(where: \.makesNoItem) {
            throw .fault(path: root.full(folder + "/" + Layout.itemFile), fault)
        }
        return try files { () throws(FileError) in
            let text: FileStatus?
            if let known {
                text = known.text?.kind == .regular ? known.text : nil
            } else {
                text = parts.contains(.text) ? try regular(folder + "/" + Layout.textFile) : nil
            }
            let record = awayRecord(of: id)
            let document = try document(
                of: item, in: folder, parts, loose: loose, away: record?.documentPath ?? elsewhere)
            let away = try self.away(record, in: folder, parts, document: document)
            let times = [contents.status, text, document?.status ?? away?.document?.status].compactMap { $0 }
                .map { Timestamp(nanoseconds: $0.modified) }
            return StoredItem(
                item: item, json: json, folder: folder, status: contents.status, text: text, document: document,
                parts: parts, hasPromisedPage: try hasPromisedPage(item, in: folder, parts), away: away,
                faults: faults,
                effectiveUpdatedAt: StoredItem.effectiveTime(
                    updatedAt: item.updatedAt, times: times, adoptedAt: device?.adoptedAt, now: now),
                createdAt: StoredItem.bounded(item.createdAt ?? id.creation ?? times[0], now: now))
        }
    }

    /// history/ and conflicts/ of an item, as far as something that is no folder is in their place.
    package func noFolders(in folder: String) throws(FileError) -> [String] {
        var found: [String] = []
        for name in [Layout.history, Layout.conflicts] {
            guard let status = try root.statusIfPresent(of: folder + "/" + name) else { continue }
            if status.kind != .directory { found.append(name) }
        }
        return found
    }

    /// The bytes of an item's item.json.
    func itemFile(in folder: String) throws(ItemError) -> FileContents? {
        try files { () throws(FileError) in
            try root.contentsIfPresent(of: folder + "/" + Layout.itemFile, limit: JSONDocument.byteLimit)
        }
    }

    /// The bytes of an item.json, valid or not.
    package func itemBytes(in folder: String) throws(ItemError) -> [UInt8] {
        try itemFile(in: folder)?.bytes ?? []
    }

    /// Whether bytes could be the item.json of an item: within the limits, and with its `id`.
    package func isItem(_ bytes: [UInt8], _ id: ItemID) -> Bool {
        guard let json = try? JSONDocument(parsing: bytes) else { return false }
        var faults: [FieldFault] = []
        _ = Item(id: id, json: json, faults: &faults)
        return !faults.contains(where: \.makesNoItem)
    }

    func parse(_ bytes: [UInt8], folder: String) throws(ItemError) -> JSONDocument {
        do throws(JSONError) {
            return try JSONDocument(parsing: bytes)
        } catch {
            throw .malformed(path: root.full(folder + "/" + Layout.itemFile), error)
        }
    }

    /// The item's text: text.md, else textContent.
    ///
    /// - Throws: `FileError.tooLarge` above `Layout.textByteLimit`.
    package func text(of stored: StoredItem) throws(ItemError) -> [UInt8]? {
        if stored.text != nil {
            let contents = try files { () throws(FileError) in
                try root.contentsIfPresent(of: stored.folder + "/" + Layout.textFile, limit: Layout.textByteLimit)
            }
            if let contents { return contents.bytes }
        }
        return stored.item.textContent.map { Array($0.utf8) }
    }

    /// The title that lists show for the item.
    package func displayTitle(of stored: StoredItem) -> String {
        var start: [UInt8]?
        if !stored.item.hasTitle {
            if stored.text != nil {
                let path = stored.folder + "/" + Layout.textFile
                start = (try? root.prefixIfPresent(of: path, count: 2048)) ?? nil
            } else {
                start = stored.item.textContent.map { Array($0.utf8.prefix(2048)) }
            }
        }
        return stored.item.displayTitle(textStart: start, documentFileName: stored.documentName)
    }

    /// Checks whether a file outside the library could become a document.
    ///
    /// - Throws: the error that adding it would: not a regular file, not readable, or above the limit.
    package func checkDocument(at path: String) throws(ItemError) {
        _ = try CopiedDocument.open(path, limit: settings.maxFileByteCount)
    }
}
