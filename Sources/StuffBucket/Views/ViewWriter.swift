internal import Files
internal import Items
private import Synchronization

/// Writes files of one view under temporary names: copies with their hashes, times and attributes.
///
/// The files of a view are not synced: they are copies. Temporary files are `.sbfs-view-<token>-<item>-<number>` in the view's
/// folder; the number begins with a random one, so that no run repeats a name of an earlier one.
final class ViewWriter: Sendable {
    let tree: ViewTree
    let record: ViewRecord
    let system: ViewSystem
    /// Folders that stay when they are empty.
    let keptFolders: Set<String>
    private let store: ItemStore
    private let report: Mutex<ViewReport>
    private let number = Mutex(UInt64.random(in: 0..<(1 << 48)) << 16)

    init(
        _ tree: ViewTree, _ record: ViewRecord, _ system: ViewSystem, _ store: ItemStore, keptFolders: Set<String>
    ) {
        self.tree = tree
        self.record = record
        self.system = system
        self.store = store
        self.keptFolders = keptFolders
        var report = ViewReport()
        report.hasLinks = system.hasLinks
        report.hasAttributes = system.hasAttributes
        self.report = Mutex(report)
    }

    func count(_ change: (inout ViewReport) -> Void) { report.withLock { change(&$0) } }

    var currentReport: ViewReport { report.withLock { $0 } }

    func temporaryName(for id: ItemID) -> String {
        let number = number.withLock { number in
            number += 1
            return number
        }
        return record.temporaryPrefix + "\(id)-\(number)"
    }

    /// Opens a file of an item.
    func source(_ path: String, of stored: StoredItem) throws(FileError) -> Descriptor {
        try store.root.file(stored.folder + "/" + path)
    }

    // MARK: Staging

    /// Writes the bytes of a file under a temporary name.
    func stage(_ wanted: ViewWanted, _ plan: ViewPlan) throws -> ViewEntry {
        let name = temporaryName(for: plan.id)
        let file = try tree.root.createFile(name)
        do {
            var entry: ViewEntry
            switch wanted.content {
            case .copy(let path, _):
                guard let contents = plan.contents else { throw FileError(.copy, wanted.path, .unsafePath) }
                let source = try source(path, of: contents.stored)
                let status = try source.status()
                let hash = try copy(source, to: file)
                // The size is that of what was copied, should the source change meanwhile.
                let byteCount = try file.status().byteCount
                entry = ViewEntry(
                    path: wanted.path, part: wanted.part, content: .file(byteCount: byteCount, sha256: hash),
                    source: FileLook(status))
                try file.setModified(status.modified)
            case .bytes(let bytes):
                try file.write(bytes)
                entry = ViewEntry(
                    path: wanted.path, part: wanted.part,
                    content: .file(byteCount: bytes.count, sha256: SHA256.hex(bytes)))
                if let time = plan.contents?.stored.effectiveUpdatedAt.milliseconds {
                    let limit = Int64.max / 1_000_000
                    try file.setModified(max(-limit, min(limit, time)) * 1_000_000)
                }
            case .link: throw FileError(.create, wanted.path, .unsafePath)
            }
            entry.temporary = name
            if hasAttributes(wanted.part), let contents = plan.contents {
                set(&entry, contents, file)
            }
            return entry
        } catch {
            try? tree.root.removeFile(name)
            throw error
        }
    }

    /// Copies a file as the view's mode says.
    ///
    /// - Returns: the hash of the copied bytes.
    private func copy(_ source: borrowing Descriptor, to file: borrowing Descriptor) throws(FileError) -> String {
        if record.mode == .reflink {
            let isShared = file.clone(source)
            let isCopied = isShared ? true : try file.append(contentsOf: source)
            if isCopied {
                // The copy is hashed: the source may change meanwhile.
                try file.rewind()
                let hash = try ViewTree.hash(file)
                let byteCount = try file.status().byteCount
                count { report in
                    if isShared {
                        report.sharedCount += 1
                    } else {
                        report.copiedCount += 1
                        report.byteCount += byteCount
                    }
                }
                return hash
            }
        }
        var hash = SHA256()
        var byteCount = 0
        while true {
            let chunk = try source.readChunk(1 << 20)
            if chunk.isEmpty { break }
            byteCount += chunk.count
            hash.update(chunk)
            try file.write(chunk)
        }
        count { report in
            report.copiedCount += 1
            report.byteCount += byteCount
        }
        return hash.finish()
    }

