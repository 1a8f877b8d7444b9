internal import Files
public import Items

/// Where a file is that a program will open.
public enum ResolvedFile: Sendable {
    /// In the item's folder: the full path.
    case here(String)
    /// A copy of what an exchange holds: the full path. It is read-only, and removed when nobody opened it for long.
    ///
    /// - changedCopy: the full path of an earlier copy that a program changed; it stays.
    case copy(String, changedCopy: String?)
    /// Neither here nor in an exchange that can be read.
    case unavailable([UnreachableExchange])
}

/// A file of an item that opens for a person.
public enum OpenableFile: Sendable {
    /// The saved page.
    case page
    /// The saved article.
    case reader
    /// The document.
    case document
}

extension Library {
    /// Finds a file of an item: in its folder, else in an exchange, which is asked for a copy. The copy has the hash of the
    /// file.
    ///
    /// A page of which files are missing comes from an exchange as a whole, unless a program changed the files that are here.
    ///
    /// - Parameters:
    ///   - file: which of them.
    ///   - stored: the item as read.
    ///   - exchanges: where the file may be, in the order in which they are asked.
    ///   - worker: gives the program that unpacks; asked only if an exchange is.
    ///   - monitor: cancels.
    /// - Returns: `nil` if the item has no such file.
    /// - Throws: `ItemError`; `CaptureWorker.Failure`.
    public func resolve(
        _ file: OpenableFile, of stored: StoredItem, from exchanges: [ExchangeFolder],
        _ worker: () throws -> CaptureWorker,
        _ monitor: Monitor = Monitor()
    ) throws -> ResolvedFile? {
        do {
            return try found(file, stored, exchanges, worker, monitor)
        } catch let error as FileError {
            throw ItemError.file(error)
        }
    }

    private func found(
        _ file: OpenableFile, _ stored: StoredItem, _ exchanges: [ExchangeFolder],
        _ worker: () throws -> CaptureWorker, _ monitor: Monitor
    ) throws -> ResolvedFile? {
        let here = localPath(of: file, stored).map {
            ResolvedFile.here(FilePath.absolute(path) + "/" + stored.folder + "/" + $0)
        }
        if here != nil, file == .document { return here }
        if here != nil, try missingAssets(of: stored).isEmpty { return here }
        guard isPromised(file, stored) else { return here }
        var unreachable: [UnreachableExchange] = []
        var changed: String?
        // A copy that was opened before needs no exchange.
        if let away = stored.away, let path = away.file(file), let object = away.object(of: file),
            let copy = OpenedFiles(store)?.path(object, &changed)
        {
            return .copy(FilePath.absolute(copy) + "/" + path, changedCopy: nil)
        }
        for run in try runs(of: exchanges, worker(), monitor, &unreachable) {
            let absent = try run.absent(of: stored)
            let component = file == .document ? Component.document : .page
            guard let wanted = absent.file(file), let cache = OpenedFiles(store),
                let object = absent.object(of: file)
            else { continue }
            var own = AwayFiles()
            if component == .page { (own.page, own.bundle) = (absent.page, absent.bundle) }
            if component == .document { own.document = absent.document }
            var copy = cache.path(object, &changed)
            if copy == nil {
                defer { run.exchange.removeCopies() }
                do {
                    let fault = try cache.make(object, own) { try run.fetch(own, component, into: $0, $1) }
                    if let fault {
                        run.noteLack(fault.path)
                        unreachable.append(
                            .init(folder: run.folder, reason: ObjectFault(path: fault.path, reason: fault.reason)))
                        continue
                    }
                } catch let error as SyncError {
                    // Another exchange may give it.
                    unreachable.append(.init(folder: run.folder, reason: error))
                    continue
                }
                copy = cache.path(object, &changed)
            }
            if let copy { return .copy(FilePath.absolute(copy) + "/" + wanted, changedCopy: changed) }
        }
        return here ?? .unavailable(unreachable)
    }

    /// The exchanges that cannot give what is away of an item now, as far as names tell; empty if one can give it all, or nothing
    /// is away.
    ///
    /// - Parameters:
    ///   - stored: the item as read.
    ///   - exchanges: where the files may be.
    public func unreachable(for stored: StoredItem, among exchanges: [ExchangeFolder]) -> [UnreachableExchange] {
        guard let away = stored.away, !away.isEmpty else { return [] }
        var unreachable: [UnreachableExchange] = []
        let components = [Component.page, .document].filter { !away.files(of: $0).isEmpty }
        for run in (try? runs(of: exchanges, nil, Monitor(), &unreachable)) ?? [] {
            let faults = components.compactMap { run.lack(of: away, $0) }
            if let fault = faults.first {
                unreachable.append(.init(folder: run.folder, reason: fault))
            } else if let failure = failedAttempt(at: run.folder) {
                unreachable.append(.init(folder: run.folder, reason: failure))
            } else {
                return []
            }
        }
        return unreachable
    }

