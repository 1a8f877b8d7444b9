internal import Files
internal import Items

/// The changes of one item's files in a view: planned and staged, written down, then made.
///
/// Order of calls: `stage`, the manifest's `intend` with `intent`, `apply`, the manifest's `settle` with `result`. After
/// each of these calls, each file in the view is the old or the new one, and the manifest knows which.
struct ViewJob: Sendable {
    private enum Action: Sendable {
        /// A staged file goes to its path; the entry has the temporary name.
        case place(ViewEntry)
        /// A link is made.
        case link(ViewEntry)
        /// A file of the view gets another path.
        case move(ViewEntry, to: ViewEntry)
        case remove(ViewEntry, temporary: String)
        case attributes(ViewEntry)
    }

    let plan: ViewPlan
    private let writer: ViewWriter
    /// The manifest's entries so far, by their paths.
    private let known: [[UInt8]: [ViewEntry]]
    /// Those of them that are not wanted, and the paths of the files among them by what they are copies of.
    private var leaving: [[UInt8]: [ViewEntry]]
    private var movable: [FileLook: [[UInt8]]] = [:]
    private var actions: [Action] = []
    /// Entries that stay as they are.
    private var kept: [ViewEntry] = []
    private(set) var changes: [ViewChange] = []
    private var isTouched = false

    init(_ plan: ViewPlan, _ writer: ViewWriter) {
        self.plan = plan
        self.writer = writer
        known = plan.old.byPath
        let paths = Set(plan.wanted.map { Array($0.path.utf8) })
        leaving = known.filter { !paths.contains($0.key) }
        for (path, entries) in leaving {
            for entry in entries where entry.isFile && entry.seen != nil {
                if let source = entry.source { movable[source, default: []].append(path) }
            }
        }
    }

    private func known(at path: String) -> [ViewEntry] { known[Array(path.utf8)] ?? [] }

    var id: ItemID { plan.id }
    /// Whether any file changes.
    var hasActions: Bool { !actions.isEmpty }
    /// Whether the manifest changes.
    var hasChanges: Bool { hasActions || isTouched || plan.name != plan.old.name || plan.old.isUnsettled }

    private var tree: ViewTree { writer.tree }

    // MARK: Staging

    /// Compares what is there with what is wanted, and writes new files under temporary names.
    mutating func stage() throws {
        do {
            for wanted in plan.wanted { try stage(wanted) }
            for entries in leaving.values.sorted(by: { $0[0].path < $1[0].path }) { try stageRemoval(of: entries) }
        } catch {
            discard()
            throw error
        }
    }

    private mutating func stage(_ wanted: ViewWanted) throws {
        let known = known(at: wanted.path)
        let occupant = try tree.occupant(of: wanted.path, known)
        switch occupant {
        case .ours(let entry, let status):
            if try keeps(entry, status, wanted) { return }
            // A file that was cut off is written again, though its bytes are those of the entry.
            let isWhole =
                if case .file(let byteCount, _) = entry.content { status.byteCount == byteCount } else { true }
            try stageFile(wanted, replacing: entry, isWhole: isWhole)
        case .nothing:
            if try stageMove(wanted) { return }
            try stageFile(wanted, replacing: nil)
        case .edited(let status, let hash):
            if try isWanted(wanted, status, hash) {
                // The library took the edited copy over.
                keep(try writer.entry(wanted, status: status, sha256: hash))
                isTouched = true
                return
            }
            let copied = known.last { $0.isFile }
            var change = ViewChange(path: wanted.path, kind: .edited(id, wanted.part))
            if case .copy(_, let now) = wanted.content { change.isOutdated = copied?.source != FileLook(now) }
            changes.append(change)
            kept += known
        case .other(let status):
            if writer.record.takesOver, let entry = try writer.takenOver(wanted, status, plan) {
                keep(entry)
                isTouched = true
            } else {
                changes.append(ViewChange(path: wanted.path, kind: .inTheWay(id)))
            }
        }
    }

    private mutating func keep(_ entry: ViewEntry) { kept.append(entry) }

    /// Whether the entry that is there is the wanted one. Notes what changed about it.
    private mutating func keeps(_ entry: ViewEntry, _ status: FileStatus, _ wanted: ViewWanted) throws -> Bool {
        let look = FileLook(status)
        switch (entry.content, wanted.content) {
        case (.link(let target), .link(let other)):
            if !target.utf8.elementsEqual(other.utf8) { return false }
        case (.file(let byteCount, _), .copy(_, let source)):
            if entry.source != FileLook(source) || status.byteCount != byteCount { return false }
        case (.file(let byteCount, let hash), .bytes(let bytes)):
            if bytes.count != byteCount || status.byteCount != byteCount || SHA256.hex(bytes) != hash { return false }
        default: return false
        }
        var entry = entry
        if entry.seen != look || entry.temporary != nil { isTouched = true }
        entry.seen = entry.isFile ? look : nil
        entry.temporary = nil
        if entry.isFile, writer.hasAttributes(wanted.part), let contents = plan.contents,
            (entry.tags ?? "") != contents.tagAttribute || (entry.origin ?? "") != contents.originAttribute
        {
            actions.append(.attributes(entry))
        } else {
            keep(entry)
        }
        return true
    }

