internal import Files

/// Changes an index; one at a time, by a lock in its folder.
///
/// What was put and deleted is found by snapshots that are taken after `commit`. A commit is one record at the end of the
/// log; if the process dies before that, the commit never was.
package final class IndexWriter {
    private let folder: IndexFolder
    private let lock: FileLock
    private var state: IndexState
    private var log: OpenFile
    private var builder = SegmentBuilder(byteLimit: 32 << 20)
    private var pending: [DocumentKey: IndexDocument] = [:]
    private var pendingOrder: [DocumentKey] = []
    private var deleted: Set<DocumentKey> = []

    static let lockName = "lock"
    /// A log with more bytes or documents is made into a segment of its own.
    private static let logByteLimit = 4 << 20
    private static let logDocumentLimit = 4096
    /// Merges of more bytes than this are left to `merge`.
    private static let inlineMergeByteLimit = 64 << 20

    /// Opens an index for changes; makes an empty one where there is none.
    ///
    /// - Parameter patience: how long to wait for another writer.
    /// - Throws: `IndexDamage` if what is there cannot be used; `FileError`.
    /// - Returns: `nil` if another writer has it all the time.
    package static func open(_ folder: IndexFolder, patience: Duration = .seconds(10)) throws -> IndexWriter? {
        guard let lock = try FileLock.acquire(lockName, in: folder.directory, patience: patience) else { return nil }
        var state = try folder.state()
        if state == nil {
            try folder.replaceManifest(entries: [], generation: 1)
            state = try folder.state()
        }
        guard let state else { throw IndexDamage("\(Manifest.fileName): is gone") }
        return try IndexWriter(folder, lock, state)
    }

    private init(_ folder: IndexFolder, _ lock: consuming FileLock, _ state: IndexState) throws {
        self.folder = folder
        self.lock = lock
        self.state = state
        log = OpenFile(try folder.directory.fileForWriting(Manifest.logName(state.manifest.log)))
    }

    /// The index with all commits.
    package var snapshot: IndexSnapshot { IndexSnapshot(state.parts) }

    package var segmentCount: Int { state.parts.count }

    // MARK: Changes

    /// Adds a document, in place of the one with the same key.
    package func put(_ document: IndexDocument) {
        if pending.updateValue(document, forKey: document.key) == nil { pendingOrder.append(document.key) }
        deleted.remove(document.key)
    }

    package func delete(_ key: DocumentKey) {
        if pending.removeValue(forKey: key) != nil { pendingOrder.removeAll { $0 == key } }
        deleted.insert(key)
    }

    /// Whether something was put or deleted since the last commit.
    package var hasChanges: Bool { !pending.isEmpty || !deleted.isEmpty }

    /// Makes the changes so far one commit.
    ///
    /// - Parameter isSynced: whether they must be on the disk when this returns; a derived index need not be.
    package func commit(isSynced: Bool = false) throws {
        if !hasChanges { return }
        for key in pendingOrder { if let document = pending[key] { builder.add(document) } }
        defer { builder.removeAll() }
        var deletions: [CommitLog.Deletion] = []
        var parts = state.parts
        for keys in [pendingOrder, Array(deleted)] {
            for key in keys {
                for part in parts.indices.reversed() {
                    guard let document = try parts[part].segment.document(key),
                        !parts[part].deletions.contains(document)
                    else { continue }
                    parts[part].deletions.insert(document)
                    deletions.append(
                        CommitLog.Deletion(
                            identity: parts[part].segment.summary.identity, document: UInt32(document)))
                }
            }
        }
        var segment: Segment?
        var replaced = 0
        if builder.count > 0 {
            let new = try memorySegment { try builder.write(identity: $0, spill: nil, to: nil).memory }
            let logParts = parts[state.firstLogPart...]
            replaced = MergePolicy.mergeCount(logParts.map(\.segment.documentCount) + [new.documentCount]) - 1
            segment = new
            if replaced > 0 {
                let inputs =
                    logParts.suffix(replaced).map { SegmentMerge.Input(segment: $0.segment, deletions: $0.deletions) }
                    + [SegmentMerge.Input(segment: new, deletions: nil)]
                segment = try memorySegment {
                    try SegmentMerge(inputs).write(identity: $0, threads: 1, spill: nil, to: nil).memory
                }
            }
        }
        if segment == nil && deletions.isEmpty { return forget() }
        let record = CommitLog.record(
            replaced: replaced, deletions: deletions, image: segment?.image, log: state.manifest.log)
        try record.withUnsafeBytes { try log.descriptor.write($0, at: state.logEnd) }
        if isSynced { try log.descriptor.syncData() }
        try state.apply(deletions, replacing: replaced, with: segment)
        state.logEnd += record.count
        forget()
        let logDocuments = state.parts[state.firstLogPart...].reduce(0) { $0 + $1.segment.documentCount }
        if state.logEnd > Self.logByteLimit || logDocuments > Self.logDocumentLimit {
            try roll(isSynced: isSynced, mergeByteLimit: Self.inlineMergeByteLimit)
        }
    }

    private func forget() {
        pending.removeAll()
        pendingOrder.removeAll()
        deleted.removeAll()
    }

    private func memorySegment(_ make: (UInt64) throws -> MemoryImage?) throws -> Segment {
        guard let image = try make(IndexFolder.newIdentity()) else { throw IndexDamage("a commit was not made") }
        return try Segment(image, name: "a commit")
    }

    // MARK: Merging

    /// Whether `merge` would do something worth while.
    package var needsMerge: Bool {
        let sizes = state.parts[..<state.firstLogPart].map(\.segment.documentCount)
        return MergePolicy.mergeCount(sizes) > 1 || state.parts.contains { Self.isMostlyDead($0) }
    }

    private static func isMostlyDead(_ part: IndexSnapshot.Part) -> Bool {
        part.deletions.count * 3 > part.segment.documentCount
    }

    /// Merges what the policy says, however long it takes.
    package func merge(threads: Int = Workers.count) throws {
        try roll(isSynced: true, mergeByteLimit: .max, threads: threads)
        let sizes = state.parts.map(\.segment.documentCount)
        if MergePolicy.mergeCount(sizes) > 1 || state.parts.contains(where: Self.isMostlyDead) {
            try rewrite(from: 0, threads: threads)
        }
    }

    /// Makes the log's segments one in a file of its own, with those before them that the policy adds.
    private func roll(isSynced: Bool, mergeByteLimit: Int, threads: Int = 1) throws {
        if state.parts.count == state.firstLogPart && state.logEnd <= CommitLog.headerByteCount { return }
        var first = state.firstLogPart
        let logSize = state.parts[first...].reduce(0) { $0 + $1.segment.documentCount }
        let sizes = state.parts[..<first].map(\.segment.documentCount)
        let count = MergePolicy.mergeCount(sizes + [logSize]) - 1
        let byteCount = state.parts[(first - count)...].reduce(0) { $0 + $1.segment.summary.byteCount }
        if byteCount <= mergeByteLimit { first -= count }
        try rewrite(from: first, threads: threads)
    }

    private func rewrite(from first: Int, threads: Int) throws {
        let inputs = state.parts[first...].map { SegmentMerge.Input(segment: $0.segment, deletions: $0.deletions) }
        var entries = state.parts[..<first].map {
            Manifest.Entry(summary: $0.segment.summary, deletions: $0.deletions)
        }
        let live = state.parts[first...].reduce(0) { $0 + $1.segment.documentCount - $1.deletions.count }
        if live > 0 {
            let identity = IndexFolder.newIdentity()
            let file = OpenFile(try folder.directory.createFile(Manifest.segmentName(identity)))
            let merged = try SegmentMerge(inputs).write(identity: identity, threads: threads, spill: folder, to: file)
            try file.descriptor.syncData()
            entries.append(
                Manifest.Entry(
                    summary: merged.summary, deletions: Deletions(documentCount: merged.summary.documents)))
        }
        try folder.replaceManifest(entries: entries, generation: state.manifest.generation + 1)
        try reload()
        folder.removeStrangers()
    }

    private func reload() throws {
        guard let new = try folder.state() else { throw IndexDamage("\(Manifest.fileName): is gone") }
        state = new
        log = OpenFile(try folder.directory.fileForWriting(Manifest.logName(new.manifest.log)))
    }
}
