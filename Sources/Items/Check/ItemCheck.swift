internal import Characters
internal import Files
internal import URLs

/// Checks one item's folder.
struct ItemCheck {
    let check: Check
    let id: ItemID
    let shard: String

    private var store: ItemStore { check.store }
    private var folder: String { Layout.items + "/" + shard + "/" + id.description }

    /// - Returns: what is wrong, and whether the folder counts as an item: a purge that another program carried may leave an
    ///   empty one, or history/.
    func run() -> (findings: [Finding], isItem: Bool) {
        var findings = place(), isItem = true
        do {
            let directory = try store.root.directory(folder)
            let entries = try directory.entries()
            findings += kinds(entries) + access(entries, directory)
            if let stored = try store.item(id, in: folder) {
                findings += stored.faults.map { fault in
                    Finding(
                        .error, "\(folder)/\(Layout.itemFile):\(fault.position.line):\(fault.position.column)",
                        .field(fault))
                }
                findings += try contents(stored, entries, directory)
                if check.readsData {
                    findings += DataCheck(store: store, stored: stored, didRead: check.didRead).run(entries, directory)
                }
            } else if entries.isEmpty {
                isItem = false
            } else {
                let finding = withoutItemFile(Set(entries.compactMap(\.name.string)))
                findings.append(finding)
                isItem = finding.severity == .error
            }
            if check.isPortable { findings += Portability.findings(in: directory, at: folder) }
        } catch ItemError.malformed(_, let error) {
            findings.append(unusable("\(error.line):\(error.column)", .malformed(error)))
        } catch ItemError.fault(_, let fault) {
            let isCopy = fault.key == ItemField.id.key
            findings.append(
                unusable(
                    "\(fault.position.line):\(fault.position.column)", isCopy ? .otherID(fault) : .field(fault),
                    copy: isCopy ? .newID(folder: folder) : nil))
        } catch {
            findings.append(Finding(.error, folder, .unreadable(error)))
        }
        return (findings, isItem)
    }

    /// An item.json that cannot be used, with where the right one is: an earlier one is brought back before the folder is taken for a
    /// copy, which would make a second item.
    ///
    /// - Parameters:
    ///   - position: line and column.
    ///   - copy: the repair of a folder that is a copy of another item's.
    private func unusable(_ position: String, _ kind: Finding.Kind, copy: Finding.Repair? = nil) -> Finding {
        let path = "\(folder)/\(Layout.itemFile):\(position)"
        if let directory = try? store.root.directory(folder), EarlierItemFile.isThere(of: id, in: directory) {
            return Finding(.error, path, kind, repair: .itemFile(id, folder: folder))
        }
        if check.isHeld(id) { return Finding(.error, path, kind, heldItem: id) }
        return Finding(.error, path, kind, repair: copy)
    }

    /// Nothing else in the folder is read without item.json. item.json may still be on its way from another device.
    private func withoutItemFile(_ names: Set<String>) -> Finding {
        let contents = [
            Layout.textFile, Layout.document, Layout.pageFile, Layout.readerFile, Layout.snapshots,
        ].filter(names.contains)
        let isArriving = names.contains { $0.contains(text: Layout.itemFile) && Layout.isTemporary($0) }
        if contents.isEmpty || isArriving { return Finding(.note, folder, .itemFileOnItsWay) }
        return Finding(.error, folder, .noItemFile(contents: contents))
    }

    /// Whether the folder is in its own shard, and only there.
    private func place() -> [Finding] {
        if id.shard == shard { return [] }
        let own = Layout.itemFolder(id)
        if (try? store.root.statusIfPresent(of: own))?.kind == .directory {
            return [Finding(.error, folder, .inTwoPlaces(other: own))]
        }
        return [
            Finding(
                .warning, folder, .wrongShard(right: id.shard),
                repair: .moveToShard(folder: folder, id: id))
        ]
    }

    /// Checks that names with a meaning are files and folders, and not links or other entries that must not be
    /// followed.
    private func kinds(_ entries: [DirectoryEntry]) -> [Finding] {
        let folders: Set<String> = [
            Layout.assets, Layout.document, Layout.snapshots, Layout.history, Layout.conflicts,
        ]
        return entries.compactMap { entry in
            guard let name = entry.name.string, name != Layout.itemFile, Layout.itemNames.contains(name) else {
                return nil
            }
            let expected: FileKind = folders.contains(name) ? .directory : .regular
            if entry.kind == expected { return nil }
            return Finding(
                .error, folder + "/" + name, .wrongKind(entry.kind, expected: expected))
        }
    }

    /// Checks that the files and folders may be read, and the files in document/.
    private func access(_ entries: [DirectoryEntry], _ directory: borrowing Directory) -> [Finding] {
        var findings: [Finding] = []
        func look(_ entries: [DirectoryEntry], _ directory: borrowing Directory, _ folder: String) {
            for entry in entries where !directory.isReadable(entry.name) {
                findings.append(Finding(.error, folder + "/" + entry.name.repaired, .noAccess))
            }
        }
        // Without item.json there is no item, and that is said.
        look(entries.filter { $0.name.string != Layout.itemFile }, directory, folder)
        if let documents = try? directory.directory(Layout.document), let entries = try? documents.entries() {
            look(entries, documents, folder + "/" + Layout.document)
        }
        return findings
    }

