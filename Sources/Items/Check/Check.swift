internal import Files
internal import JSONFormat
private import Synchronization

/// Checks every file for which FORMAT.md has a rule, and reports what differs.
///
/// Check only reads. It always looks at structure, JSON, names and promised files. With `Options.data` it also hashes
/// contents; with `Options.portability` it also tests names against other systems.
public struct Check: Sendable {
    let store: ItemStore
    let readsData: Bool
    let isPortable: Bool
    /// Receives the number of bytes of documents and versions read since the last call. Any thread may call it.
    public var didRead: @Sendable (Int) -> Void = { _ in }
    /// Items in which background work found something wrong.
    package var wrongWhenRead: [ItemID] = []
    /// Whether an exchange has an item. Asked of items whose item.json cannot be used.
    package var isHeld: @Sendable (ItemID) -> Bool = { _ in false }

    /// What is looked at beside structure, JSON, names and promised files.
    public struct Options: OptionSet, Sendable {
        /// One bit an option.
        public let rawValue: Int

        /// Makes a set of its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Reads every document and version, and compares its hash.
        public static let data = Options(rawValue: 1)
        /// Looks at names by the rules of other systems.
        public static let portability = Options(rawValue: 2)
    }

    package init(_ store: ItemStore, readsData: Bool = false, isPortable: Bool = false) {
        self.store = store
        self.readsData = readsData
        self.isPortable = isPortable
    }

    /// All findings, the worst first.
    public struct Report: Sendable {
        /// Sorted by severity, then by path.
        public var findings: [Finding] = []
        /// The number of items checked.
        public var itemCount = 0

        /// Findings that are errors.
        public var errorCount: Int { findings.count { $0.severity == .error } }
        /// Findings that are warnings.
        public var warningCount: Int { findings.count { $0.severity == .warning } }
    }

    /// - Parameter monitor: is told the number of items seen so far, from any thread, and cancels.
    /// - Throws: `ItemError`.
    public func run(_ monitor: Monitor = Monitor()) throws -> Report {
        var report = Report(findings: librarySettings() + supportFolders())
        let (shards, strays) = shards(&report)
        for stray in strays where !(stray.name.string.map(Layout.isTemporary) ?? false) {
            report.findings.append(
                Finding(
                    .warning, Layout.items + "/" + stray.name.repaired,
                    .notShard))
        }
        let shared = Mutex(report)
        try Workers.run(shards.count) { index in
            let (findings, count) = try shard(shards[index], monitor)
            let total = shared.withLock { report in
                report.findings += findings
                report.itemCount += count
                return report.itemCount
            }
            monitor.show(total)
        }
        report = shared.withLock { $0 }
        report.findings += tombstones()
        report.findings += (store.smallFileCopies() + store.tombstoneCopies()).map {
            Finding(.warning, $0.path, .conflictCopy(of: $0.original))
        }
        report.findings += damage(beside: report.findings)
        report.findings.sort { ($0.severity, $0.path) < ($1.severity, $1.path) }
        return report
    }

    /// The shards of items/. If it cannot be read, that is a finding.
    private func shards(_ report: inout Report) -> (names: [String], strays: [DirectoryEntry]) {
        // Something else in its place was just named.
        let kind = (try? store.root.statusIfPresent(of: Layout.items))?.kind ?? .directory
        if kind != .directory { return ([], []) }
        do throws(ItemError) {
            return try store.shards()
        } catch {
            report.findings.append(Finding(.error, Layout.items, .unreadable(error)))
            return ([], [])
        }
    }

    /// Items that were wrong when they were last read, without those of which this check names the errors.
    private func damage(beside findings: [Finding]) -> [Finding] {
        if wrongWhenRead.isEmpty { return [] }
        let errors = findings.filter { $0.severity == .error }.map(\.path)
        return wrongWhenRead.compactMap { id in
            guard let folder = try? store.folder(of: id), !errors.contains(where: { $0.hasPrefix(folder + "/") }) else {
                return nil
            }
            return Finding(.warning, folder, .wrongWhenRead)
        }
    }

    private func librarySettings() -> [Finding] {
        store.settings.faults.map {
            Finding(
                .warning, "\(Layout.libraryFile):\($0.position.line):\($0.position.column)",
                .field($0))
        } + keptSettings()
    }

    /// Versions of library.json that could not be merged (`Swap`).
    private func keptSettings() -> [Finding] {
        let names = ((try? store.root.entries()) ?? []).compactMap(\.name.string)
        return names.filter(Layout.isKeptSettingsName).map {
            Finding(.warning, $0, .unmergedSettings)
        }
    }

    private func supportFolders() -> [Finding] {
        var findings: [Finding] = []
        for folder in Layout.folders + [Layout.device] {
            guard let status = try? store.root.statusIfPresent(of: folder) else { continue }
            if status.kind != .directory {
                findings.append(Finding(.error, folder, .notFolder(status.kind)))
            }
        }
        for folder in NamedFolder.allCases { findings += namedFiles(in: folder) }
        findings += WriteSession.unknownLeftovers(of: store).map { Finding(.warning, $0, .unknownLeftover) }
        return findings
    }

    private func namedFiles(in folder: NamedFolder) -> [Finding] {
        do throws(FileError) {
            return try namedFiles(in: folder, store.root.directory(folder.path))
        } catch {
            return Self.unreadable(folder.path, error)
        }
    }

    /// The finding about a folder that cannot be read. An absent one is none, and one that is no folder was just named.
    private static func unreadable(_ path: String, _ error: FileError) -> [Finding] {
        error.isAbsent || error.isEscape ? [] : [Finding(.error, path, .unreadable(error))]
    }

