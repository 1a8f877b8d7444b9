internal import Files
internal import Items
private import Synchronization

/// One refresh of a view.
final class ViewRun {
    private let view: LibraryView
    private let tree: ViewTree
    private let scope: ViewScope
    private let removesAll: Bool
    private let writer: ViewWriter
    private let names: NameTable
    /// `nil` in a view of documents.
    private let groups: ViewGroups?
    /// The library's full path, for links to its files.
    private let libraryPath: String?

    private var library: Library { view.library }
    private var store: ItemStore { view.library.store }
    private var manifest: ViewManifest { view.manifest }

    /// Items that are staged, written down and applied together.
    private static let batchCount = 512
    /// Above this number of items, one sync of the file system is cheaper than one a file.
    private static let fewCount = 8

    init(_ view: LibraryView, _ tree: ViewTree, _ scope: ViewScope, removesAll: Bool) throws {
        self.view = view
        self.tree = tree
        self.scope = scope
        self.removesAll = removesAll
        try ViewLeftovers(tree: tree, record: view.record, manifest: view.manifest).clear()
        let probe = view.record.temporaryPrefix + "probe"
        let system = try ViewSystem(of: tree.root, temporary: probe)
        names = NameTable(view.manifest)
        let isWhole = if case .items = scope { false } else { true }
        let record = view.record
        groups =
            record.profile == .documents
            ? nil
            : try ViewGroups(view.library, names, isWhole: isWhole) { path in
                try Self.isFree(path, tree, record)
            }
        libraryPath =
            record.mode == .symlink && system.hasLinks ? FilePath.real(view.library.store.root.path) : nil
        writer = ViewWriter(
            tree, record, system, view.library.store, keptFolders: Set(groups?.smartFolders ?? []))
    }

    /// Whether nothing is at a path. After the manifest was lost, a file or folder there may be the view's own.
    private static func isFree(_ path: String, _ tree: ViewTree, _ record: ViewRecord) throws -> Bool {
        let status = try tree.with(path) { (folder, name) throws(FileError) in try folder.statusOfKnownPath(name) }
        guard let status = status ?? nil else { return true }
        return record.takesOver && (status.kind == .directory || status.kind == .regular)
    }

    // MARK: Running

    func run(_ monitor: Monitor) throws -> ViewReport {
        // Who has a name is written down before anything has it.
        try names.flush(isSynced: true)
        try makeFolders()
        let (ids, withheld) = try targets()
        writer.count { $0.withheldCount = withheld }
        var behind: [ItemID] = []
        var done = 0
        while done < ids.count {
            try monitor.check()
            monitor.show(done, of: ids.count)
            let batch = Array(ids[done..<min(done + Self.batchCount, ids.count)])
            let (failed, isFull) = try refresh(batch, isSmall: ids.count <= Self.fewCount)
            behind += failed
            done += batch.count
            if isFull {
                behind += ids[done...]
                break
            }
        }
        if case .queries = scope { try removeGoneSmartFolders() }
        if case .all = scope {
            try removeGoneSmartFolders()
            manifest.removeLeftFiles()
            if view.record.takesOver, behind.isEmpty {
                var record = view.record
                record.takesOver = false
                try manifest.sync()
                try manifest.write(record)
            }
        }
        try names.flush()
        manifest.setBehind(behind)
        writer.count { $0.itemCount = ids.count }
        return writer.currentReport
    }

    private func makeFolders() throws(FileError) {
        guard let groups else {
            try tree.root.makeDirectory(ViewGroups.documents)
            return
        }
        for folder in ViewGroups.folders + groups.smartFolders { try tree.root.makeDirectory(folder) }
    }

    /// Folders of smart folders that the library no longer has.
    private func foldersOfGoneSmartFolders() throws(FileError) -> [String] {
        guard groups != nil, let smart = try? tree.root.directory(ViewGroups.smart) else { return [] }
        var folders: [String] = []
        for entry in try smart.entries() where entry.kind == .directory {
            guard let name = entry.name.string, try names.owner(of: name, in: ViewGroups.smart) != nil else { continue }
            let folder = ViewGroups.smart + "/" + name
            if !writer.keptFolders.contains(folder) { folders.append(folder) }
        }
        return folders
    }

    /// Removes those of them that are empty.
    private func removeGoneSmartFolders() throws(FileError) {
        for folder in try foldersOfGoneSmartFolders() {
            guard let name = folder.pathComponents.last, let owner = try names.owner(of: name, in: ViewGroups.smart),
                let smart = try? tree.root.directory(ViewGroups.smart), (try? smart.removeDirectory(name)) != nil
            else { continue }
            try names.release(name, in: ViewGroups.smart, of: owner)
        }
    }

    // MARK: What is compared

