internal import Files
internal import Items
internal import Merge

/// A document that a program which copies single files put in the place of another one: Documentation/Merge.md § 2, rule 4.
extension VersionSweep {
    /// The document, if it came without its folder, no version has it, and the item.json of a state that is known lies beside it.
    ///
    /// A tool that carries the library from elsewhere gives folders their times, too, and then the folder's status changed after the time that
    /// it tells. What puts one file there (`cp -p`, `rsync` of a file) leaves the folder with one moment for both.
    ///
    /// - Parameter known: the last state known here.
    func documentPutAlone(since known: StateHashes) throws(ItemError) -> FileStatus? {
        let paths = live.paths(of: .document)
        guard other == nil, paths.count == 1, !isOnlyNamed, !stayed, let document = live.statuses[paths[0]],
            !live.away.contains(paths[0]),
            graph.versions(with: .document, live.hashes.document).isEmpty,
            live.hashes.item == known.item || !graph.versions(with: .item, live.hashes.item).isEmpty,
            try !hasUnrecordedDocument()
        else { return nil }
        // Where a time that was restored does not show, nothing tells.
        if isDocumentInPlace || document.changed == document.modified { return isDocumentInPlace ? document : nil }
        // rsync compares the times of folders by seconds, too.
        let second: Int64 = 1_000_000_000
        if document.modified / second == document.changed / second { return nil }
        return try isDocumentFolderCarried() ? nil : document
    }

    /// The state that a document was put on: the last one known here; or, if that has no document of its name, the one whose item.json came
    /// since and names it.
    func statePutOn() throws(ItemError) -> Items.ContentHash? {
        guard let at = memory.at, let path = live.paths(of: .document).first,
            live.hashes.item != outline(at)?.content.item
        else { return memory.at }
        func has(_ name: Items.ContentHash) throws(ItemError) -> Bool {
            try existing(name).files.contains { Component(of: $0) == .document && $0.isAt(path) }
        }
        if try has(at) { return at }
        let brought = graph.versions(with: .item, live.hashes.item).filter { graph.node(of: $0) != nil }
        for (_, name) in brought.map({ (depth($0), $0) }).sorted(by: { $0.0 > $1.0 }) {
            if try has(name) { return name }
        }
        return at
    }

    /// Whether the document is the file that was there at the last look of this device, and was born before that.
    static func isInPlace(_ live: LiveState, since looked: KnownState, in store: ItemStore) throws(ItemError) -> Bool {
        guard let file = live.files.first(where: { Component(of: $0) == .document }),
            let status = live.status(of: .document),
            looked.files.contains(where: { $0.file.isAt(file.path) && $0.inode == status.inode })
        else { return false }
        do throws(FileError) {
            let birth = try store.root.fileIfPresent(live.folder + "/" + file.path)?.birth() ?? 0
            return birth != 0 && birth < looked.noted
        } catch {
            throw .file(error)
        }
    }

    /// Notes documents that were put here alone a moment before an earlier look, and that another one replaced since: no tool gave the folder its
    /// time, so each is an edit of the one before it.
    mutating func notePutBefore(_ value: Items.ContentHash) throws(ItemError) {
        for waiting in memory.waiting where waiting.hash != value {
            guard let at = waiting.putOn, graph.node(of: at) != nil, try !isDocumentFolderCarried(),
                graph.versions(with: .document, waiting.hash).isEmpty,
                let piece = keptPiece(waiting)
            else { continue }
            let left = leftVersion(.document, before: at)
            let name = try note([.document: piece], on: left ?? at, isWrittenHere: true)
            // A join may have brought another document since: this one was not made of that.
            if at == memory.at {
                if left == nil { memory.at = name }
                memory.showing[.document] = nil
            }
            forget(waiting)
        }
    }

    /// Whether document/ has a time that a tool gave it, or is not there.
    func isDocumentFolderCarried() throws(ItemError) -> Bool {
        do throws(FileError) {
            let around = try store.root.statusIfPresent(of: folder + "/" + Layout.document)
            return around?.kind != .directory || around?.changed != around?.modified
        } catch {
            throw .file(error)
        }
    }
}
