internal import Synchronization

/// Numbers in sequence, for handlers whose answer changes.
package final class Turn: Sendable {
    private let state = Mutex(0)

    package init() {}

    /// The next number, from 1.
    package func next() -> Int {
        state.withLock {
            $0 += 1
            return $0
        }
    }

    package var count: Int { state.withLock { $0 } }
}
