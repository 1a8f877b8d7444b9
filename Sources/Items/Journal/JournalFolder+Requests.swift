internal import Files
internal import JSONFormat
package import Time

extension JournalFolder {
    /// Items whose pages this device was asked to save: a step here made the item, or made it wait for its page.
    ///
    /// Without the journal (`log --clear`), nothing counts as asked for here.
    ///
    /// - Parameters:
    ///   - ids: the items in question.
    ///   - since: steps that began earlier are not read.
    package func requested(_ ids: Set<ItemID>, since: Timestamp) throws(ItemError) -> Set<ItemID> {
        var found: Set<ItemID> = []
        for number in try numbers().reversed() {
            guard var reader = try StepReader(number, in: self) else { continue }
            if reader.header.time < since || found.count == ids.count { break }
            try reader.forEach { entry throws(ItemError) in
                switch entry.record {
                case .added(let added): found.formUnion(ids.intersection(added.map(\.id)))
                case .fields(let id, _, let new) where ids.contains(id) && Self.isRequest(new): found.insert(id)
                default: break
                }
            }
        }
        return found
    }

    /// Whether a step here made an item and did not bring it from another library. Without the journal, no step did.
    package func made(_ id: ItemID) throws(ItemError) -> Bool {
        for number in try numbers().reversed() {
            guard var reader = try StepReader(number, in: self), !reader.header.bringsItems else { continue }
            var isMade = false
            try reader.forEach { entry throws(ItemError) in
                if case .added(let added) = entry.record, added.contains(where: { $0.id == id }) { isMade = true }
            }
            if isMade { return true }
        }
        return false
    }

    private static func isRequest(_ new: JSONDocument) -> Bool {
        new.member(ItemField.archiveStatus.key, of: new.root).flatMap { new.string($0) }
            == Item.ArchiveStatus.pending.rawValue
    }
}

extension ItemStore {
    /// Seconds from 0 to `limit` − 1 that differ from device to device and from item to item, so that devices that
    /// wait for the same moment do not act at once.
    package func spread(of id: ItemID, below limit: Int64) -> Int64 {
        let device = try? device.map { device in
            try Owner(of: device.directory, adoptedAt: device.adoptedAt).journalName
        }
        let digits = SHA256.hex(Array("\(device ?? "") \(id)".utf8)).prefix(8)
        return (Int64(digits, radix: 16) ?? 0) % max(1, limit)
    }
}
