public import Items

extension Library {
    /// The size of a page or a document that item.json names and that no exchange has, because it is above the limit of the device that
    /// has it. The states of the exchanges say so, as this device took them last.
    ///
    /// - Parameters:
    ///   - path: relative to the item's folder.
    ///   - id: the item.
    /// - Returns: in bytes, of a page with its files; `nil` if no state says so.
    public func tooLargeElsewhere(_ path: String, of id: ItemID) -> Int? {
        let isPage = path == Layout.pageFile || path == Layout.readerFile
        for exchange in (try? SyncFolder.all(store)) ?? [] {
            let left = exchange.states(id.shard)[id]?.leftOut.first {
                $0.reason == .tooLarge && ($0.path == path || isPage && $0.path.isEmpty)
            }
            if let left { return left.byteCount }
        }
        return nil
    }

    /// The files of an item here that the last sync left out of an exchange, and why, each once.
    public func leftOutFiles(of id: ItemID) -> [SyncReport.LeftOutFile] {
        var paths: Set<String> = []
        return ((try? SyncFolder.all(store)) ?? []).flatMap { $0.memory()?.leftOut ?? [] }.filter { $0.id == id }
            .flatMap(\.files).filter { $0.reason != .away && paths.insert($0.path).inserted }
            .map { SyncReport.LeftOutFile(id, $0) }
    }

    /// Whether one of these exchanges has a page or a document, as this device read them last.
    ///
    /// - Parameters:
    ///   - path: relative to the item's folder.
    ///   - id: the item.
    ///   - exchanges: those that are asked.
    public func isHeld(_ path: String, of id: ItemID, by exchanges: [ExchangeFolder]) -> Bool {
        exchanges.contains { exchange in
            guard let state = ((try? syncFolder(exchange)) ?? nil)?.states(id.shard)[id] else { return false }
            let left = Set(state.leftOut.map(\.path))
            return !left.contains(PackedState.bundle(of: path) ?? path) && state.files.contains { $0.path == path }
        }
    }

    /// A finding with what the exchanges say of it: a file that `check` misses may be above the limit of another device.
    public func explained(_ finding: Finding) -> Finding {
        guard case .missing = finding.kind else { return finding }
        let parts = finding.path.split(separator: "/", maxSplits: 3).map(String.init)
        guard parts.count == 4, let id = ItemID(parts[2]), let size = tooLargeElsewhere(parts[3], of: id) else {
            return finding
        }
        return Finding(finding.severity, finding.path, .tooLargeElsewhere(byteCount: size), repair: finding.repair)
    }
}
