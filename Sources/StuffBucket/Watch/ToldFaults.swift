internal import Items

/// The faults of items that a watch has told.
struct ToldFaults {
    private var faults: [ItemID: ItemFault] = [:]

    /// The number of items with a fault.
    var count: Int { faults.count }

    /// What differs from the faults told before.
    ///
    /// - Parameters:
    ///   - found: the faults that a comparison found.
    ///   - scope: the part of the items that it compared: a fault in there that was not found is gone.
    mutating func changes(_ found: [ItemFault], _ scope: Sweep.Scope) -> [LibraryChange] {
        var changes: [LibraryChange] = []
        var current: Set<ItemID> = []
        for fault in found {
            guard let id = ItemID(String(fault.folder.suffix(36))) else { continue }
            current.insert(id)
            if faults.updateValue(fault, forKey: id) != fault { changes.append(.fault(fault)) }
        }
        for (id, fault) in faults where !current.contains(id) && scope.contains(fault.folder) {
            faults[id] = nil
            changes.append(.faultGone(id))
        }
        return changes
    }
}
