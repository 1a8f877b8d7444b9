internal import Files
public import Items
internal import JSONFormat
internal import Time

extension Library {
    /// Syncs with other devices through a folder: takes what they wrote, and writes what is new here.
    ///
    /// Every object is verified by its hash. Edits of several devices are joined as `merge` joins those of another copy. What
    /// cannot be taken now is named in the report and tried again by the next sync. An interrupted call loses nothing, and the
    /// next one goes on. Items that were added are one step of the journal; a join is undone by taking a version back.
    ///
    /// - Parameters:
    ///   - folder: the exchange. `makeExchange` makes one.
    ///   - worker: the program that packs and unpacks.
    ///   - header: the step's name.
    ///   - monitor: is told the number of items done and of all, and cancels.
    /// - Throws: `SyncError`; `ItemError`, also for a full disk and for a folder that cannot be written;
    ///   `ItemError.stepIsOpen` within another step; `.cancelled`; `CaptureWorker.Failure`.
    public func sync(
        with folder: ExchangeFolder, _ worker: CaptureWorker, as header: StepHeader = StepHeader(command: "sync"),
        _ monitor: Monitor = Monitor()
    ) throws -> SyncReport {
        try requireWritable()
        if folder.isThin { try refuseReplicated() }
        guard let lock = try SyncFolder.lock(store) else { throw SyncError.isBusy }
        defer { withExtendedLifetime(lock) {} }
        guard let place = try syncFolder(folder) else {
            throw ItemError.refused(.notWritable(path: path))
        }
        var run: SyncRun?
        do {
            let new = SyncRun(self, folder, try exchange(folder, monitor), place, worker, monitor)
            run = new
            return try new.run(header)
        } catch {
            run?.removeLeftovers()
            let error = Self.refusal(error, folder) ?? error
            remember(error, place)
            if let error = error as? FileError { throw ItemError.file(error) }
            throw error
        }
    }

    /// - Returns: that the exchange's folder cannot be written, if that is what an error says.
    private static func refusal(_ error: any Error, _ folder: ExchangeFolder) -> SyncError? {
        var fault = error as? FileError
        if case .file(let inner)? = error as? ItemError { fault = inner }
        guard let fault, fault.isReadOnly, !folder.isReadOnly, folder.cloud == nil else { return nil }
        let reading: [FileError.Operation] = [.open, .read, .list, .inspect]
        let place = [folder.path, FilePath.real(folder.path) ?? folder.path]
        guard !reading.contains(fault.operation), place.contains(where: { fault.path.hasPrefix($0 + "/") }) else {
            return nil
        }
        return .notWritable(path: folder.path, fault)
    }

    /// What a sync would do, and how the last ones went. Writes nothing, and reads no pack.
    ///
    /// - Parameters:
    ///   - folder: the exchange.
    ///   - monitor: cancels.
    /// - Throws: as `sync`, but for `isBusy`. A status is there also while another process syncs.
    public func syncStatus(
        with folder: ExchangeFolder, _ monitor: Monitor = Monitor()
    ) throws -> SyncStatus {
        var status = SyncStatus()
        guard let place = try syncFolder(folder) else { throw ItemError.refused(.notWritable(path: path)) }
        if let memory = place.memory() { take(memory, place, &status) }
        do {
            let run = SyncRun(self, folder, try exchange(folder, monitor), place, nil, monitor)
            try run.count(&status)
        } catch let error as FileError {
            throw ItemError.file(error)
        }
        return status
    }

    /// How the last syncs went, from this device's memory alone: the exchange need not be there.
    ///
    /// - Parameters:
    ///   - folder: the exchange.
    ///   - isBrief: whether the files that were left out are not wanted: of each one that is away, a file is read.
    public func lastSync(with folder: ExchangeFolder, isBrief: Bool = false) -> SyncStatus {
        var status = SyncStatus()
        if let place = try? syncFolder(folder), var memory = place.memory() {
            if isBrief { memory.leftOut = [] }
            take(memory, place, &status)
        }
        return status
    }

