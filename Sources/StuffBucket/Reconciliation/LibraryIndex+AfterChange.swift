internal import Files
internal import Items
internal import Search
internal import Time

/// After a change, the index looks for changes of other programs too: a copying program may overwrite an editor's save before
/// anybody asks for the item. SearchIndex.md § I2.
extension LibraryIndex {
    /// Libraries with at most this many items are compared at once: some microseconds for each, in this thread.
    static let lookLimit = 64

    /// Compares a small library with the index. Of a larger one, another process does it, unless that was done a moment ago or a
    /// daemon follows the files.
    ///
    /// - Parameter startTakingIn: starts the process; `nil` if the caller cannot start one.
    func lookAfterChange(_ startTakingIn: (@Sendable () -> Void)?) throws {
        if watch.withLock({ $0 != nil }) { return }
        // Without an index nobody knows what the items were. The next query makes one.
        guard try place.directory.statusOfKnownPath(Layout.index + "/" + Self.manifest) != nil else { return }
        let folder = try place.indexFolder()
        guard let snapshot = try folder.snapshot() else { return }
        if snapshot.documentCount <= Self.lookLimit {
            try Sweep(self, folder, snapshot, since: SweepState.read(in: place), patience: .milliseconds(200))
                .takeInVisible()
            return
        }
        guard let startTakingIn, place.watchingProcess == nil else { return }
        let age = SweepState.read(in: place).map { Timestamp.now.milliseconds - $0.begunAt.milliseconds }
        if let age, age >= 0, age < Self.youth { return }
        startTakingIn()
    }
}
