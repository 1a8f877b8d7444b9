internal import Files
internal import Items

/// Sees to it that a device that joins finds what this one wrote: its head, and the packs that its packs follow.
/// Documentation/Exchange.md § 2.
extension SyncRun {
    /// Compares this device's head with what it wrote last. One that is damaged or gone is written again at the end.
    func lookAtOwnHead(_ bytes: [UInt8]?) throws {
        guard memory.head != nil || memory.nextHead != nil else { return }
        guard let bytes else {
            memory.head = nil
            memory.nextHead = nil
            // Somebody removed the head alone.
            if try exchange.holds(Set(memory.packs + memory.taken.values.joined())) { return }
            // Somebody emptied the exchange: what it holds is not known any more.
            try forgetAll()
            memory.former = memory.names
            memory.taken = [:]
            memory.unfinished = []
            return
        }
        let hash = Items.ContentHash(of: bytes)
        if hash == memory.head || hash == memory.nextHead { return }
        if try !isOfTwin(bytes) { return }
        // Another device has this one's memory: a cloned disk. From now on this one has a name of its own. What it wrote before
        // is perhaps not named by the other one.
        memory.device = .random()
        memory.head = nil
        memory.nextHead = nil
    }

    /// Whether a head in the place of this device's own names packs that are there and that this device did not write, or is a newer
    /// program's. Otherwise it is damaged, or an old copy that a replication brought back.
    private func isOfTwin(_ bytes: [UInt8]) throws -> Bool {
        let head: ExchangeHead
        do {
            head = try exchange.head(bytes, of: memory.device, knowing: memory.packs)
        } catch ExchangeHead.Refusal.tooNew {
            return true
        } catch is ExchangeHead.Refusal {
            return false
        }
        let new = Set(head.packs).subtracting(memory.packs).subtracting(memory.former)
        return try !new.isEmpty && exchange.holds(new)
    }

    /// Forgets what the exchange holds, so that the next packs have everything and follow no other device's.
    private func forgetAll() throws {
        memory.former.formUnion(memory.packs)
        memory.packs = []
        memory.followed = []
        known = [:]
        states = [:]
        besides = [:]
        try place.forgetKnown()
        otherStates = [:]
        isWritingAll = true
    }

    /// Writes everything once more.
    func writeAll() throws {
        try forgetAll()
        try send()
    }

    // MARK: Packs that no head names

    /// Names packs that this device took and no head names any more. A head that is gone, or old, may be on its way: the second
    /// sync that finds it so counts.
    ///
    /// - Returns: whether this device must write everything once more: packs of it follow a pack that cannot be named.
    func nameUnnamed(_ found: [ItemID: [UInt8]]) throws -> Bool {
        var named = Set(memory.packs)
        for head in heads.values { named.formUnion(head.packs) }
        var devices: Set<ItemID> = []
        var isWaitingInVain = false
        for (device, packs) in memory.taken.sorted(by: { $0.key < $1.key }) {
            let unnamed = packs.filter { !named.contains($0) }
            // Its device writes a damaged head again.
            if unnamed.isEmpty || heads[device] == nil && found[device] != nil { continue }
            if let head = heads[device], !packs.starts(with: head.packs) {
                // The device wrote everything once more.
                if isFollowed(unnamed) { isWaitingInVain = true }
                continue
            }
            devices.insert(device)
            if !memory.unnamed.contains(device) { continue }
            if try exchange.holds(unnamed), try adopt(unnamed) { continue }
            isWaitingInVain = true
            memory.former.formUnion(unnamed)
            memory.taken[device] = packs.filter(named.contains)
        }
        memory.unnamed = devices
        return isWaitingInVain
    }

    private func isFollowed(_ packs: [Items.ContentHash]) -> Bool {
        !memory.packs.isEmpty && memory.followed.map { !$0.isDisjoint(with: packs) } ?? true
    }

    /// Names packs of another device in this one's head from now on.
    ///
    /// - Returns: false if nothing was done, because one of them, or of this device's, cannot be read.
    func adopt(_ packs: [Items.ContentHash]) throws -> Bool {
        let own = Set(memory.packs)
        let new = packs.filter { !own.contains($0) }
        if new.isEmpty { return true }
        var after: [Items.ContentHash: Set<Items.ContentHash>] = [:]
        for pack in memory.packs + new {
            try monitor.check()
            let header = try unpacked(pack)?.header
            exchange.forgetCopies([ExchangeLayout.object(pack, .tar)])
            guard let header else { return false }
            after[pack] = Set(header.after)
        }
        memory.packs = Self.ordered(memory.packs, new, after)
        // The lists are other ones.
        memory.listCount = 0
        memory.followed?.formUnion(after.values.joined())
        return true
    }

    /// Puts the packs of two lists in an order in which none stands before one that it follows: a reader takes those of a head in
    /// order.
    static func ordered(
        _ one: [Items.ContentHash], _ two: [Items.ContentHash], _ after: [Items.ContentHash: Set<Items.ContentHash>]
    ) -> [Items.ContentHash] {
        var lists = [one[...], two[...]]
        var open = Set(one + two)
        var ordered: [Items.ContentHash] = []
        while !open.isEmpty {
            let next = lists.indices.first { list in
                lists[list].first.map { open.isDisjoint(with: after[$0] ?? []) } ?? false
            }
            guard let list = next ?? lists.indices.first(where: { !lists[$0].isEmpty }),
                let pack = lists[list].popFirst()
            else { break }
            open.remove(pack)
            ordered.append(pack)
        }
        return ordered
    }

    /// Whether a device that joins can take a pack that this device takes while it writes everything once more. What was taken
    /// before no longer counts among what the exchange has.
    func isForAll(_ header: PackHeader) -> Bool {
        header.after.allSatisfy { isNamed($0) && !memory.former.contains($0) && !notForAll.contains($0) }
    }

    /// Finds packs that follow one that no head names, that is lost, or that stands behind a lost one or later in its head: a device
    /// that joins waits for it in vain.
    func addWaitingInVain(_ packs: Set<Items.ContentHash>, to lost: inout Set<Items.ContentHash>) throws {
        let lists = heads.values.map(\.packs) + [memory.packs]
        var after: [Items.ContentHash: [Items.ContentHash]] = [:]
        for pack in packs where isNamed(pack) { after[pack] = try unpacked(pack)?.header?.after }
        var isNew = true
        while isNew {
            isNew = false
            for (pack, earlier) in after where !lost.contains(pack) {
                let isInVain = earlier.contains { earlier in
                    guard let list = lists.first(where: { $0.contains(earlier) }),
                        let place = list.firstIndex(of: earlier)
                    else { return true }
                    let isLater = list.firstIndex(of: pack).map { $0 < place } ?? false
                    return isLater || list[...place].contains(where: lost.contains)
                }
                if isInVain, lost.insert(pack).inserted { isNew = true }
            }
        }
    }
}
