internal import Items
internal import Synchronization

/// Keeps the views of a library up to date: what changed is written within a second; smart folders and recents, which depend on
/// the time, are looked at again from time to time.
package final class ViewWork: RunningWork {
    /// `views`.
    package let name = "views"

    private struct State {
        var ids: Set<ItemID> = []
        var isEverything = false
        var queriesDue: ContinuousClock.Instant?
        var due: ContinuousClock.Instant?
        var nextQueries: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    /// Changes that come together are written together.
    private static let pause = Duration.milliseconds(100)
    /// More changed items than these are one comparison of everything.
    private static let limit = 2000
    /// How often smart folders and recents are looked at again.
    private static let interval = Duration.seconds(600)

    /// Makes the work.
    package init() {}

    /// Takes note of changes of items and smart folders.
    package func note(_ changes: [LibraryChange]) {
        if changes.isEmpty { return }
        state.withLock { state in
            var isConcerned = false
            for change in changes {
                switch change {
                case .everything: state.isEverything = true
                case .names(.smart), .names(.collections), .names(.tags): state.queriesDue = .now
                case .settings, .inbox, .faultGone, .fault: continue
                case .added(let id), .changed(let id, _), .trashed(let id), .restored(let id), .removed(let id):
                    state.ids.insert(id)
                }
                isConcerned = true
            }
            if state.ids.count > Self.limit {
                state.ids = []
                state.isEverything = true
            }
            if isConcerned, state.due == nil { state.due = .now + Self.pause }
        }
    }

    /// Shortly after a change, and every ten minutes where a view exists.
    package func nextRun(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        state.withLock { state in [state.due, state.nextQueries].compactMap { $0 }.min() }
    }

    /// - Returns: the number of files and links that were written or removed.
    package func run(_ library: Library, _ monitor: Monitor) throws -> Int {
        let views = try library.views()
        let now = ContinuousClock.now
        let (taken, asksQueries) = state.withLock { state in
            let taken = state
            // A change of an item moves no other item into or out of a smart folder; time does.
            let asksQueries =
                state.ids.isEmpty || state.queriesDue != nil || state.nextQueries.map { $0 <= now } ?? false
            state = State()
            if !views.isEmpty {
                state.nextQueries = asksQueries || taken.isEverything ? now + Self.interval : taken.nextQueries
                state.nextQueries = state.nextQueries ?? now + Self.interval
            }
            return (taken, asksQueries)
        }
        var count = 0
        var failure: (any Error)?
        var scopes: [ViewScope] = taken.isEverything ? [.all] : []
        if !taken.isEverything, !taken.ids.isEmpty { scopes.append(.items(Array(taken.ids))) }
        if !taken.isEverything, asksQueries { scopes.append(.queries) }
        // A view that fails does not stop the others.
        for view in views {
            do {
                for scope in scopes {
                    let report = try view.refresh(scope, monitor)
                    count += report.writtenCount + report.removedCount + report.movedCount
                    // The view knows what it lacks: its next refresh writes that.
                    failure = failure ?? report.failures.first?.error
                }
            } catch {
                failure = failure ?? error
                state.withLock { $0.isEverything = true }
            }
        }
        guard let failure else { return count }
        state.withLock { $0.due = $0.due ?? .now + Self.pause }
        throw failure
    }
}