    private func targets() throws -> (ids: [ItemID], withheld: Int) {
        var ids = Set(manifest.behindIDs())
        switch scope {
        case .items(let changed):
            ids.formUnion(changed)
            // A change moves one item into Recents, and another one out of it.
            if let groups { ids.formUnion(try owners(in: ViewGroups.recents).symmetricDifference(groups.recent)) }
        case .queries:
            if let groups {
                ids.formUnion(try owners(in: ViewGroups.recents).symmetricDifference(groups.recent))
                for folder in try foldersOfGoneSmartFolders() { ids.formUnion(try owners(in: folder)) }
                for (folder, members) in groups.smartMembers {
                    ids.formUnion(try owners(in: folder).symmetricDifference(members))
                }
            }
        case .all:
            let shown = try manifest.ids()
            let all = Set(try library.ids())
            let gone = shown.filter { !all.contains($0) }
            var withheld: [ItemID] = []
            if gone.count * 5 > shown.count, gone.count > 5, !removesAll {
                withheld = try gone.filter { try store.tombstone(of: $0) == nil }
                if withheld.count * 5 <= shown.count { withheld = [] }
            }
            ids.formUnion(all)
            ids.formUnion(shown)
            ids.subtract(withheld)
            return (ids.sorted(), withheld.count)
        }
        return (ids.sorted(), 0)
    }

    /// The items whose names are in a folder of links. What a person put there has no owner.
    private func owners(in folder: String) throws(FileError) -> Set<ItemID> {
        var found: Set<ItemID> = []
        guard let directory = try? tree.root.directory(folder) else { return found }
        for entry in try directory.entries() {
            guard let name = entry.name.string, let owner = try names.owner(of: name, in: ViewGroups.all),
                let id = ItemID(owner)
            else { continue }
            found.insert(id)
        }
        return found
    }

    // MARK: A batch

    private struct Read: Sendable {
        let id: ItemID
        let old: ViewItem
        let contents: ViewContents?
        let fault: ItemFault?
    }

    /// - Returns: the items that could not be written, and whether the disk is full.
    private func refresh(_ ids: [ItemID], isSmall: Bool) throws -> (failed: [ItemID], isFull: Bool) {
        var unplanned: [ItemID] = []
        let plans = try self.plans(for: ids, &unplanned)
        try names.flush(isSynced: isSmall)
        let writer = writer
        let manifest = manifest
        let isFull = Atomic(false)
        let failed = Mutex<[ItemID]>([])
        @Sendable func fail(_ id: ItemID, _ error: any Error) throws {
            guard let error = error as? FileError ?? (error as? ItemError)?.fileError else { throw error }
            if error.isOutOfSpace { isFull.store(true, ordering: .relaxed) }
            failed.withLock { $0.append(id) }
            writer.count { $0.failures.append(.init(id: id, error: error)) }
        }
        let staged = try Workers.map(plans, pieceSize: 4) { plan -> ViewJob? in
            if isFull.load(ordering: .relaxed) {
                failed.withLock { $0.append(plan.id) }
                return nil
            }
            var job = ViewJob(plan, writer)
            do {
                try job.stage()
                if job.hasActions {
                    do {
                        try manifest.intend(job.id, job.intent, isSynced: isSmall)
                    } catch {
                        job.discard()
                        throw error
                    }
                }
                return job
            } catch {
                try fail(plan.id, error)
                return nil
            }
        }
        let jobs = staged.compactMap { $0 }
        if !isSmall, jobs.contains(where: \.hasActions) { try manifest.sync() }
        _ = try Workers.map(jobs, pieceSize: 4) { job -> Bool in
            var job = job
            do {
                let result = try job.apply()
                if job.hasChanges { try manifest.settle(job.id, result) }
            } catch {
                try fail(job.id, error)
            }
            let changes = job.changes
            writer.count { $0.changes += changes }
            return true
        }
        for plan in plans { try releaseName(of: plan) }
        return (failed.withLock { $0 } + unplanned, isFull.load(ordering: .relaxed))
    }

    private func plans(for ids: [ItemID], _ unplanned: inout [ItemID]) throws -> [ViewPlan] {
        let (store, manifest, writer) = (store, manifest, writer)
        let isDocuments = groups == nil
        let read = try Workers.map(ids, pieceSize: 8) { id -> Read in
            let old = try manifest.item(id) ?? ViewItem()
            do {
                guard let stored = try store.item(id), try !store.isPurged(stored),
                    !isDocuments || stored.document != nil && !stored.item.isTrashed
                else { return Read(id: id, old: old, contents: nil, fault: nil) }
                let contents = try ViewContents(stored, in: store, isDesktopEntry: writer.system.hasLinks)
                return Read(id: id, old: old, contents: contents, fault: nil)
            } catch {
                let folder = Layout.items + "/" + id.shard + "/" + id.description
                return Read(id: id, old: old, contents: nil, fault: try ItemFault(folder, error))
            }
        }
        var plans: [ViewPlan] = []
        for one in read {
            if let fault = one.fault {
                // What the view shows of it stays.
                writer.count { $0.faults.append(fault) }
                continue
            }
            var plan = ViewPlan(id: one.id, old: one.old, contents: one.contents)
            if one.contents == nil, one.old.entries.isEmpty { continue }
            do {
                try want(&plan)
                plans.append(plan)
            } catch let error as FileError {
                // For example, a symbolic link in the place of a folder.
                writer.count { $0.failures.append(.init(id: one.id, error: error)) }
                unplanned.append(one.id)
            }
        }
        return plans
    }

