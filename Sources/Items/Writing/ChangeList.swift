private import Synchronization

/// Items whose files were changed, for what is derived from them.
package final class ChangeList: Sendable {
    private let ids = Mutex<Set<ItemID>>([])

    package init() {}

    package var isEmpty: Bool { ids.withLock { $0.isEmpty } }

    func note(_ id: ItemID) { _ = ids.withLock { $0.insert(id) } }

    /// The items that were added, changed or removed since this was last called.
    package func take() -> [ItemID] {
        ids.withLock { ids in
            defer { ids = [] }
            return Array(ids)
        }
    }
}