    private func isWanted(_ wanted: ViewWanted, _ status: FileStatus, _ hash: String) throws -> Bool {
        switch wanted.content {
        case .link: return try isLinked(wanted.part, status, hash)
        case .bytes(let bytes): return bytes.count == status.byteCount && SHA256.hex(bytes) == hash
        case .copy(let file, let source):
            guard source.byteCount == status.byteCount, let contents = plan.contents else { return false }
            return try ViewTree.hash(writer.source(file, of: contents.stored)) == hash
        }
    }

    /// Whether a file in the place of a link has the bytes that the link leads to. It counts as the view's own then, and the
    /// next refresh makes it a link again.
    private func isLinked(_ part: ViewPart, _ status: FileStatus, _ hash: String) throws -> Bool {
        guard let contents = plan.contents else { return false }
        let stored = contents.stored
        let (file, source): (String, FileStatus?)
        switch part == .reference && contents.isSingle ? contents.pieces[0].part : part {
        case .document: (file, source) = (stored.document?.path ?? "", stored.document?.status)
        case .text: (file, source) = (Layout.textFile, stored.text)
        default: return false
        }
        guard let source, source.byteCount == status.byteCount else { return false }
        return try ViewTree.hash(writer.source(file, of: stored)) == hash
    }

    /// Uses a file that loses its path and has the wanted bytes.
    private mutating func stageMove(_ wanted: ViewWanted) throws -> Bool {
        guard case .copy(_, let source) = wanted.content else { return false }
        let look = FileLook(source)
        while let path = movable[look]?.popLast() {
            guard let entries = leaving[path], let entry = entries.last(where: { $0.source == look }),
                entry.part == wanted.part, case .ours = try tree.occupant(of: entry.path, [entry])
            else { continue }
            leaving[path] = nil
            stageMove(of: entry, to: wanted, look)
            return true
        }
        return false
    }

    private mutating func stageMove(of entry: ViewEntry, to wanted: ViewWanted, _ look: FileLook) {
        var moved = ViewEntry(path: wanted.path, part: wanted.part, content: entry.content, source: look)
        moved.tags = entry.tags
        moved.origin = entry.origin
        actions.append(.move(entry, to: moved))
    }

    private mutating func stageFile(
        _ wanted: ViewWanted, replacing old: ViewEntry?, isWhole: Bool = true
    ) throws {
        if case .link(let target) = wanted.content {
            var entry = ViewEntry(path: wanted.path, part: wanted.part, content: .link(target: target))
            if old != nil {
                entry.temporary = writer.temporaryName(for: id)
                try tree.root.makeLink(entry.temporary ?? "", to: target)
                actions.append(.place(entry))
            } else {
                actions.append(.link(entry))
            }
            return
        }
        let entry = try writer.stage(wanted, plan)
        if let old, isWhole, old.content == entry.content, old.seen != nil {
            // Another version of the library's file with the same bytes.
            try tree.root.removeFile(entry.temporary ?? "")
            var same = old
            same.source = entry.source
            keep(same)
            isTouched = true
            return
        }
        actions.append(.place(entry))
    }

    /// - Parameter entries: all of one path.
    private mutating func stageRemoval(of entries: [ViewEntry]) throws {
        let entry = entries[0]
        switch try tree.occupant(of: entry.path, entries) {
        case .nothing, .other: isTouched = true
        case .ours(let ours, _):
            actions.append(.remove(ours, temporary: writer.temporaryName(for: id)))
        case .edited:
            changes.append(ViewChange(path: entry.path, kind: .edited(id, entry.part), isOutdated: true))
            keep(entry)
        }
    }

    /// Removes what was staged; for a job whose intent was not written.
    func discard() {
        for case .place(let entry) in actions { try? tree.root.removeFile(entry.temporary ?? "") }
    }

    // MARK: Writing

    /// All that the item's files may be until `result` is written: what was, and what will be.
    var intent: ViewItem {
        let paths = Set(kept.map { Array($0.path.utf8) })
        var entries = plan.old.entries.filter { !paths.contains(Array($0.path.utf8)) }
        entries += kept
        for action in actions {
            switch action {
            case .place(let new), .link(let new), .move(_, let new): entries.append(new)
            case .remove(let old, let temporary):
                var leaving = old
                leaving.temporary = temporary
                entries.append(leaving)
            case .attributes: break
            }
        }
        return ViewItem(name: plan.name, entries: entries)
    }

