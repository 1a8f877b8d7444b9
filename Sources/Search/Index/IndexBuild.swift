internal import Files

/// Builds a whole index from many documents.
///
/// Documents are added in the order of their changes, in several lanes that threads fill in parallel: the first lane
/// has the earliest, the last lane the latest. The current index answers until `finish` replaces it.
package final class IndexBuild: @unchecked Sendable {
    private let folder: IndexFolder
    private let lock: FileLock
    private let lanes: [Lane]

    /// Memory for the terms of each lane, in bytes.
    package static let laneByteLimit = 40 << 20

    /// - Returns: `nil` if another writer holds the index all the time.
    package static func begin(
        _ folder: IndexFolder, lanes: Int, laneByteLimit: Int = laneByteLimit, patience: Duration = .seconds(10)
    ) throws -> IndexBuild? {
        guard let lock = try FileLock.acquire(IndexWriter.lockName, in: folder.directory, patience: patience) else {
            return nil
        }
        return IndexBuild(folder, lock, (0..<lanes).map { _ in Lane(folder, laneByteLimit) })
    }

    private init(_ folder: IndexFolder, _ lock: consuming FileLock, _ lanes: [Lane]) {
        self.folder = folder
        self.lock = lock
        self.lanes = lanes
    }

    /// Adds a document to a lane; each lane is filled by one thread at a time.
    package func add(_ document: IndexDocument, lane: Int) throws { try lanes[lane].add(document) }

    /// Replaces the old index by the new one.
    ///
    /// - Returns: the number of its documents.
    @discardableResult
    package func finish(threads: Int = Workers.count) throws -> Int {
        try Workers.run(lanes.count, threads: threads) { [lanes] lane in try lanes[lane].end() }
        let runs = lanes.flatMap(\.runs)
        var entries: [Manifest.Entry] = []
        if let only = runs.first, runs.count == 1 {
            entries = [Manifest.Entry(only.segment)]
        } else if !runs.isEmpty {
            let identity = IndexFolder.newIdentity()
            let file = OpenFile(try folder.directory.createFile(Manifest.segmentName(identity), permissions: 0o600))
            let merge = SegmentMerge(runs.map { SegmentMerge.Input(segment: $0.segment, deletions: nil) })
            let merged = try merge.write(identity: identity, threads: threads, spill: folder, to: file)
            entries = [
                Manifest.Entry(
                    summary: merged.summary, deletions: Deletions(documentCount: merged.summary.documents))
            ]
        }
        // An unreadable manifest is replaced as well.
        let generation = (try? folder.manifest())?.generation ?? 0
        try folder.replaceManifest(entries: entries, generation: generation + 1)
        folder.removeStrangers()
        return entries.reduce(0) { $0 + $1.summary.documents }
    }

    /// Sendable because only one thread at a time uses a lane.
    private final class Lane: @unchecked Sendable {
        private let folder: IndexFolder
        private var builder: SegmentBuilder
        private(set) var runs: [(segment: Segment, file: MappedFile)] = []

        init(_ folder: IndexFolder, _ byteLimit: Int) {
            self.folder = folder
            builder = SegmentBuilder(byteLimit: byteLimit, expectedTerms: 1 << 16)
        }

        func add(_ document: IndexDocument) throws {
            builder.add(document)
            if builder.isFull { try flush() }
        }

        /// Writes the remaining documents as a segment and releases the memory.
        func end() throws {
            try flush()
            builder = SegmentBuilder(byteLimit: 0)
        }

        private func flush() throws {
            if builder.count == 0 { return }
            let identity = IndexFolder.newIdentity()
            let name = Manifest.segmentName(identity)
            let file = OpenFile(try folder.directory.createFile(name, permissions: 0o600))
            _ = try builder.write(identity: identity, spill: folder, to: file)
            builder.removeAll()
            let mapped = try MappedFile(file.descriptor)
            runs.append((try Segment(mapped, name: name), mapped))
        }
    }
}

extension Manifest.Entry {
    init(_ segment: Segment) {
        self.init(summary: segment.summary, deletions: Deletions(documentCount: segment.documentCount))
    }
}
