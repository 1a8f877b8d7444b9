private import Synchronization

/// The items whose files changed, for the data derived from them.
package final class ChangeList: Sendable {
    private let ids = Mutex<Set<ItemID>>([])

    package init() {}

    package var isEmpty: Bool { ids.withLock { $0.isEmpty } }

    package func note(_ id: ItemID) { _ = ids.withLock { $0.insert(id) } }

    /// The items added, changed or removed since the last call.
    package func take() -> [ItemID] {
        ids.withLock { ids in
            defer { ids = [] }
            return Array(ids)
        }
    }
}
