internal import Files
internal import JSONFormat
package import Time

extension WriteSession {
    /// Makes a change to an item.json. It is durable when this returns.
    ///
    /// The first write after a person has put a file into the folder also tidies: textContent moves to text.md, and a
    /// loose file becomes the document if there is none.
    ///
    /// - Returns: whether anything was written.
    /// - Throws: `ItemError.conflict` if another program changed the same field since `stored` was read.
    @discardableResult
    package func update(_ stored: StoredItem, _ edit: ItemEdit, at time: Timestamp = .now) throws(ItemError) -> Bool {
        try refuseDoubles(stored)
        var edit = edit
        if !edit.isEmpty { try tidy(stored, &edit) }
        return try replaceItemFile(stored, edit, at: time)
    }

    /// - Throws: `ItemError.refused` if two shards have a folder of the item; neither is then written.
    func refuseDoubles(_ stored: StoredItem) throws(ItemError) {
        let folders = try folders(of: stored.id)
        if folders.count > 1 {
            throw .refused(.inTwoPlaces(stored.id, folders: folders))
        }
    }

    func replaceItemFile(
        _ stored: StoredItem, _ edit: ItemEdit, at time: Timestamp
    ) throws(ItemError) -> Bool {
        let path = store.root.full(stored.folder + "/" + Layout.itemFile)
        return try FileChange(
            session: self, target: .item(stored.id, in: stored.folder, Layout.itemFile)
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
            case is FileChange.Overtaken: .conflict(id: stored.id, what: Layout.itemFile, kept: kept)
            default: .refused(.other(error))
            }
        }.run()
    }

    /// Keeps the result of a refused change, applied to the version that the person saw.
    private func keepRefused(_ edit: ItemEdit, of stored: StoredItem, at time: Timestamp) -> String? {
        guard let ours = try? edit.apply(to: edit.base, at: time) else { return nil }
        return try? keep(ours, of: Layout.itemFile, in: stored.folder)
    }

    // MARK: What does not parse

    /// Replaces an item.json that does not parse by one that does. Any version saved meanwhile stays.
    ///
    /// - Parameters:
    ///   - base: the broken bytes that the person saw.
    ///   - bytes: the person's replacement.
    package func mend(_ id: ItemID, in folder: String, base: [UInt8], with bytes: [UInt8]) throws(ItemError) {
        struct Changed: Error {}
        _ = try FileChange(session: self, target: .item(id, in: folder, Layout.itemFile)) { current in
            if current != base { throw Changed() }
            return current == bytes ? nil : bytes
        } describe: { [self] _, kept in
            .conflict(
                id: id, what: Layout.itemFile, kept: kept ?? (try? keep(bytes, of: Layout.itemFile, in: folder)))
        }.run()
    }
}
