internal import Files

/// Changes an index. A lock in its folder admits one writer at a time.
///
/// Snapshots taken after `commit` contain the changes. A commit is one record at the end of the log. If the process
/// dies before the record is complete, nothing was committed.
package final class IndexWriter {
    private let folder: IndexFolder
    private let lock: FileLock
    private var state: IndexState
    private var log: OpenFile
    private var builder = SegmentBuilder(byteLimit: 32 << 20)
    private var pending: [DocumentKey: IndexDocument] = [:]
    private var pendingOrder: [DocumentKey] = []
    private var deleted: Set<DocumentKey> = []
    /// Whether the manifest on disk may differ from `state`, because replacing it failed half way.
    private var isStale = false
    /// Whether the log may have bytes after its last whole record.
    private var isTorn = true
    /// Whether the current merge must end.
    private var isCancelled: @Sendable () -> Bool = { false }

    static let lockName = "lock"
    /// A log with more bytes or documents becomes a separate segment.
    private static let logByteLimit = 4 << 20
    private static let logDocumentLimit = 4096
    /// Larger merges are left to `merge`.
    private static let inlineMergeByteLimit = 64 << 20

    /// Opens an index for changes. Makes an empty one if there is none.
    ///
    /// - Parameter patience: how long to wait for another writer.
    /// - Throws: `IndexDamage` if the existing index cannot be used; `FileError`.
    /// - Returns: `nil` if another writer holds it all the time.
    package static func open(_ folder: IndexFolder, patience: Duration = .seconds(10)) throws -> IndexWriter? {
        guard let lock = try FileLock.acquire(lockName, in: folder.directory, patience: patience) else { return nil }
        var state = try folder.state()
        if state == nil {
            try folder.replaceManifest(entries: [], generation: 1)
            state = try folder.state()
        }
        guard let state else { throw IndexDamage("\(Manifest.fileName): is gone") }
        // Removes segments that a killed process wrote but did not name in the manifest.
        folder.removeStrangers()
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

    /// Adds a document and replaces the one with the same key.
    package func put(_ document: IndexDocument) {
        if pending.updateValue(document, forKey: document.key) == nil { pendingOrder.append(document.key) }
        deleted.remove(document.key)
    }

    package func delete(_ key: DocumentKey) {
        if pending.removeValue(forKey: key) != nil { pendingOrder.removeAll { $0 == key } }
        deleted.insert(key)
    }

    /// Whether there are changes since the last commit.
    package var hasChanges: Bool { !pending.isEmpty || !deleted.isEmpty }

    /// Commits the changes so far.
    ///
    /// - Parameter isSynced: whether they must be on the disk when this returns; a derived index need not be.
    /// - Throws: an error if nothing was committed. The changes then remain for the next commit.
    package func commit(isSynced: Bool = false) throws {
        if !hasChanges { return }
        if isStale { try reload() }
        defer { builder.removeAll() }
        var segments: [Segment] = []
        for key in pendingOrder {
            guard let document = pending[key] else { continue }
            if builder.isFull { segments.append(try builtSegment()) }
            builder.add(document)
        }
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
        if builder.count > 0 { segments.append(try builtSegment()) }
        if segments.count > 1 {
            // The changes are too large for a record of the log.
            parts += segments.map {
                IndexSnapshot.Part(segment: $0, deletions: Deletions(documentCount: $0.documentCount))
            }
            try rewrite(parts, from: state.firstLogPart, threads: 1)
            return forget()
        }
        var segment: Segment?
        var replaced = 0
        if let new = segments.first {
            let logParts = parts[state.firstLogPart...]
            let sizes = logParts.map(\.segment.documentCount) + [new.documentCount]
            replaced = MergePolicy.log.mergeCount(sizes) - 1
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
            replaced: replaced, deletions: deletions, image: segment?.image, at: state.logEnd)
        try append(record.bytes, isSynced: isSynced)
        try state.apply(deletions, replacing: replaced, with: segment)
        state.logEnd = record.end
        forget()
        let logDocuments = state.parts[state.firstLogPart...].reduce(0) { $0 + $1.segment.documentCount }
        if state.logEnd.offset > Self.logByteLimit || logDocuments > Self.logDocumentLimit {
            do {
                try roll(mergeByteLimit: Self.inlineMergeByteLimit)
            } catch {
                // The commit is complete. The next one tries again, until the log reaches its limit.
                if state.logEnd.offset > CommitLog.byteLimit / 2 { throw error }
            }
        }
    }

    /// Writes a record after the last one. No bytes may be there: readers would report them as damage.
    private func append(_ record: [UInt8], isSynced: Bool) throws {
        if isTorn { try log.descriptor.truncate(to: state.logEnd.offset) }
        isTorn = true
        do {
            try record.withUnsafeBytes { try log.descriptor.write($0, at: state.logEnd.offset) }
            if isSynced { try log.descriptor.syncData() }
            isTorn = false
        } catch {
            if (try? log.descriptor.truncate(to: state.logEnd.offset)) != nil { isTorn = false }
            throw error
        }
    }

    /// Writes the builder's documents as a segment and empties the builder.
    private func builtSegment() throws -> Segment {
        let segment = try memorySegment { try builder.write(identity: $0, spill: nil, to: nil).memory }
        builder.removeAll()
        return segment
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

    /// Whether `merge` is worthwhile.
    package var needsMerge: Bool {
        let sizes = state.parts[..<state.firstLogPart].map(\.segment.documentCount)
        return MergePolicy.files.mergeCount(sizes) > 1 || state.parts.contains { Self.isMostlyDead($0) }
    }

    private static func isMostlyDead(_ part: IndexSnapshot.Part) -> Bool {
        part.deletions.count * 3 > part.segment.documentCount
    }

    /// Makes all merges that the policy demands, however long they take.
    ///
    /// - Parameter isCancelled: asked often, by any thread.
    /// - Throws: `MergeCancelled`; the index is then as before the merge that was under way.
    package func merge(
        threads: Int = Workers.count, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws {
        self.isCancelled = isCancelled
        defer { self.isCancelled = { false } }
        if isStale { try reload() }
        try roll(mergeByteLimit: .max, threads: threads)
        let sizes = state.parts.map(\.segment.documentCount)
        if MergePolicy.files.mergeCount(sizes) > 1 || state.parts.contains(where: Self.isMostlyDead) {
            try rewrite(state.parts, from: 0, threads: threads)
        }
    }

    /// Merges the log's segments, and those before them that the policy adds, into one segment with its own file.
    private func roll(mergeByteLimit: Int, threads: Int = 1) throws {
        if state.parts.count == state.firstLogPart && state.logEnd.offset <= CommitLog.headerByteCount { return }
        var first = state.firstLogPart
        let logSize = state.parts[first...].reduce(0) { $0 + $1.segment.documentCount }
        let sizes = state.parts[..<first].map(\.segment.documentCount)
        let count = MergePolicy.files.mergeCount(sizes + [logSize]) - 1
        let byteCount = state.parts[(first - count)...].reduce(0) { $0 + $1.segment.summary.byteCount }
        if byteCount <= mergeByteLimit { first -= count }
        try rewrite(state.parts, from: first, threads: threads)
    }

    /// Replaces the current parts. Those from `first` on become one segment in a file.
    private func rewrite(_ parts: [IndexSnapshot.Part], from first: Int, threads: Int) throws {
        let inputs = parts[first...].map { SegmentMerge.Input(segment: $0.segment, deletions: $0.deletions) }
        var entries = parts[..<first].map { Manifest.Entry(summary: $0.segment.summary, deletions: $0.deletions) }
        let live = parts[first...].reduce(0) { $0 + $1.segment.documentCount - $1.deletions.count }
        if live > 0 {
            let identity = IndexFolder.newIdentity()
            let name = Manifest.segmentName(identity)
            let file = OpenFile(try folder.directory.createFile(name, permissions: 0o600))
            do {
                let merge = SegmentMerge(inputs, isCancelled: isCancelled)
                let merged = try merge.write(identity: identity, threads: threads, spill: folder, to: file)
                try file.descriptor.syncData()
                entries.append(
                    Manifest.Entry(
                        summary: merged.summary, deletions: Deletions(documentCount: merged.summary.documents)))
            } catch {
                try? folder.directory.removeFile(name)
                throw error
            }
        }
        isStale = true
        try folder.replaceManifest(entries: entries, generation: state.manifest.generation + 1)
        try reload()
        folder.removeStrangers()
    }

    private func reload() throws {
        guard let new = try folder.state() else { throw IndexDamage("\(Manifest.fileName): is gone") }
        state = new
        log = OpenFile(try folder.directory.fileForWriting(Manifest.logName(new.manifest.log)))
        isTorn = true
        isStale = false
    }
}

/// A merge ended early because its caller asked for that.
package struct MergeCancelled: Error {}