    /// Whether an exchange has the document of an item that is away or missing here, read to its end.
    ///
    /// - Parameters:
    ///   - stored: the item as read.
    ///   - exchanges: where the document may be.
    ///   - worker: the program that unpacks.
    ///   - monitor: cancels.
    /// - Returns: `nil` if none that can be read has it, and one cannot be read.
    /// - Throws: `ItemError`, `SyncError`, `FileError`, `CaptureWorker.Failure`.
    public func hasAwayDocument(
        of stored: StoredItem, in exchanges: [ExchangeFolder], _ worker: CaptureWorker, _ monitor: Monitor = Monitor()
    ) throws -> Bool? {
        var unreachable: [UnreachableExchange] = []
        for run in try runs(of: exchanges, worker, monitor, &unreachable) {
            defer { run.exchange.removeCopies() }
            // Also of one that a person removed, and that the exchange has.
            let away = try run.absent(of: stored)
            let found: (path: String, reason: SyncReport.Reason)?
            if away.document == nil {
                let awaited = replicas.awaitedDocument(of: stored).flatMap { run.memory.awaits($0) ? $0 : nil }
                guard let hash = awaited ?? replicas.laterDocuments(of: stored).min() else { continue }
                found = try run.fault(of: hash, .raw).map { (ExchangeLayout.object(hash, .raw), $0) }
            } else {
                found = try run.compare(away, .document)
            }
            guard let fault = found else { return true }
            do {
                if fault.reason == .notHereYet, try !run.exchange.isCertainlyAbsent(fault.path) { return nil }
            } catch let error as SyncError {
                unreachable.append(.init(folder: run.folder, reason: error))
            }
        }
        return unreachable.isEmpty ? false : nil
    }

    /// Whether an exchange of this library can be read. A cloud is not asked: it cannot if the last sync with it failed.
    public func canRead(_ folder: ExchangeFolder) -> Bool {
        (try? exchange(folder)) != nil && failedAttempt(at: folder) == nil
    }

    /// Why the last sync with a cloud failed; `nil` if it did not, and of a folder, which tells for itself.
    private func failedAttempt(at folder: ExchangeFolder) -> FailedAttempt? {
        guard folder.cloud != nil, let memory = ((try? syncFolder(folder)) ?? nil)?.memory(), memory.failureCount > 0
        else { return nil }
        return FailedAttempt(reason: memory.failure ?? "")
    }

    /// The path of a file that is here, relative to the item's folder.
    private func localPath(of file: OpenableFile, _ stored: StoredItem) -> String? {
        switch file {
        case .page: stored.pagePath
        case .reader: stored.hasReader ? Layout.readerFile : nil
        case .document: stored.document?.path
        }
    }

    /// Whether an exchange may have a file that is not here, or not whole.
    private func isPromised(_ file: OpenableFile, _ stored: StoredItem) -> Bool {
        switch file {
        case .page: stored.hasPage || stored.isPageAway || stored.archiveState == .unavailable
        case .reader: stored.hasReader || stored.away?.hasReader == true
        case .document: stored.isDocumentAway || stored.item.documentRelativePath != nil
        }
    }
}

/// The last sync with a cloud failed, so nobody knows whether it can give a file.
public struct FailedAttempt: Error, Sendable, CustomStringConvertible {
    /// The error of that sync, for a person.
    public let reason: String

    /// That it failed, and why, for a person.
    public var description: String { "the last sync with it failed: \(reason)" }
}

/// An object that an exchange lacks, or that is damaged.
public struct ObjectFault: Error, Sendable, CustomStringConvertible {
    /// Relative to the exchange's folder.
    public let path: String
    /// Why it is of no use.
    public let reason: SyncReport.Reason

    /// The object's path and the name of the reason, for a person.
    public var description: String { "\(path) is of no use: \(reason)" }
}

extension AwayFiles {
    /// The path of a file, relative to the item's folder; `nil` if it is not away.
    fileprivate func file(_ file: OpenableFile) -> String? {
        switch file {
        case .page: hasPage ? Layout.pageFile : nil
        case .reader: hasReader ? Layout.readerFile : nil
        case .document: document?.file.path
        }
    }

    /// The object of an exchange that has a file.
    fileprivate func object(of file: OpenableFile) -> Items.ContentHash? {
        if case .document = file { document?.file.sha256 } else { bundle }
    }
}