    private func namedFiles(
        in folder: NamedFolder, _ directory: borrowing Directory
    ) throws(FileError) -> [Finding] {
        let entries = try directory.entries()
        let copies = Set(store.smallFileCopies().map(\.path))
        var findings: [Finding] = []
        for entry in entries {
            guard let name = entry.name.string, name.hasSuffix(".json"), !Layout.isTemporary(name) else { continue }
            let path = folder.path + "/" + name
            // Named as a copy.
            if copies.contains(path) { continue }
            do {
                let bytes = try directory.contents(of: name, limit: Layout.settingsByteLimit).bytes
                let file = try NamedFile(folder: folder, file: name, bytes: bytes)
                findings += namedFile(file, path)
            } catch ItemError.malformed(_, let error) {
                findings.append(Finding(.error, "\(path):\(error.line):\(error.column)", .malformed(error)))
            } catch ItemError.unsuitable(let place, let why) {
                findings.append(Finding(.error, place, .unsuitable(why)))
            } catch {
                findings.append(Finding(.error, path, .unreadable(error)))
            }
        }
        return findings
    }

    private func namedFile(_ file: NamedFile, _ path: String) -> [Finding] {
        var findings: [Finding] = []
        let expected = Layout.settingsFile(named: file.name)
        if expected != file.file { findings.append(Finding(.warning, path, .misnamed(right: expected))) }
        if file.folder == .tags, CollectionName(tag: file.name) != nil {
            findings.append(
                Finding(.warning, path, .tagOfCollection))
        }
        return findings
    }

    private func shard(_ name: String, _ monitor: Monitor) throws -> ([Finding], Int) {
        let path = Layout.items + "/" + name
        var findings: [Finding] = [], count = 0
        let shard: ItemStore.Shard
        do throws(ItemError) {
            shard = try store.shard(name)
        } catch {
            return ([Finding(.error, path, .unreadable(error))], 0)
        }
        for stray in shard.strays where !(stray.name.string.map(Layout.isTemporary) ?? false) {
            findings.append(strayItem(stray, in: path))
        }
        for id in shard.ids {
            try monitor.check()
            let found = ItemCheck(check: self, id: id, shard: name).run()
            findings += found.findings
            if found.isItem { count += 1 }
        }
        return (findings, count)
    }

    private func strayItem(_ entry: DirectoryEntry, in shard: String) -> Finding {
        let path = shard + "/" + entry.name.repaired
        if entry.kind != .directory {
            return Finding(.warning, path, .notItemFolder(entry.kind))
        }
        if let id = ItemID(utf8: entry.name.bytes) {
            let twin = shard + "/" + id.description
            // Where names differ in case alone, both are one folder.
            if let other = try? store.root.statusIfPresent(of: twin),
                (try? store.root.statusIfPresent(of: path))?.inode != other.inode
            {
                return Finding(.error, path, .upperCaseTwin(of: twin))
            }
            return Finding(
                .error, path, .upperCaseID,
                repair: .moveToShard(folder: path, id: id))
        }
        guard let name = entry.name.string,
            (try? store.root.statusIfPresent(of: shard + "/" + name + "/" + Layout.itemFile)) != nil
        else { return Finding(.warning, path, .noID) }
        return Finding(
            .error, path, .itemFileWithoutID,
            repair: .newID(folder: path))
    }

    private func tombstones() -> [Finding] {
        let names: [String]
        do throws(FileError) {
            let shards = try store.root.directory(Layout.tombstones).entries().filter { $0.kind == .directory }
            names = shards.compactMap(\.name.string).filter(Layout.isShard)
        } catch {
            return Self.unreadable(Layout.tombstones, error)
        }
        var findings: [Finding] = []
        let copies = Set(store.tombstoneCopies().map(\.path))
        for name in names {
            let entries: [DirectoryEntry]
            do throws(FileError) {
                entries = try store.root.directory(Layout.tombstones + "/" + name).entries()
            } catch {
                findings += Self.unreadable(Layout.tombstones + "/" + name, error)
                continue
            }
            for entry in entries {
                let path = Layout.tombstones + "/" + name + "/" + entry.name.repaired
                if entry.name.string.map(Layout.isTemporary) ?? false || copies.contains(path) { continue }
                guard let file = entry.name.string, file.hasSuffix(".json"), let id = ItemID(String(file.dropLast(5)))
                else {
                    findings.append(Finding(.warning, path, .misnamedTombstone))
                    continue
                }
                findings += tombstone(of: id, path)
            }
        }
        return findings
    }

    private func tombstone(of id: ItemID, _ path: String) -> [Finding] {
        do {
            if try store.tombstone(of: id) == nil {
                return [Finding(.error, path, .tombstoneWithoutTime)]
            }
            guard let item = (try? store.item(id)) ?? nil, let tombstone = try store.tombstoneContents(of: id),
                let glance = try store.glance(id, in: item.folder)
            else { return [] }
            if try store.isPurged(item) {
                if try store.isPurgedWhole(glance, tombstone) { return [Finding(.note, item.folder, .purged)] }
                return [Finding(.warning, item.folder, .purgedInPart, repair: .removeTombstone(id))]
            }
            if try store.isPurgedElsewhere(item) {
                return [Finding(.warning, item.folder, .broughtBack, repair: .removeTombstone(id))]
            }
            return [
                Finding(
                    .note, path, .tombstoneOfLiving,
                    repair: .removeTombstone(id))
            ]
        } catch ItemError.malformed(_, let error) {
            return [Finding(.error, "\(path):\(error.line):\(error.column)", .malformed(error))]
        } catch {
            return [Finding(.error, path, .unreadable(error))]
        }
    }
}
