internal import Files
public import Items

extension Library {
    /// Files of pages and documents that have other bytes than this device saw last, though neither size nor time changed, and
    /// files that cannot be read. Reads every file of which a hash is recorded on this device.
    ///
    /// - Parameter monitor: is told the number of items done, and cancels.
    /// - Throws: `ItemError`.
    public func damage(_ monitor: Monitor = Monitor()) throws -> [Finding] {
        do {
            var wanted = WantedFiles(store, monitor)
            var findings: [Finding] = []
            let exchanges = try SyncFolder.all(store)
            let ids = try store.shards().names.flatMap { try store.shard($0).ids }
            for (count, id) in ids.enumerated() {
                try monitor.check()
                monitor.show(count, of: ids.count)
                guard let folder = try session.folder(of: id), let stored = try? store.item(id, in: folder)
                else { continue }
                let before = wanted.found.count
                try wanted.look(
                    stored, exchanges.lazy.compactMap { $0.states(id.shard)[id] }.first, isForRepair: false)
                findings += wanted.found[before...].map {
                    Finding(.error, folder + "/" + $0.path, .changedUnseen(among: [$0.path]))
                }
            }
            return findings
        } catch let error as FileError {
            throw ItemError.file(error)
        }
    }
}
