internal import Files
internal import Items

extension LibraryView {
    /// Brings the view up to date with the library.
    ///
    /// An item, or a file, that fails does not stop the others. On a full disk the rest is left: the view is then behind for these
    /// items, and the next refresh of any scope writes them.
    ///
    /// - Parameters:
    ///   - scope: what is compared.
    ///   - missing: what becomes of a view whose folder is gone.
    ///   - removesAll: whether to remove what the view has of more than a fifth of all items at once, where they have no
    ///     tombstone. Otherwise it stays, and `ViewReport.withheldCount` counts them.
    ///   - monitor: is told items done and in all, and cancels; what was written by then stays.
    /// - Throws: `ViewError.busy` if another process works on the view; `FileError` if the folder cannot be written.
    @discardableResult
    public func refresh(
        _ scope: ViewScope = .all, missing: MissingView = .report, removesAll: Bool = false,
        _ monitor: Monitor = Monitor()
    ) throws -> ViewReport {
        let lock = try manifest.lock()
        defer { withExtendedLifetime(lock) {} }
        guard let tree = try openTree(missing) else {
            var report = ViewReport()
            report.state = try state()
            return report
        }
        do {
            let run = try ViewRun(self, tree, scope, removesAll: removesAll)
            return try run.run(monitor)
        } catch {
            guard let cause = error as? FileError ?? (error as? ItemError)?.fileError else { throw error }
            if case .items(let ids) = scope { manifest.setBehind(Array(Set(manifest.behindIDs() + ids)).sorted()) }
            guard cause.isOutOfSpace else { throw error }
            var report = ViewReport()
            report.failures = [.init(id: nil, error: cause)]
            return report
        }
    }

    /// Opens the view's folder, and makes it if that is wanted.
    ///
    /// - Returns: `nil` if it is gone, or is another view's.
    private func openTree(_ missing: MissingView) throws -> ViewTree? {
        switch (try state(), missing) {
        case (.present, _): break
        case (.missing, .make): try makeFolder()
        case (.missing, .report), (.foreign, _): return nil
        }
        let root = try Directory(path: record.folder).directory(ViewRecord.folderName)
        try ViewPlace.checkOutside(root, library)
        return ViewTree(root)
    }

    /// Makes the view's folder with its marker.
    func makeFolder() throws(FileError) {
        try Directory.make(path: record.folder)
        let folder = try Directory(path: record.folder)
        try folder.makeDirectory(ViewRecord.folderName)
        let root = try folder.directory(ViewRecord.folderName)
        let temporary = record.temporaryPrefix + "marker"
        try root.writeFile(temporary, ViewMarker(view: id, of: library.store).bytes)
        try root.replace(temporary, to: root, as: ViewMarker.fileName)
        try root.sync()
        try folder.sync()
    }
}
