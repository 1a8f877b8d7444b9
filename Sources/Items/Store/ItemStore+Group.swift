internal import Files
private import Synchronization
package import Time

extension ItemStore {
    /// Makes many changes, each as `update` does, in groups that share the lock and the waiting for the disk.
    ///
    /// The syncs of a group run side by side, so the file system's journal commits them together.
    ///
    /// - Returns: for each change, in order, whether anything had to be written, or why it could not.
    package func update(
        _ changes: [(stored: StoredItem, edit: ItemEdit)], at time: Timestamp = .now
    ) -> [Result<Bool, ItemError>] {
        if changes.count == 1 { return [outcome(changes[0], time)] }
        var results: [Result<Bool, ItemError>] = []
        for start in stride(from: 0, to: changes.count, by: Self.groupSize) {
            results += updateGroup(Array(changes[start..<min(start + Self.groupSize, changes.count)]), at: time)
        }
        return results
    }

    /// Small enough that the lock is free again within 100 ms.
    private static let groupSize = 32
    /// More threads than processors: they mostly wait for the disk.
    private static let groupThreads = 8

    private func updateGroup(
        _ changes: [(stored: StoredItem, edit: ItemEdit)], at time: Timestamp
    ) -> [Result<Bool, ItemError>] {
        let results = Mutex<[Int: Result<Bool, ItemError>]>([:])
        do {
            try grouped { () throws(ItemError) in
                try? Workers.run(changes.count, threads: Self.groupThreads) { [self] index in
                    let result = outcome(changes[index], time)
                    results.withLock { $0[index] = result }
                }
            }
        } catch {
            return changes.map { _ in .failure(error) }
        }
        let done = results.withLock { $0 }
        return changes.indices.map { index in
            // Gone for a moment, as while vim saves: waited for alone, without the group's lock.
            if case .failure(.noItem)? = done[index] { return outcome(changes[index], time) }
            return done[index] ?? .failure(.noItem(changes[index].stored.id))
        }
    }

    private func outcome(_ change: (stored: StoredItem, edit: ItemEdit), _ time: Timestamp) -> Result<Bool, ItemError> {
        do throws(ItemError) {
            return .success(try update(change.stored, change.edit, at: time))
        } catch {
            return .failure(error)
        }
    }
}
