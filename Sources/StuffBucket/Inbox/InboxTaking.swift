internal import Files
internal import Items
internal import Time
internal import URLs

/// One run of `takeInbox`: reads files in batches, makes their items durable, and then removes the files.
final class InboxTaking {
    let library: Library
    let worker: CaptureWorker?
    let options: InboxOptions
    let monitor: Monitor
    let now: Timestamp
    private(set) var report = InboxReport()
    private var outcomes: [(path: [UInt8], entry: InboxReport.Entry)] = []
    /// Files that changed after they were looked at.
    private var changed: [InboxEntry] = []
    private var rejections: [(entry: InboxEntry, why: InboxRejection)] = []

    /// Files whose items are made together. Their staged copies have at most this many bytes, or it is one file.
    private static let batchCount = 2000
    private static let batchByteCount = 128 << 20

    init(
        _ library: Library, _ worker: CaptureWorker?, _ options: InboxOptions, _ monitor: Monitor, at now: Timestamp
    ) {
        self.library = library
        self.worker = worker
        self.options = options
        self.monitor = monitor
        self.now = now
    }

    var session: WriteSession { library.session }
    var store: ItemStore { library.store }

    func run(_ look: InboxLook) throws {
        let entries = options.limit.map { Array(look.complete.prefix($0)) } ?? look.complete
        let reader = InboxReader(library: library, now: now)
        rejections = look.unsupported
        var batch: [InboxCandidate] = []
        var byteCount = 0
        var done = 0
        func flush() throws {
            let full = batch
            batch = []
            byteCount = 0
            defer { for candidate in full { if let staged = candidate.staged { session.discard(staged) } } }
            try commit(full)
        }
        do {
            for entry in entries {
                try monitor.check()
                if byteCount > 0, byteCount + entry.status.byteCount > Self.batchByteCount { try flush() }
                do throws(ItemError) {
                    if let candidate = try reader.read(entry) {
                        batch.append(candidate)
                        byteCount += candidate.byteCount
                    } else {
                        changed.append(entry)
                    }
                } catch {
                    if error.concernsTheDisk { throw error }
                    note(entry, .failed(error))
                }
                done += 1
                monitor.show(done, of: entries.count)
                if batch.count == Self.batchCount { try flush() }
            }
            try flush()
        } catch {
            for candidate in batch { if let staged = candidate.staged { session.discard(staged) } }
            throw error
        }
        try reject()
        finish(look, isComplete: entries.count == look.complete.count)
    }

    func note(_ entry: InboxEntry, _ outcome: InboxReport.Outcome) {
        outcomes.append((entry.version.path, InboxReport.Entry(path: entry.path, outcome: outcome)))
    }

    // MARK: One batch

    private func commit(_ candidates: [InboxCandidate]) throws {
        if candidates.isEmpty { return }
        var batch = try InboxBatch(identified(candidates), self)
        try batch.makeItems()
        for candidate in batch.unsupported {
            if case .unsupported(let why) = candidate.content {
                rejections.append((candidate.entry, why))
                for folder in candidate.entry.companions { rejectFolder(folder, of: candidate.entry, why) }
            }
        }
        var finished: [(candidate: InboxCandidate, outcome: InboxReport.Outcome, page: InboxPage?)] = []
        for (candidate, outcome) in batch.outcomes {
            do {
                var outcome = outcome
                let page = try takePage(candidate, &outcome)
                finished.append((candidate, outcome, page))
            } catch {
                if let error = error as? ItemError, error.concernsTheDisk || monitor.isCancelled { throw error }
                note(candidate.entry, .failed(error))
            }
        }
        defer { for each in finished { if let page = each.page { session.discard(page) } } }
        try remove(finished)
    }

    /// Asks the worker which files are saved pages, and of which address.
    private func identified(_ candidates: [InboxCandidate]) throws -> [InboxCandidate] {
        var found: [InboxCandidate] = []
        for var candidate in candidates {
            if case .page(let staged) = candidate.content, let worker {
                try monitor.check()
                do {
                    let page = try worker.savedPage(atPath: session.path(of: staged))
                    let url = page.flatMap {
                        [$0.url, candidate.origin].compactMap { $0 }.first { LinkIdentity($0) != nil }
                    }
                    if let url {
                        candidate.content = .pageOf(url, staged)
                    } else if page != nil, !candidate.entry.companions.isEmpty {
                        session.discard(staged)
                        candidate.content = .unsupported(.pageWithoutAddress)
                    } else {
                        candidate.content = .document(staged)
                    }
                } catch let failure as CaptureWorker.Failure {
                    guard failure.isAboutTheFile else {
                        session.discard(staged)
                        note(candidate.entry, .failed(failure))
                        continue
                    }
                    // A page that ends the worker is kept whole.
                    candidate.content = .document(staged)
                }
            }
            found.append(candidate)
        }
        return found
    }

    /// Makes a saved page the archive of its item.
    ///
    /// - Returns: the staged page with the folders beside it, if it has any.
    private func takePage(
        _ candidate: InboxCandidate, _ outcome: inout InboxReport.Outcome
    ) throws -> InboxPage? {
        guard case .pageOf(_, let staged) = candidate.content, let worker, let row = outcome.row else { return nil }
        var page: InboxPage?
        if !candidate.entry.companions.isEmpty {
            page = try session.stagePage(staged, candidate.entry.version, companions: candidate.entry.companions)
        }
        var archive = ArchiveOptions()
        archive.savedFile = try page?.path ?? session.path(of: staged)
        archive.savedFile = archive.savedFile.map(FilePath.absolute)
        archive.keepsAll = true
        do {
            switch try library.archive(row, archive, worker, monitor, at: now) {
            case .saved, .unchanged, .keptEarlier: return page
            case .refused(.machine(let report)), .refused(.privateAddress(let report)):
                throw InboxPageFailure(report: report)
            case .refused(.failure(let error)): throw error
            case .failed, .refused:
                // The file is kept all the same.
                let stored = try library.item(row)
                if stored.document == nil {
                    try session.attach(staged: staged, to: stored, at: now)
                } else {
                    var other = candidate
                    other.content = .document(staged)
                    var batch = try InboxBatch([other], self, joins: false)
                    try batch.makeItems()
                    if let made = batch.outcomes.first?.outcome { outcome = made }
                }
                return page
            }
        } catch {
            if let page { session.discard(page) }
            throw error
        }
    }

