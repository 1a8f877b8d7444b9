internal import Files
internal import Items

extension LibraryView {
    /// Removes every file that the view wrote, and the folders that are then empty.
    func removeFiles(_ monitor: Monitor) throws -> ViewReport {
        let root = try Directory(path: record.folder).directory(ViewRecord.folderName)
        let tree = ViewTree(root)
        try ViewLeftovers(tree: tree, record: record, manifest: manifest).clear()
        let probe = record.temporaryPrefix + "probe"
        let writer = ViewWriter(
            tree, record, try ViewSystem(of: tree.root, temporary: probe), library.store, keptFolders: [])
        let ids = try manifest.ids()
        for (number, id) in ids.enumerated() {
            try monitor.check()
            if number % 100 == 0 { monitor.show(number, of: ids.count) }
            var job = ViewJob(ViewPlan(id: id, old: try manifest.item(id) ?? ViewItem()), writer)
            do {
                try job.stage()
                try manifest.intend(id, job.intent, isSynced: false)
                try manifest.settle(id, job.apply())
            } catch let error as FileError {
                writer.count { $0.failures.append(.init(id: id, error: error)) }
            }
            let changes = job.changes
            writer.count { $0.changes += changes }
        }
        var report = writer.currentReport
        if !report.failures.isEmpty { return report }
        try removeFolders(of: tree)
        for entry in try tree.root.entries() where entry.name.string != ViewMarker.fileName {
            report.changes.append(ViewChange(path: entry.name.repaired, kind: .own))
        }
        if report.changes.isEmpty {
            try tree.root.removeFile(ViewMarker.fileName)
            try Directory(path: record.folder).removeDirectory(ViewRecord.folderName)
        } else {
            // What stays is no view any more.
            try tree.root.removeFile(ViewMarker.fileName)
        }
        return report
    }

    /// Removes the folders that every view has, and those of smart folders, as far as they are empty.
    private func removeFolders(of tree: ViewTree) throws {
        let names = NameTable(manifest)
        if let smart = try? tree.root.directory(ViewGroups.smart) {
            for entry in try smart.entries() where entry.kind == .directory {
                guard let name = entry.name.string, try names.owner(of: name, in: ViewGroups.smart) != nil else {
                    continue
                }
                try? smart.removeDirectory(name)
            }
        }
        for name in ViewGroups.folders + [ViewGroups.documents] { try? tree.root.removeDirectory(name) }
    }
}
