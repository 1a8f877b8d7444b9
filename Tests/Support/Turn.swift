internal import Synchronization

/// Numbers in turn, for handlers that answer otherwise the second time.
package final class Turn: Sendable {
    private let state = Mutex(0)

    package init() {}

    /// From 1.
    package func next() -> Int {
        state.withLock {
            $0 += 1
            return $0
        }
    }

    package var count: Int { state.withLock { $0 } }
}
