internal import Files
internal import Items

/// Bringing back files that are away.
extension SyncRun {
    /// Brings the page and the document of an item back into its folder.
    ///
    /// - Parameters:
    ///   - components: those that are wanted.
    ///   - isKept: whether the files stay here from now on, also on a thin replica.
    /// - Returns: the number of bytes that came, and what is missing or damaged.
    func keep(
        _ stored: StoredItem, _ components: [Component] = [.page, .document], isKept: Bool, _ session: WriteSession
    ) throws -> (byteCount: Int, missing: [(path: String, object: String, reason: SyncReport.Reason)]) {
        // The record is written again, without what a program replaced.
        try keepReplaced(of: stored.id, in: stored.folder)
        let absent = try absent(of: stored)
        var record = try store.awayFiles(of: stored)
        var byteCount = 0
        var missing: [(path: String, object: String, reason: SyncReport.Reason)] = []
        for component in components {
            let files = absent.files(of: component)
            guard let first = files.first else { continue }
            let staged = try session.stageArchive()
            defer { session.discard(staged) }
            if let fault = try fetch(absent, component, into: staged.parentPath, staged.name) {
                noteLack(fault.path)
                missing.append((component == .page ? Layout.pageFile : first.file.path, fault.path, fault.reason))
                continue
            }
            try session.place(staged, files, of: stored.id, in: stored.folder)
            byteCount += files.reduce(0) { $0 + $1.file.size }
            if component == .page { (record.page, record.bundle) = ([], nil) }
            if component == .document { record.document = nil }
        }
        record.isKept = record.isKept || isKept && missing.isEmpty
        let replaced = try replacedElsewhere(stored)
        record = record.adding(replaced)
        // The exchange that has it is asked next.
        for component in components where isKept {
            guard let file = replaced.files(of: component).first else { continue }
            let object =
                component == .page
                ? replaced.bundle.map { ExchangeLayout.object($0, .tar) }
                : ExchangeLayout.object(file.file.sha256, .raw)
            missing.append((component == .page ? Layout.pageFile : file.file.path, object ?? "", .notHereYet))
        }
        if byteCount > 0 || record.isKept != (stored.away?.isKept ?? false) {
            if record.isEmpty, !record.isKept {
                session.forgetAway(of: stored.id)
            } else {
                try session.note(record, of: stored.id)
            }
        }
        return (byteCount, missing)
    }
}
