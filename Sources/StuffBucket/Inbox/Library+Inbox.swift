internal import Files
public import Items
internal import Time

/// The drop folder: FORMAT.md § 11.
///
/// Files in inbox/ become items, sub-folders are collections, and `NAME.comment` beside a file `NAME` holds its tags and
/// text. Call `takeInbox` again and again: when a file event comes, and at `InboxReport.nextLook`.
extension Library {
    /// What waits in the inbox, and why. Changes nothing.
    ///
    /// - Parameters:
    ///   - options: the clock, and how long files settle; what else they say does not count.
    ///   - worker: reads saved pages; without one, they wait.
    /// - Returns: the files in the order of their paths. What is in inbox/rejected/ is not among them.
    /// - Throws: `ItemError.file` if the inbox cannot be read.
    public func inbox(
        _ options: InboxOptions = InboxOptions(), using worker: CaptureWorker? = nil
    ) throws(ItemError) -> [InboxFile] {
        try look(options, options.clock(), worker).files
    }

    /// The files in inbox/rejected/ with the reasons, in the order of their names.
    ///
    /// - Throws: `ItemError.file` if the folder cannot be read.
    public func rejectedInboxFiles() throws(ItemError) -> [InboxFile] {
        do throws(FileError) {
            guard try store.root.statusIfPresent(of: Layout.rejected) != nil else { return [] }
            let folder = try store.root.directory(Layout.rejected)
            let entries = try folder.entries().sorted { $0.name.bytes.lexicographicallyPrecedes($1.name.bytes) }
            let names = Set(entries.map(\.name))
            return entries.compactMap { entry in
                let name = entry.name.repaired
                // A reason whose file is gone stands for itself.
                let isReason =
                    name.hasSuffix(Layout.reasonSuffix)
                    && names.contains(FileName(String(name.dropLast(Layout.reasonSuffix.count))))
                if isReason || name.hasPrefix(".") { return nil }
                let reason = (try? folder.contents(of: name + Layout.reasonSuffix, limit: Layout.settingsByteLimit))
                let status = (try? folder.status(named: entry.name)) ?? nil
                return InboxFile(
                    path: "rejected/" + name, byteCount: status?.byteCount ?? 0,
                    state: .rejected(reason.flatMap { InboxRejection(file: $0.bytes) }))
            }
        } catch {
            throw .file(error)
        }
    }

    /// Takes in the files that are complete, as one step, and moves those that cannot become items to inbox/rejected/.
    ///
    /// A file is removed only when its item is durable, and only in the version that was read. It may be called again and
    /// again: an empty inbox costs one listing. A call that is interrupted is completed by the next one; the items are
    /// the same. `undo` moves the items to the trash; the files do not come back.
    ///
    /// - Parameters:
    ///   - worker: reads saved pages; without one, they wait as `needsWorker`.
    ///   - options: whether to mark pages of new links for saving, how many files, and the clock.
    ///   - header: the header of the step.
    ///   - monitor: is told the number of files read and in all, and cancels.
    /// - Throws: `ItemError.stepIsOpen` within another step, `.cancelled`, and errors of the whole library, such as a full
    ///   disk. What concerns one file is an outcome.
    public func takeInbox(
        using worker: CaptureWorker?, _ options: InboxOptions = InboxOptions(),
        as header: StepHeader = StepHeader(command: "inbox"), _ monitor: Monitor = Monitor()
    ) throws -> InboxReport {
        let now = options.clock()
        let look = try look(options, now, worker)
        var report = InboxReport()
        if look.complete.isEmpty, look.unsupported.isEmpty {
            report.waiting = look.waitingFiles
            report.nextLook = report.time(after: now)
            return report
        }
        try requireWritable()
        guard let device = store.device,
            let lock = try FileLock.acquire(Layout.inboxLock, in: device.directory, patience: .zero)
        else {
            report.isBusy = true
            report.waiting = look.files
            report.nextLook = now.adding(seconds: 1)
            return report
        }
        defer { withExtendedLifetime(lock) {} }
        let step = try begin(header)
        defer { step.end() }
        let taking = InboxTaking(self, worker, options, monitor, at: now)
        try taking.run(look)
        return taking.report
    }

    private func look(
        _ options: InboxOptions, _ now: Timestamp, _ worker: CaptureWorker?
    ) throws(ItemError) -> InboxLook {
        var memory = inboxMemory.withLock { $0 }
        do throws(FileError) {
            let look = try InboxLook(
                store, now: now, quiet: options.quietMilliseconds, hasWorker: worker != nil, &memory)
            inboxMemory.withLock { $0 = memory }
            return look
        } catch {
            throw .file(error)
        }
    }
}
