internal import Files
package import Items
package import Time

/// How one attempt to save a waiting page ended.
package struct PageAttempt: Sendable {
    /// The kinds of end.
    package enum End: Sendable {
        /// The attempt was made.
        case saved(ArchiveOutcome)
        /// The item no longer waits: it is gone, in the trash, or its page was saved.
        case notWaiting
        /// Another process saves the page now.
        case busy
        /// The monitor was cancelled.
        case cancelled
        /// The item cannot be read or written.
        case failure(any Error)
    }

    /// How it ended.
    package let end: End
    /// The page, if the item waits still or again.
    package let next: WaitingPage?

    /// Makes the end of an attempt.
    package init(_ end: End, next: WaitingPage? = nil) {
        self.end = end
        self.next = next
    }
}

extension Library {
    /// Saves a page that waits, as a background step of its own, which `undo` skips.
    ///
    /// It may run beside other calls of this library, also while a step is open.
    ///
    /// - Parameters:
    ///   - page: a page of `ArchiveSchedule.next`.
    ///   - options: as for `Step.archive`; the link never counts as typed.
    ///   - worker: fetches and reads pages; for use by one thread.
    ///   - monitor: cancels the attempt, which ends the worker.
    ///   - command: the step's name in the list of steps.
    ///   - time: the time of the change.
    package func saveWaitingPage(
        _ page: WaitingPage, _ options: ArchiveOptions, _ worker: CaptureWorker, _ monitor: Monitor = Monitor(),
        command: String, at time: Timestamp = .now
    ) -> PageAttempt {
        let id = page.row.id
        func again() -> WaitingPage? { (try? waitingPage(id, at: time)) ?? nil }
        do {
            guard let now = try waitingPage(id, at: time) else { return PageAttempt(.notWaiting) }
            if store.archivesInProgress().contains(id) { return PageAttempt(.busy, next: now) }
            var options = options
            options.isTyped = false
            let outcome = try inBackground(command) { step in
                try step.archive(now.row, options, worker, monitor, at: time)
            }
            return PageAttempt(.saved(outcome), next: again())
        } catch ItemError.cancelled {
            return PageAttempt(.cancelled, next: again())
        } catch {
            return PageAttempt(.failure(error), next: again())
        }
    }

    /// Makes changes as a background step: `undo` skips it. Another step of this library may be open.
    func inBackground<Result>(_ command: String, _ body: (Step) throws -> Result) throws -> Result {
        let library = Library(beside: self)
        var header = StepHeader(command: command)
        header.isBackground = true
        let step = try library.begin(header)
        defer { step.end() }
        return try body(step)
    }

    // MARK: Consent

    /// The number of waiting pages that a person let this device save; 0 if none was asked for.
    public var archiveConsent: Int { session.backgroundMemory.archiveConsent }

    /// Lets this device save the pages that are pending now, however many they are.
    ///
    /// The consent ends when no more pages are pending than are saved without it.
    ///
    /// - Returns: the number of pending pages.
    /// - Throws: As `find`, and `ItemError` if the library cannot be written.
    @discardableResult
    public func allowArchiving() throws -> Int {
        let count = try find(ItemRequest(.filter(.status(.pending)), order: .oldest, limit: 1)).count
        try session.remember { $0.archiveConsent = count }
        return count
    }
}

extension Error {
    /// Whether the disk is full, or a quota or file size limit is reached.
    var isOutOfSpace: Bool {
        switch self {
        case let error as FileError: return error.isOutOfSpace
        case let error as ItemError:
            if case .file(let error) = error { return error.isOutOfSpace }
            return false
        default: return false
        }
    }
}
