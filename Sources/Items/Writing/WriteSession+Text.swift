internal import Files
package import Time

extension WriteSession {
    /// Changes an item's text, then item.json's `updatedAt`.
    ///
    /// - Returns: whether anything was written.
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

    /// Asks what `updateText` asks before it writes: an item in two places, or a text that would be too large, is refused.
    package func checkText(_ stored: StoredItem, _ change: TextChange) throws(ItemError) {
        try refuseDoubles(stored)
        let text = try store.text(of: stored)
        if let new = try? change.apply(to: text) { try checkTextSize(new) }
    }

    /// Puts the first text.md into the item's folder.
    ///
    /// - Returns: false if the name is taken meanwhile.
    private func placeText(_ stored: StoredItem, _ change: TextChange) throws(ItemError) -> Bool {
        guard let bytes = try? change.apply(to: nil) else {
            // The text that the person saw is gone. The person's new text is kept.
            var kept: String?
            if case .replace(_, let ours) = change { kept = try keep(ours, of: Layout.textFile, in: stored.folder) }
            throw .conflict(id: stored.id, what: "the text", kept: kept)
        }
        try checkTextSize(bytes)
        return try Swap(session: self, target: .item(stored.id, in: stored.folder, Layout.textFile)).run(nil, bytes)
    }

    private func hasTextFile(_ stored: StoredItem) throws(ItemError) -> Bool {
        try files { () throws(FileError) -> Bool in
            try store.root.statusIfPresent(of: stored.folder + "/" + Layout.textFile)?.kind == .regular
        }
    }

    private func checkTextSize(_ bytes: [UInt8]) throws(ItemError) {
        if bytes.count > Layout.textByteLimit {
            throw .tooLarge(name: Layout.textFile, byteCount: bytes.count, limit: Layout.textByteLimit)
        }
    }

    private func replaceText(_ stored: StoredItem, _ change: TextChange) throws(ItemError) -> Bool {
        try FileChange(session: self, target: .item(stored.id, in: stored.folder, Layout.textFile)) { current in
            let new = try change.apply(to: current)
            if let new { try self.checkTextSize(new) }
            return new
        } describe: { error, kept in
            if let error = error as? ItemError { return error }
            var kept = kept
            if kept == nil, case .replace(_, let ours) = change {
                // Nothing of ours was live yet. The person's text is kept all the same.
                kept = try? self.keep(ours, of: Layout.textFile, in: stored.folder)
            }
            return .conflict(id: stored.id, what: "the text", kept: kept)
        }.run()
    }

    /// Removes the item's text, durably, if it still is what the person saw.
    package func removeText(_ stored: StoredItem, at time: Timestamp = .now) throws(ItemError) {
        try refuseDoubles(stored)
        // item.json loses its copy first, so that the copy does not become the text when text.md is gone.
        var edit = ItemEdit(base: stored.json)
        if stored.item.textContent != nil { edit.remove(.textContent) }
        edit.touch()
        _ = try replaceItemFile(stored, edit, at: time)
        guard let seen = stored.text else { return }
        let swap = Swap(session: self, target: .item(stored.id, in: stored.folder, Layout.textFile))
        let text = try swap.contents(in: swap.place())
        guard let text, text.status.isSameVersion(as: seen), try swap.run(text.bytes, nil) else {
            throw .conflict(id: stored.id, what: "the text", kept: nil)
        }
    }
}