    private func want(_ plan: inout ViewPlan) throws {
        guard let contents = plan.contents else { return }
        guard let groups else {
            guard let document = contents.pieces.first(where: { $0.part == .document }) else { return }
            // The original's file name, where the file system can hold it and it hides nothing.
            let original = contents.stored.document?.name ?? document.name
            let isPlain = Printable.isPlain(original) && writer.system.hasAllNames
            let name = isPlain ? original : document.name
            let place = "\(ViewGroups.documents)/\(plan.id)"
            plan.wanted = plan.pieces(at: place, linksTo: libraryPath).compactMap { wanted in
                wanted.part == .document
                    ? ViewWanted(path: place + "/" + name, part: .document, content: wanted.content) : nil
            }
            return
        }
        let old = plan.old
        let tree = tree
        func isFree(_ path: String) throws -> Bool {
            let isOurs = old.entries.contains { entry in
                entry.path.utf8.elementsEqual(path.utf8) || entry.path.utf8.starts(with: (path + "/").utf8)
            }
            if reserved.contains(HumanName.folded(path)) { return false }
            return try isOurs || Self.isFree(path, tree, view.record)
        }
        let name = try name(for: plan, contents.name, isFree)
        plan.name = name
        let place = ViewGroups.all + "/" + name
        plan.wanted = plan.pieces(at: place, linksTo: libraryPath)
        for folder in try groups.folders(of: contents.stored, isFree: isFree) {
            var path = folder + "/" + name
            for number in 2...9 {
                let last = path.pathComponents.last ?? name
                if try names.owner(of: last, in: folder)?.hasPrefix("group-") != true, try isFree(path) { break }
                path = folder + "/" + HumanName(fileName: name).numbered(number)
            }
            reserved.insert(HumanName.folded(path))
            if writer.system.hasLinks {
                let up = String(repeating: "../", count: folder.pathComponents.count)
                plan.wanted.append(ViewWanted(path: path, part: .reference, content: .link(target: up + place)))
            } else {
                plan.wanted += plan.pieces(at: path, linksTo: nil)
            }
        }
    }

    // MARK: Names in All

    /// The item's name: the one that it has, as long as it fits the title; else the first number that is free.
    private func name(
        for plan: ViewPlan, _ wanted: HumanName, _ isFree: (String) throws -> Bool
    ) throws -> String {
        let owner = plan.id.description
        if let name = plan.old.name, wanted.isName(name),
            try names.owner(of: name, in: ViewGroups.all) ?? owner == owner, try isFree(ViewGroups.all + "/" + name)
        {
            try names.claim(name, in: ViewGroups.all, for: owner)
            return name
        }
        func isTaken(_ number: Int) throws -> Bool {
            let name = wanted.numbered(number)
            if let other = try names.owner(of: name, in: ViewGroups.all), other != owner {
                // A process may have been killed between the claim and the manifest's line.
                guard let id = ItemID(other) else { return true }
                let known = try manifest.item(id)?.name.map(HumanName.folded)
                if known == HumanName.folded(name) || isPlanned(id) { return true }
            }
            return try !isFree(ViewGroups.all + "/" + name)
        }
        var free = 1
        while free <= 8, try isTaken(free) { free += 1 }
        if free > 8 {
            // Many items with one title: the number doubles, and then the gap is halved.
            var taken = 8
            free = 16
            while try isTaken(free) { (taken, free) = (free, free * 2) }
            while free - taken > 1 {
                let middle = (taken + free) / 2
                if try isTaken(middle) { taken = middle } else { free = middle }
            }
        }
        let name = wanted.numbered(free)
        try names.claim(name, in: ViewGroups.all, for: owner)
        planned.insert(plan.id)
        return name
    }

    /// Paths of links that were planned in this run, folded: no folder may take them.
    private var reserved: Set<String> = []

    /// Items that got a name in this run, which the manifest may not have yet.
    private var planned: Set<ItemID> = []

    private func isPlanned(_ id: ItemID) -> Bool { planned.contains(id) }

    /// Frees the earlier name of an item.
    private func releaseName(of plan: ViewPlan) throws(FileError) {
        guard groups != nil, let old = plan.old.name, old != plan.name else { return }
        try names.release(old, in: ViewGroups.all, of: plan.id.description)
    }
}

extension ItemError {
    /// The error of the file system, if it is one.
    var fileError: FileError? { if case .file(let error) = self { error } else { nil } }
}