    /// Makes a folder the exchange of this library. It must be empty or missing, but for names that begin with a dot.
    ///
    /// - Parameter path: the folder; made if missing, in a folder that is there.
    /// - Returns: false if it is this library's exchange already.
    /// - Throws: `SyncError`; `ItemError.file`.
    public func makeExchange(at path: String) throws -> Bool { try makeExchange(ExchangeFolder(path: path)) }

    /// Makes a folder, or a place in a cloud, the exchange of this library.
    ///
    /// - Parameter folder: the exchange; its `patience` counts for a cloud.
    /// - Returns: false if it is this library's exchange already.
    /// - Throws: `SyncError`; `ItemError.file`.
    public func makeExchange(_ folder: ExchangeFolder) throws -> Bool {
        do {
            try refuseOwnFolder(folder)
            return try ExchangeStore.create(folder.path, of: store.settings.id, cloudCopy(folder, Monitor()))
        } catch let error as FileError {
            throw ItemError.file(error)
        }
    }

    /// Whether the remote of an exchange in a cloud holds names that its password does not decrypt: perhaps the exchange was made with
    /// another one. False for a folder.
    ///
    /// - Throws: `SyncError`.
    public func hasSealedNames(_ folder: ExchangeFolder) throws -> Bool {
        guard let target = folder.cloud else { return false }
        return try Rclone(target, folder, Monitor()).hasSealedNames()
    }

    /// Makes a library of an exchange's: with its id and settings, and without items. `sync` brings them.
    ///
    /// - Parameters:
    ///   - path: the library's folder; it must be empty or missing.
    ///   - exchange: the exchange's folder.
    /// - Throws: `SyncError`; `ItemError` as `create`.
    public static func create(at path: String, from exchange: ExchangeFolder) throws {
        do {
            if !exchange.isValid { throw SyncError.noCloudPath(path: exchange.path) }
            let temporary = try exchange.cloud.map { _ in try TemporaryFolder() }
            defer { temporary?.remove() }
            let cloud = try exchange.cloud.map { target in
                try CloudCopy(
                    Rclone(target, exchange, Monitor()),
                    in: temporary?.path ?? "")
            }
            let found = try ExchangeStore(exchange.path, of: nil, cloud)
            try refuseNesting(exchange, path)
            let settings = try found.heads().sorted { $0.key < $1.key }.compactMap { device, bytes in
                (try? ExchangeHead(bytes, of: device, in: found.library))?.settings
            }
            guard let bytes = settings.first,
                (try? LibraryFile(parsing: bytes, path: exchange.path))?.id == found.library
            else { throw SyncError.noDevices(path: exchange.path) }
            try ItemStore.create(at: path, settings: bytes)
        } catch let error as FileError {
            throw ItemError.file(error)
        }
    }

    func syncFolder(_ folder: ExchangeFolder) throws -> SyncFolder? {
        do {
            let location = folder.cloud == nil ? FilePath.real(folder.path) ?? folder.path : folder.path
            return try SyncFolder(store, location: location)
        } catch let error as FileError {
            throw ItemError.file(error)
        }
    }

    func exchange(_ folder: ExchangeFolder, _ monitor: Monitor = Monitor()) throws -> ExchangeStore {
        try refuseOwnFolder(folder)
        return try ExchangeStore(folder.path, of: store.settings.id, cloudCopy(folder, monitor))
    }

    /// What is here of an exchange in a cloud; `nil` for a folder.
    private func cloudCopy(_ folder: ExchangeFolder, _ monitor: Monitor) throws -> CloudCopy? {
        if !folder.isValid { throw SyncError.noCloudPath(path: folder.path) }
        guard let target = folder.cloud else { return nil }
        guard let place = try syncFolder(folder) else { throw ItemError.refused(.notWritable(path: path)) }
        return try CloudCopy(
            Rclone(target, folder, monitor),
            in: place.cloudPath())
    }

    private func refuseOwnFolder(_ folder: ExchangeFolder) throws {
        try Self.refuseNesting(folder, store.root.path)
    }

