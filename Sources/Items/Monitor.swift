private import Synchronization

/// Watches a long call: it is told how far the call is, and can cancel it.
///
/// A cancelled call throws `ItemError.cancelled`. What it completed before stays: each item and each file is whole, as after
/// a step with fewer changes. A monitor that was cancelled stays so; take a new one for the next call.
///
/// In a task, call `cancel` from the handler of `withTaskCancellationHandler`.
public final class Monitor: Sendable {
    private let progress: @Sendable (_ done: Int, _ total: Int?) -> Void
    private let isStopped = Atomic<Bool>(false)

    /// Makes a monitor.
    ///
    /// - Parameter progress: called from time to time with the number of pieces of work done, and of all, where that is known;
    ///   from any thread, by several threads one after the other or at once.
    public init(_ progress: @escaping @Sendable (_ done: Int, _ total: Int?) -> Void = { _, _ in }) {
        self.progress = progress
    }

    /// Makes the call end soon, from any thread, also from within `progress`.
    public func cancel() { isStopped.store(true, ordering: .relaxed) }

    /// Whether `cancel` was called.
    public var isCancelled: Bool { isStopped.load(ordering: .relaxed) }

    /// Tells how far the call is.
    package func show(_ done: Int, of total: Int? = nil) { progress(done, total) }

    /// - Throws: `ItemError.cancelled` once `cancel` was called.
    package func check() throws(ItemError) {
        if isCancelled { throw .cancelled }
    }
}
