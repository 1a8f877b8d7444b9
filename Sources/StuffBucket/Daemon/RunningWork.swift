/// A work of a daemon that runs. One piece runs at a time, on one thread.
package protocol RunningWork: AnyObject, Sendable {
    /// A word for logs and the status.
    var name: String { get }

    /// Takes note of changes.
    func note(_ changes: [LibraryChange])

    /// When the work runs next; `nil` if it waits for changes.
    func nextRun(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant?

    /// Does the work that is due.
    ///
    /// - Parameters:
    ///   - library: the library of the daemon.
    ///   - monitor: cancels when the daemon ends.
    /// - Returns: how much was done; 0 is not told.
    /// - Throws: what the daemon tells as the work's failure; it runs the work again a minute later.
    func run(_ library: Library, _ monitor: Monitor) throws -> Int

    /// What the work does about pages that wait; `nil` for other works.
    var pages: PagesStatus? { get }

    /// Waits for what the work does in threads of its own; the daemon has cancelled it.
    func finish()
}

extension RunningWork {
    /// Nothing: most works have nothing to do with pages.
    package var pages: PagesStatus? { nil }

    /// Nothing: most works do everything in `run`.
    package func finish() {}
}
