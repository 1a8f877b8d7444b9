internal import Files
internal import Items

/// Conflicts that went with an older folder that took the item's place: Documentation/Exchange.md § 7.
extension VersionSweep {
    /// Puts conflicts back that were here at the last look and that no version ended. One that a person deleted stays away.
    func bringBackConflicts() throws(ItemError) {
        if isWorkTree || drafts != nil || memory.conflicts.isEmpty || returned.isEmpty && !isFolderNew { return }
        let ended = ended
        for name in memory.conflicts where !ended.contains(Layout.conflicts + "/" + name) {
            guard let bytes = states.keptConflict(name, of: id) else { continue }
            try session.keepConflict(bytes, as: name, of: id, in: folder)
        }
    }

    /// Whether the item's folder was made after the last look.
    private var isFolderNew: Bool {
        guard memory.noted > 0, let item = try? store.root.directory(folder) else { return false }
        return item.birth() > memory.noted
    }

    /// Remembers the conflicts that are here, and gives them second names.
    mutating func noteConflicts() {
        if drafts != nil { return }
        guard let names = try? store.fileNames(in: folder + "/" + Layout.conflicts) else { return }
        let here = names.filter { ExchangeLayout.isConflictName($0) }.sorted()
        if here == memory.conflicts { return }
        for name in memory.conflicts where !here.contains(name) { states.forgetHistory(name, of: id) }
        memory.conflicts = here
        states.keepConflicts(here, of: id, in: folder, store)
    }
}