    private func contents(
        _ stored: StoredItem, _ entries: [DirectoryEntry], _ directory: borrowing Directory
    ) throws -> [Finding] {
        var findings: [Finding] = []
        func note(_ name: String, _ kind: Finding.Kind, _ severity: Finding.Severity = .note) {
            findings.append(Finding(severity, folder + "/" + name, kind))
        }
        let names = Set(entries.compactMap(\.name.string))
        if let link = stored.item.linkURL, LinkIdentity(link) == nil {
            note(Layout.itemFile, .badLink, .warning)
        }
        if stored.item.textContent != nil {
            note(
                Layout.itemFile,
                stored.text == nil && !names.contains(Layout.textFile)
                    ? .textInItemFile : .secondText, .warning)
        }
        for path in stored.unavailablePaths {
            note(path, .missing, .warning)
        }
        if let away = stored.away, let file = away.page.first {
            let name = away.hasPage ? Layout.pageFile : file.file.path
            note(name, .away(byteCount: away.page.reduce(0) { $0 + $1.file.size }))
        }
        if let document = stored.away?.document { note(document.file.path, .away(byteCount: document.file.size)) }
        let away = Set(stored.away?.page.map(\.file.path) ?? [])
        if let icon = stored.item.favicon, !away.contains(icon),
            try store.root.statusIfPresent(of: folder + "/" + icon) == nil
        {
            note(icon, .missing, .warning)
        }
        if !stored.parts.isDisjoint(with: [.page, .reader]), away.isEmpty { findings += try missingAssets(of: folder) }
        if names.contains(Layout.conflicts) {
            let count = try directory.directory(Layout.conflicts).entries().count
            if count > 0 { note(Layout.conflicts, .conflicts(count: count)) }
        }
        if names.contains(Layout.history), !check.readsData {
            findings += VersionCheck(store: store, folder: folder) { _ in }.run().filter { $0.severity != .note }
        }
        let copies = try store.conflictCopies(in: folder, document: documentName(stored))
        for copy in copies { note(copy.path, .conflictCopy(of: copy.original), .warning) }
        for entry in entries where entry.kind == .regular && !Layout.itemNames.contains(entry.name.repaired) {
            guard let name = entry.name.string else {
                note(entry.name.repaired, .unreadName, .warning)
                continue
            }
            guard Layout.isLooseName(name) || Layout.isConflictName(Array(name.utf8)) else { continue }
            let isDocument = stored.document.map { $0.isLoose && FileName($0.name) == entry.name } ?? false
            note(
                name,
                isDocument ? .looseDocument : .looseFile)
        }
        findings += try extraDocuments(stored, directory, names)
        findings += LimitCheck(stored: stored).run()
        return findings
    }

    /// The name of the document in document/.
    private func documentName(_ stored: StoredItem) -> String? {
        stored.document.flatMap { $0.isLoose ? nil : $0.name }
    }

    /// Findings reported for one page; further ones are only counted.
    private static let missingAssetLimit = 1000

    /// - Parameter folder: the item's, or a snapshot's.
    private func missingAssets(of folder: String) throws -> [Finding] {
        let missing = try AssetReferences(in: store.root.directory(folder)).missing
        var findings = missing.prefix(Self.missingAssetLimit).map { name in
            Finding(
                .warning, folder + "/" + Layout.assets + "/" + name,
                .missingAsset)
        }
        if missing.count > Self.missingAssetLimit {
            findings.append(
                Finding(
                    .warning, folder + "/" + Layout.assets,
                    .moreMissingAssets(count: missing.count - Self.missingAssetLimit)))
        }
        return findings
    }

    private func extraDocuments(
        _ stored: StoredItem, _ directory: borrowing Directory, _ names: Set<String>
    ) throws -> [Finding] {
        guard names.contains(Layout.document),
            try directory.statusIfPresent(of: Layout.document)?.kind == .directory
        else { return [] }
        return try directory.directory(Layout.document).entries().compactMap { entry in
            let path = folder + "/" + Layout.document + "/" + entry.name.repaired
            guard let name = entry.name.string else {
                return Finding(.warning, path, .unreadName)
            }
            let isDocument = stored.document.map { !$0.isLoose && entry.name == FileName($0.name) } ?? false
            let isCopy = documentName(stored).map { ConflictCopy(name, ofDocument: $0) != nil } ?? false
            if isDocument || isCopy || Layout.isTemporary(name) { return nil }
            if entry.kind != .regular {
                return Finding(.warning, path, .notDocument(entry.kind))
            }
            return Finding(
                .note, path,
                stored.document == nil && !stored.isDocumentAway ? .oneOfSeveralDocuments : .extraDocument)
        }
    }
}