    /// - Throws: `SyncError.sameFolder` if a library's folder and an exchange's are the same, or one lies in the other. Neither
    ///   needs to be there yet.
    private static func refuseNesting(_ folder: ExchangeFolder, _ library: String) throws {
        if folder.cloud != nil { return }
        let one = FilePath.resolved(library) + "/", two = FilePath.resolved(folder.path) + "/"
        if one.utf8.starts(with: two.utf8) || two.utf8.starts(with: one.utf8) {
            throw SyncError.sameFolder(path: folder.path)
        }
    }

    private func take(_ memory: SyncMemory, _ place: SyncFolder, _ status: inout SyncStatus) {
        status.take(memory, lacked: place.lacked())
        // `keep` may have brought it since: then the next sync writes it.
        status.leftOut.removeAll { file in
            guard file.reason == .away else { return false }
            let away = store.awayRecord(of: file.item)
            return file.path.isEmpty ? away?.page.isEmpty ?? true : away?.documentPath != file.path
        }
    }

    /// Remembers that an attempt failed.
    private func remember(_ error: any Error, _ place: SyncFolder) {
        if case ItemError.cancelled? = error as? ItemError { return }
        var memory = place.memory() ?? SyncMemory(device: .random())
        memory.attemptedAt = .now
        memory.failureCount += 1
        memory.failure = "\(error)"
        try? place.write(memory)
    }
}

extension SyncStatus {
    mutating func take(_ memory: SyncMemory, lacked: [String]) {
        device = memory.device
        completedAt = memory.completedAt
        attemptedAt = memory.attemptedAt
        failureCount = memory.failureCount
        failure = memory.failure
        nextAttempt = memory.nextAttempt
        unfinished = memory.unfinished.flatMap { entry in
            entry.missing.isEmpty ? [ExchangeLayout.object(entry.pack, .tar)] : entry.missing
        }
        let documents = Set(memory.outdated.values).map { ExchangeLayout.object($0, .raw) }.sorted()
        unfinished += (lacked + documents).filter { !unfinished.contains($0) }
        notSmallFiles = memory.notSmallFiles
        leftOut = memory.leftOut.flatMap { left in left.files.map { SyncReport.LeftOutFile(left.id, $0) } }
    }
}

extension SyncRun {
    /// Counts what a sync would take and write.
    func count(_ status: inout SyncStatus) throws {
        var names = memory.names
        var found: [ItemID: [UInt8]] = [:]
        if try ItemError.denial({ found = try exchange.heads() }) != nil {
            status.left.append(.init(ExchangeLayout.heads, .notReadable))
        }
        for (device, bytes) in found where device != memory.device {
            do {
                let head = try exchange.head(bytes, of: device, knowing: packsKnown(of: device))
                for pack in head.packs where names.insert(pack).inserted {
                    status.packCount += 1
                    status.packByteCount += try exchange.byteCount(pack, .tar) ?? 0
                }
            } catch let refusal as ExchangeHead.Refusal {
                let path =
                    if case .lacks(let list, _) = refusal { ExchangeLayout.object(list, .raw) } else {
                        ExchangeLayout.head(device)
                    }
                status.left.append(.init(path, reason(refusal, ofHead: device)))
            }
        }
        if folder.isReadOnly { return }
        for candidate in try candidates() {
            if candidate.isDenied {
                status.left.append(.init(candidate.folder, .notReadable))
                continue
            }
            guard isWritten(candidate.id, in: candidate.folder), try !isHeld(candidate) else { continue }
            status.itemCount += 1
            status.itemByteCount += candidate.byteCount
        }
        for file in try changedBesides() {
            status.smallFileCount += 1
            status.smallFileByteCount += file.bytes.count
        }
        // Shards and small files that may not be read.
        status.left += report.left
    }

    /// Whether the exchange has an item as it is here, though it looks different: files of it were dropped or came back.
    private func isHeld(_ candidate: Candidate) throws -> Bool {
        guard let last = state(of: candidate.id), isOwn(last), last.leftOut.isEmpty,
            var found = try? reading.read(
                candidate.id, in: candidate.folder, last: last, records: last.recordedFiles, areOthersWhole: true)
        else { return false }
        try keepMissing(last, in: &found)
        return try found.state.contentHash == last.contentHash
            && isTold(ownFiles(of: found.state, in: found.folder), by: last)
    }
}