    private func remove(
        _ finished: [(candidate: InboxCandidate, outcome: InboxReport.Outcome, page: InboxPage?)]
    ) throws {
        // Every file before every comment: an interrupted removal leaves no file without its comment.
        let versions =
            finished.map(\.candidate.entry.version) + finished.compactMap(\.candidate.entry.comment)
            + finished.flatMap { $0.page?.files ?? [] }
        let results = try session.removeFromInbox(versions)
        session.removeEmptyInboxFolders(finished.flatMap { $0.page?.folders ?? [] })
        for (each, result) in zip(finished, results) {
            switch result {
            case .success(let isRemoved):
                note(each.candidate.entry, each.outcome)
                // The version that another program saved meanwhile waits.
                if !isRemoved { changed.append(each.candidate.entry) }
            case .failure(let error): note(each.candidate.entry, .failed(error))
            }
        }
        for (version, result) in zip(versions, results).dropFirst(finished.count) {
            if case .failure(let error) = result { note(InboxEntry(version: version), .failed(error)) }
        }
    }

    // MARK: Rejected

    private func rejectFolder(_ name: FileName, of entry: InboxEntry, _ why: InboxRejection) {
        guard let status = (try? store.inboxFolder(entry.folder).status(named: name)) ?? nil else { return }
        rejections.append(
            (InboxEntry(version: InboxVersion(folder: entry.folder, name: name, status: status)), why))
    }

    private func reject() throws {
        let orders = rejections.map {
            WriteSession.InboxRejection($0.entry.version, reason: $0.why.file(path: $0.entry.spelling))
        }
        for (rejection, result) in zip(rejections, try session.rejectFromInbox(orders)) {
            switch result {
            case .success(let name?): note(rejection.entry, .rejected(rejection.why, name: name))
            case .success(nil): changed.append(rejection.entry)
            case .failure(let error): note(rejection.entry, .failed(error))
            }
        }
    }

    // MARK: The end

    private func finish(_ look: InboxLook, isComplete: Bool) {
        outcomes.sort { $0.path.lexicographicallyPrecedes($1.path) }
        report.entries = outcomes.map(\.entry)
        let until = Timestamp(milliseconds: now.milliseconds + options.quietMilliseconds)
        report.waiting = look.waitingFiles
        for entry in changed where isThere(entry) {
            report.waiting.append(
                InboxFile(path: entry.path, byteCount: entry.status.byteCount, state: .settling(until: until)))
        }
        report.nextLook = isComplete ? report.time(after: now) : now
    }

    private func isThere(_ entry: InboxEntry) -> Bool {
        ((try? store.inboxFolder(entry.folder).status(named: entry.name)) ?? nil) != nil
    }
}

/// The worker could not read a saved page, for a reason that says nothing about the page.
public struct InboxPageFailure: Error, Sendable {
    /// What the worker said.
    public let report: CaptureReport
}

extension InboxPageFailure: CustomStringConvertible {
    /// What the worker said, as a clause for a person.
    public var description: String { report.diagnostic.map { "\($0)" } ?? "the worker could not read the page" }
}

extension InboxReport {
    /// When to look again without an event of the file system.
    func time(after now: Timestamp) -> Timestamp? {
        var times: [Timestamp] = []
        for file in waiting {
            switch file.state {
            case .settling(let until), .waitsForComment(let until): times.append(until)
            case .complete: times.append(now)
            // A program that closes a file makes an event; one that dies may not.
            case .openForWriting: times.append(now.adding(seconds: 2))
            case .inaccessible: times.append(now.adding(seconds: 60))
            case .waitsForFile, .needsWorker, .unfinished, .hidden, .unsupported, .rejected: break
            }
        }
        let hasFailures = entries.contains { if case .failed = $0.outcome { true } else { false } }
        if hasFailures { times.append(now.adding(seconds: 60)) }
        return times.min()
    }
}

extension InboxReport.Outcome {
    /// The item; `nil` without one.
    public var row: Row? {
        switch self {
        case .added(let row), .joined(let row), .known(let row): row
        case .rejected, .failed: nil
        }
    }
}

extension ItemError {
    /// Whether going on with other files makes no sense.
    var concernsTheDisk: Bool {
        switch self {
        case .file(let error): error.isOutOfSpace || error.isReadOnly && error.operation != .open
        case .cancelled, .locked: true
        default: false
        }
    }
}

extension CaptureWorker.Failure {
    /// Whether another try with the same file would fail as well.
    var isAboutTheFile: Bool {
        switch self {
        case .noPath, .notExecutable, .notStarted: false
        case .answer, .deadline, .killed, .ended, .tooLong, .invalidAnswer: true
        }
    }
}

extension CaptureWorker {
    /// Whether a file is a saved page; `nil` for any other file.
    func savedPage(atPath path: String) throws -> (url: String?, Void)? {
        let reply = try run(IdentifyOrder(file: FilePath.absolute(path)), within: 30)
        return reply.kind == nil ? nil : (reply.url, ())
    }
}
