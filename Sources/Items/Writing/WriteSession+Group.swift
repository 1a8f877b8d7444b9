internal import Files
private import Synchronization
package import Time

extension WriteSession {
    /// Makes many changes as `update` does, several at a time.
    ///
    /// Their syncs run in parallel, so the file system's journal commits them together.
    ///
    /// - Returns: for each change, in order, whether anything was written, or the error.
    package func update(
        _ changes: [(stored: StoredItem, edit: ItemEdit)], at time: Timestamp = .now, _ monitor: Monitor = Monitor()
    ) -> [Result<Bool, ItemError>] {
        if changes.count > Self.groupThreads { try? findMisplaced() }
        let results = Mutex<[Int: Result<Bool, ItemError>]>([:])
        // The body does not throw, so this does not either.
        try? Workers.run(changes.count, threads: Self.groupThreads) { [self] index in
            let result = outcome(changes[index], time, monitor)
            let count = results.withLock { results in
                results[index] = result
                return results.count
            }
            monitor.show(count, of: changes.count)
        }
        let done = results.withLock { $0 }
        return changes.indices.map { done[$0] ?? .failure(.noItem(changes[$0].stored.id)) }
    }

    /// More threads than processors, because they mostly wait for the disk.
    private static let groupThreads = 8

    private func outcome(
        _ change: (stored: StoredItem, edit: ItemEdit), _ time: Timestamp, _ monitor: Monitor
    ) -> Result<Bool, ItemError> {
        do throws(ItemError) {
            try monitor.check()
            return .success(try update(change.stored, change.edit, at: time))
        } catch {
            return .failure(error)
        }
    }
}