    /// The entry of a file that is there with the wanted bytes.
    func entry(_ wanted: ViewWanted, status: FileStatus, sha256: String) throws -> ViewEntry {
        var entry = ViewEntry(
            path: wanted.path, part: wanted.part, content: .file(byteCount: status.byteCount, sha256: sha256))
        if case .copy(_, let source) = wanted.content { entry.source = FileLook(source) }
        entry.seen = FileLook(status)
        return entry
    }

    /// The entry for a file that the manifest lacks, if it has the wanted bytes: after the manifest was lost.
    func takenOver(_ wanted: ViewWanted, _ status: FileStatus, _ plan: ViewPlan) throws -> ViewEntry? {
        switch (wanted.content, status.kind) {
        case (.link(let target), .symbolicLink):
            let found = try tree.with(wanted.path) { (folder, name) throws(FileError) in try folder.target(of: name) }
            guard let found, found.utf8.elementsEqual(target.utf8) else { return nil }
            return ViewEntry(path: wanted.path, part: wanted.part, content: .link(target: target))
        case (.bytes(let bytes), .regular):
            let hash = try ViewTree.hash(tree.root.file(wanted.path))
            return try SHA256.hex(bytes) == hash ? entry(wanted, status: status, sha256: hash) : nil
        case (.copy(let path, let source), .regular):
            guard source.byteCount == status.byteCount, let contents = plan.contents else { return nil }
            let hash = try ViewTree.hash(tree.root.file(wanted.path))
            let own = try ViewTree.hash(self.source(path, of: contents.stored))
            return try own == hash ? entry(wanted, status: status, sha256: hash) : nil
        default: return nil
        }
    }

    // MARK: Attributes

    func hasAttributes(_ part: ViewPart) -> Bool { system.hasAttributes && part != .asset && part != .reference }

    private func set(_ entry: inout ViewEntry, _ contents: ViewContents, _ file: borrowing Descriptor) {
        let (tags, origin) = (contents.tagAttribute, contents.originAttribute)
        if !tags.isEmpty { _ = file.setAttribute(Self.tagsName, Array(tags.utf8)) }
        if !origin.isEmpty { _ = file.setAttribute(Self.originName, Array(origin.utf8)) }
        entry.tags = tags.isEmpty ? nil : tags
        entry.origin = origin.isEmpty ? nil : origin
    }

    /// Brings the attributes of a file up to date, except for those that a person changed.
    func setAttributes(_ entry: ViewEntry, _ plan: ViewPlan) -> ViewEntry {
        guard hasAttributes(entry.part), entry.isFile, let contents = plan.contents else { return entry }
        var entry = entry
        let wanted = [
            (Self.tagsName, entry.tags ?? "", contents.tagAttribute),
            (Self.originName, entry.origin ?? "", contents.originAttribute),
        ]
        if wanted.allSatisfy({ $0.1 == $0.2 }) { return entry }
        guard let file = try? tree.root.file(entry.path), let seen = entry.seen, let status = try? file.status(),
            FileLook(status) == seen
        else { return entry }
        for (name, old, new) in wanted where old != new {
            if file.attribute(name, limit: 65536) ?? [] == Array(old.utf8) {
                _ = file.setAttribute(name, Array(new.utf8))
            }
        }
        entry.tags = contents.tagAttribute.isEmpty ? nil : contents.tagAttribute
        entry.origin = contents.originAttribute.isEmpty ? nil : contents.originAttribute
        if let status = try? file.status() { entry.seen = FileLook(status) }
        return entry
    }

    private static let tagsName = "user.xdg.tags"
    private static let originName = "user.xdg.origin.url"
}

extension ViewRecord {
    var temporaryPrefix: String { ".sbfs-view-" + token + "-" }
}
