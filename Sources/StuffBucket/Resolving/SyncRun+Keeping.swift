internal import Files
internal import Items

/// Bringing back files that are away.
extension SyncRun {
    /// Brings the page and the document of an item back into its folder.
    ///
    /// - Parameters:
    ///   - components: those that are wanted.
    ///   - isKept: whether the files stay here from now on, also on a thin replica.
    /// - Returns: the numbers of files and bytes that came; what is missing or damaged; the paths of files that a program replaced and that only
    ///   exchanges hold which were removed here.
    func keep(
        _ stored: StoredItem, _ components: [Component] = [.page, .document], isKept: Bool, _ session: WriteSession
    ) throws -> (
        fileCount: Int, byteCount: Int, missing: [(path: String, object: String, reason: SyncReport.Reason)],
        unreachable: [String]
    ) {
        // The record is written again, without what a program replaced.
        try keepReplaced(of: stored.id, in: stored.folder)
        let absent = try absent(of: stored)
        var record = try store.awayFiles(of: stored)
        var fileCount = 0, byteCount = 0
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
            fileCount += files.count
            byteCount += files.reduce(0) { $0 + $1.file.size }
            if component == .page { (record.page, record.bundle) = ([], nil) }
            if component == .document { record.document = nil }
        }
        let replaced = try replacedElsewhere(stored)
        record = record.adding(replaced)
        var unreachable: [String] = []
        for component in components where isKept {
            guard let file = replaced.files(of: component).first else { continue }
            let path = component == .page ? Layout.pageFile : file.file.path
            let object =
                component == .page
                ? replaced.bundle.map { ExchangeLayout.object($0, .tar) }
                : ExchangeLayout.object(file.file.sha256, .raw)
            if let object, !isInRemovedExchange(replaced, component, of: stored.id) {
                // The exchange that has it is asked next.
                missing.append((path, object, .notHereYet))
            } else {
                unreachable.append(path)
            }
        }
        record.isKept = record.isKept || isKept && missing.isEmpty
        if fileCount > 0 || record.isKept != (stored.away?.isKept ?? false) {
            if record.isEmpty, !record.isKept {
                session.forgetAway(of: stored.id)
            } else {
                try session.note(record, of: stored.id)
            }
        }
        return (fileCount, byteCount, missing, unreachable)
    }
}