    /// Makes the changes.
    ///
    /// - Returns: what the manifest has of the item now.
    mutating func apply() throws -> ViewItem {
        var entries = kept
        for action in actions {
            switch action {
            case .place(let entry): entries += try place(entry)
            case .link(let entry): entries += try link(entry)
            case .move(let old, let new): entries += try move(old, to: new)
            case .remove(let entry, let temporary): entries += try remove(entry, temporary)
            case .attributes(let entry): entries.append(writer.setAttributes(entry, plan))
            }
        }
        for place in entries.indices { entries[place].temporary = nil }
        return ViewItem(name: plan.name, entries: entries)
    }

    private mutating func place(_ entry: ViewEntry) throws -> [ViewEntry] {
        let known = known(at: entry.path)
        let temporary = entry.temporary ?? ""
        let placed = try tree.with(entry.path, isMade: true) { (folder, name) throws(FileError) -> FileStatus? in
            switch try ViewTree.occupant(name, in: folder, known) {
            case .nothing:
                do throws(FileError) {
                    try tree.root.move(temporary, to: folder, as: name)
                } catch let error where error.isTaken {
                    return nil
                }
            case .ours:
                if try tree.root.swap(temporary, with: folder, name) {
                    guard case .ours = try ViewTree.occupant(temporary, in: tree.root, known) else {
                        // An edit in between: it goes back to its name.
                        _ = try tree.root.swap(temporary, with: folder, name)
                        return nil
                    }
                    try tree.root.removeFile(temporary)
                } else {
                    try tree.root.replace(temporary, to: folder, as: name)
                }
            case .edited, .other: return nil
            }
            return try folder.statusOfKnownPath(name)
        }
        guard let status = placed ?? nil else {
            try tree.root.removeFile(temporary)
            changes.append(
                ViewChange(path: entry.path, kind: known.isEmpty ? .inTheWay(id) : .edited(id, entry.part)))
            return known
        }
        writer.count { $0.writtenCount += 1 }
        var entry = entry
        entry.temporary = nil
        entry.seen = entry.isFile ? FileLook(status) : nil
        return [entry]
    }

    private mutating func link(_ entry: ViewEntry) throws -> [ViewEntry] {
        guard case .link(let target) = entry.content else { return [] }
        let isMade = try tree.with(entry.path, isMade: true) { (folder, name) throws(FileError) -> Bool in
            do throws(FileError) {
                try folder.makeLink(name, to: target)
                return true
            } catch let error where error.isTaken {
                return false
            }
        }
        if isMade != true {
            changes.append(ViewChange(path: entry.path, kind: .inTheWay(id)))
            return []
        }
        writer.count { $0.writtenCount += 1 }
        return [entry]
    }

    private mutating func move(_ old: ViewEntry, to new: ViewEntry) throws -> [ViewEntry] {
        let moved = try tree.with(old.path) { (from, oldName) throws(FileError) -> FileStatus? in
            // An edit in between goes along, and is found there as one.
            let status = try tree.with(new.path, isMade: true) { (folder, name) throws(FileError) -> FileStatus? in
                do throws(FileError) {
                    try from.move(oldName, to: folder, as: name)
                } catch let error where error.isTaken || error.isAbsent {
                    return nil
                }
                return try folder.statusOfKnownPath(name)
            }
            return status ?? nil
        }
        guard let status = (moved ?? nil) else { return [old] }
        tree.removeEmptyFolders(above: old.path, keeping: writer.keptFolders)
        writer.count { $0.movedCount += 1 }
        var new = new
        // Only the time of the inode's change may differ.
        if status.byteCount == old.seen?.byteCount, status.modified == old.seen?.modified,
            status.inode == old.seen?.inode
        {
            new.seen = FileLook(status)
        }
        return [writer.setAttributes(new, plan)]
    }

    private mutating func remove(_ entry: ViewEntry, _ temporary: String) throws -> [ViewEntry] {
        let known = known(at: entry.path)
        let isLeft = try tree.with(entry.path) { (folder, name) throws(FileError) -> Bool in
            switch try ViewTree.occupant(name, in: folder, known) {
            case .nothing: return false
            case .ours: break
            case .edited, .other: return true
            }
            // Looked at again under a name that nobody else writes to.
            try folder.move(name, to: tree.root, as: temporary)
            guard case .ours = try ViewTree.occupant(temporary, in: tree.root, known) else {
                try tree.root.move(temporary, to: folder, as: name)
                return true
            }
            try tree.root.removeFile(temporary)
            return false
        }
        if isLeft == true {
            changes.append(ViewChange(path: entry.path, kind: .edited(id, entry.part), isOutdated: true))
            return [entry]
        }
        writer.count { $0.removedCount += 1 }
        tree.removeEmptyFolders(above: entry.path, keeping: writer.keptFolders)
        return []
    }
}

extension ViewItem {
    /// Whether its files may be between two states.
    fileprivate var isUnsettled: Bool {
        entries.contains { $0.temporary != nil || $0.isFile && $0.seen == nil }
    }
}
