package import Files

/// The folder of an index: a manifest, segments and a log. SearchIndex.md § I3.
package final class IndexFolder: SpillPlace {
    let directory: Directory

    package init(_ directory: consuming Directory) { self.directory = directory }

    /// - Parameter path: an existing folder.
    package convenience init(path: String) throws(FileError) { self.init(try Directory(path: path)) }

    package func temporaryFile() throws -> Descriptor {
        try directory.temporaryFile("spill-\(UInt64.random(in: 1...UInt64.max))")
    }

    // MARK: Reading

    /// The current index; `nil` if there is none.
    ///
    /// - Throws: `IndexDamage` if the files are damaged; `FileError` if they cannot be read.
    package func snapshot() throws -> IndexSnapshot? {
        try state().map { IndexSnapshot($0.parts) }
    }

    func manifest() throws -> Manifest? {
        do {
            guard let contents = try directory.contentsIfPresent(of: Manifest.fileName, limit: Manifest.byteLimit)
            else {
                return nil
            }
            return try Manifest(bytes: contents.bytes)
        } catch let error as FileError {
            // The path is not a regular file, or the file is far too large.
            guard case .system = error.reason else { throw IndexDamage("\(error)") }
            throw error
        }
    }

    /// Reads manifest, segments and log. Starts again if a merge removes files meanwhile.
    func state() throws -> IndexState? {
        var lastError: (any Error)?
        for attempt in 0..<20 {
            guard let manifest = try manifest() else { return nil }
            do {
                return try state(manifest)
            } catch let error as FileError where error.isAbsent {
                lastError = error
                if try self.manifest() == manifest {
                    throw IndexDamage("\(Manifest.fileName): names a file that is not there: \(error)")
                }
            } catch let error as FileError {
                guard case .system = error.reason else { throw IndexDamage("\(error)") }
                throw error
            } catch let error as IndexDamage where attempt > 0 {
                throw error
            } catch let error as IndexDamage {
                // Between two reads of the log, a writer may have replaced a torn end with new records: tries again.
                lastError = error
            }
        }
        throw lastError ?? IndexDamage("\(Manifest.fileName): changes all the time")
    }

    private func state(_ manifest: Manifest) throws -> IndexState {
        var parts: [IndexSnapshot.Part] = []
        for entry in manifest.entries {
            let name = Manifest.segmentName(entry.summary.identity)
            let file = try directory.file(name)
            let size = try file.status().byteCount
            guard size == entry.summary.byteCount, size > 0 else {
                throw IndexDamage("\(name): \(size) bytes instead of \(entry.summary.byteCount)")
            }
            let segment = try Segment(try MappedFile(file, count: size), name: name)
            guard segment.summary == entry.summary else { throw IndexDamage("\(name): is another segment") }
            parts.append(IndexSnapshot.Part(segment: segment, deletions: entry.deletions))
        }
        let logName = Manifest.logName(manifest.log)
        let contents = try directory.contents(of: logName, limit: CommitLog.byteLimit)
        let image = contents.bytes.withUnsafeBytes { raw in
            raw.baseAddress.map { MemoryImage($0, raw.count) }
        }
        guard let image else { throw IndexDamage("\(logName): is empty") }
        let (records, end) = try CommitLog.read(image, number: manifest.log, name: logName)
        var state = IndexState(manifest: manifest, parts: parts, firstLogPart: parts.count, logEnd: end)
        for record in records {
            let segment =
                record.image.isEmpty
                ? nil
                : try Segment(
                    owner: image, image.base + record.image.lowerBound, record.image.count,
                    name: "\(logName) at \(record.image.lowerBound)")
            try state.apply(record.deletions, replacing: record.replaced, with: segment)
        }
        return state
    }

    // MARK: Writing

    static func newIdentity() -> UInt64 { UInt64.random(in: 1...UInt64.max) }

    /// Replaces the manifest, and begins a new, empty log.
    ///
    /// - Parameter log: the number in the log's name.
    func replaceManifest(
        entries: [Manifest.Entry], generation: UInt64, log: UInt64 = newIdentity()
    ) throws {
        var manifest = Manifest()
        manifest.generation = generation
        manifest.entries = entries
        manifest.log = log
        try directory.writeFile(
            Manifest.logName(manifest.log), CommitLog.header(number: manifest.log), permissions: 0o600)
        let temporary = Manifest.fileName + "-new"
        try directory.writeFile(temporary, manifest.bytes, permissions: 0o600)
        do throws(FileError) {
            try directory.replace(temporary, to: directory, as: Manifest.fileName)
        } catch {
            guard try directory.statusIfPresent(of: Manifest.fileName)?.kind == .directory else { throw error }
            // A folder in the manifest's place cannot be replaced.
            try directory.removeTree(Manifest.fileName)
            try directory.replace(temporary, to: directory, as: Manifest.fileName)
        }
    }

    /// Removes files that the manifest does not name. The caller must hold the lock.
    func removeStrangers() {
        guard let manifest = try? manifest(), let entries = try? directory.entries() else { return }
        var named = Set(manifest.entries.map { Manifest.segmentName($0.summary.identity) })
        named.insert(Manifest.logName(manifest.log))
        named.insert(Manifest.fileName)
        named.insert(IndexWriter.lockName)
        for entry in entries where entry.kind == .regular {
            if let name = entry.name.string, !named.contains(name) { try? directory.removeFile(name) }
        }
    }

    /// A mark that tells whether a snapshot is still the newest. Costs reading a small file and a look at the log.
    package func mark() throws -> IndexMark {
        guard let manifest = try manifest() else { return IndexMark(generation: 0, log: 0, logByteCount: 0) }
        let log = try directory.statusOfKnownPath(Manifest.logName(manifest.log))
        return IndexMark(
            generation: manifest.generation, log: manifest.log, logByteCount: log?.byteCount ?? 0)
    }
}

/// A value that changes with every commit and every merge.
package struct IndexMark: Equatable, Sendable {
    let generation: UInt64
    let log: UInt64
    let logByteCount: Int
}

/// The segments as a writer knows them, and which of them are in the log.
struct IndexState {
    var manifest: Manifest
    private(set) var parts: [IndexSnapshot.Part]
    /// Parts from this number on are in the log.
    let firstLogPart: Int
    var logEnd: CommitLog.End

    init(manifest: Manifest, parts: [IndexSnapshot.Part], firstLogPart: Int, logEnd: CommitLog.End) {
        self.manifest = manifest
        self.parts = parts
        self.firstLogPart = firstLogPart
        self.logEnd = logEnd
    }

    /// Applies a record of the log.
    mutating func apply(
        _ deletions: [CommitLog.Deletion], replacing replaced: Int, with segment: Segment?
    ) throws(IndexDamage) {
        for deletion in deletions {
            guard let part = parts.lastIndex(where: { $0.segment.summary.identity == deletion.identity }),
                deletion.document < parts[part].segment.documentCount
            else { throw IndexDamage("the log deletes a document that is not there") }
            parts[part].deletions.insert(Int(deletion.document))
        }
        guard replaced <= parts.count - firstLogPart else {
            throw IndexDamage("the log replaces segments that are not there")
        }
        parts.removeLast(replaced)
        if let segment {
            parts.append(
                IndexSnapshot.Part(segment: segment, deletions: Deletions(documentCount: segment.documentCount)))
        }
    }
}
