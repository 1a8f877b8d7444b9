internal import Files
internal import Items
internal import JSONFormat
internal import Time

/// What this device remembers of one exchange: the folder `.sbfs/sync/<hash16>`. DeviceFiles.md § D12.
///
/// None of it travels. If it is lost, the device reads every pack again, under a new name.
struct SyncMemory {
    /// A pack that could not be taken, or not whole.
    struct Unfinished {
        let pack: Items.ContentHash
        let device: ItemID
        /// When that was first seen.
        var since: Timestamp
        /// What is missing: objects' file names.
        var missing: [String] = []
    }

    /// The device's name in the exchange.
    var device: ItemID
    /// The SHA-256 of the head that was written last, and of one that was about to be written.
    var head: Items.ContentHash?
    var nextHead: Items.ContentHash?
    /// The packs that this device wrote.
    var packs: [Items.ContentHash] = []
    /// How many lists of these packs the exchange holds.
    var listCount = 0
    /// The packs of other devices that were taken, in order of their lists.
    var taken: [ItemID: [Items.ContentHash]] = [:]
    /// Packs that were taken or written here, and that this device no longer counts among those of the exchange.
    var former: Set<Items.ContentHash> = []
    /// The packs of other devices that packs of this one follow; `nil` if that was not noted: it may be all.
    var followed: Set<Items.ContentHash>?
    /// Devices of which the last sync found packs that no head names.
    var unnamed: Set<ItemID> = []
    var unfinished: [Unfinished] = []
    /// Documents that items should have by their last versions, and that the exchange lacks: another device waited for them when it wrote
    /// the states that were taken.
    var outdated: [ItemID: Items.ContentHash] = [:]
    /// Pages and documents that a join brings to a thin replica, until they are gone again: the hashes of the lists of their files
    /// (`StateHashes`).
    var arriving: [ItemID: Set<Items.ContentHash>] = [:]
    /// Packs of other devices that were lost, and for which this device wrote everything once more.
    var replaced: Set<Items.ContentHash> = []
    /// Heads of other devices whose needs were answered.
    var answered: Set<Items.ContentHash> = []
    /// When this device asked for objects last, and how often it had asked for the same before; `nil` if it asks for nothing.
    var asked: (at: Timestamp, count: Int)?
    /// Items of the exchange that are of the collection to which it is limited; `nil` if that was not noted yet.
    var inside: Set<ItemID>?
    /// Items that were taken out of that collection: they are not written any more.
    var outside: Set<ItemID> = []
    /// Files that are left out, of each item as it was read last.
    var leftOut: [(id: ItemID, files: [PackedState.LeftOut])] = []
    /// Files and folders of the person's own in collections/, tags/ and smart/, as the last sync found them.
    var notSmallFiles: [String] = []
    /// When the last sync that was complete ended; the last attempt; attempts that failed since then; why the last one failed.
    var completedAt: Timestamp?
    var attemptedAt: Timestamp?
    /// When the last sync ended that looked at every item.
    var lookedAt: Timestamp?
    /// When that sync began: what changed before is in the states that it left.
    var beganAt: Timestamp?
    var failureCount = 0
    var failure: String?
    /// Unused objects, as `prune` first saw them.
    var unused: [String: Timestamp] = [:]

    init(device: ItemID) {
        self.device = device
        followed = []
    }

    /// All packs whose content is here: no pack waits for them.
    var names: Set<Items.ContentHash> { taken.values.reduce(into: former.union(packs)) { $0.formUnion($1) } }

    // MARK: JSON

    var bytes: [UInt8] {
        func time(_ time: Timestamp?) -> JSON? { time.map { .string($0.rfc3339) } }
        func hashes(_ hashes: [Items.ContentHash]) -> JSON { .strings(hashes.map(\.hex)) }
        return JSON.members([
            ("device", .string(device.description)), ("head", head.map { .string($0.hex) }),
            ("nextHead", nextHead.map { .string($0.hex) }), ("packs", hashes(packs)),
            ("lists", listCount == 0 ? nil : .integer(listCount)),
            (
                "taken",
                .array(
                    taken.sorted { $0.key < $1.key }.map {
                        .members([("device", .string($0.key.description)), ("packs", hashes($0.value))])
                    })
            ),
            ("former", former.isEmpty ? nil : hashes(former.sorted())),
            ("replaced", replaced.isEmpty ? nil : hashes(replaced.sorted())),
            ("followed", followed.map { hashes($0.sorted()) }),
            ("unnamed", unnamed.isEmpty ? nil : .strings(unnamed.sorted().map(\.description))),
            (
                "unfinished",
                .array(
                    unfinished.map {
                        .members([
                            ("pack", .string($0.pack.hex)), ("device", .string($0.device.description)),
                            ("since", time($0.since)), ("missing", .strings($0.missing)),
                        ])
                    })
            ),
            (
                "outdated",
                outdated.isEmpty
                    ? nil
                    : .array(
                        outdated.sorted { $0.key < $1.key }.map {
                            .members([("item", .string($0.key.description)), ("document", .string($0.value.hex))])
                        })
            ),
            (
                "arriving",
                arriving.isEmpty
                    ? nil
                    : .array(
                        arriving.sorted { $0.key < $1.key }.map {
                            .members([
                                ("item", .string($0.key.description)),
                                ("parts", hashes($0.value.sorted())),
                            ])
                        })
            ),
            (
                "leftOut",
                .array(
                    leftOut.flatMap { left in
                        left.files.map {
                            .members([
                                ("item", .string(left.id.description)), ("path", .string($0.path)),
                                ("why", .string($0.reason.rawValue)), ("size", .integer($0.byteCount)),
                            ])
                        }
                    })
            ),
            ("notSmallFiles", notSmallFiles.isEmpty ? nil : .strings(notSmallFiles)),
            ("inside", inside.map { .strings($0.sorted().map(\.description)) }),
            ("outside", outside.isEmpty ? nil : .strings(outside.sorted().map(\.description))),
            ("answered", answered.isEmpty ? nil : hashes(answered.sorted())),
            (
                "asked",
                asked.map { .members([("at", .string($0.at.rfc3339)), ("count", .integer($0.count))]) }
            ),
            ("completedAt", time(completedAt)), ("attemptedAt", time(attemptedAt)),
            ("lookedAt", time(lookedAt)), ("beganAt", time(beganAt)),
            ("failureCount", .integer(failureCount)), ("failure", failure.map(JSON.string)),
            (
                "unused",
                .members(unused.sorted { $0.key < $1.key }.map { ($0.key, time($0.value)) })
            ),
        ]).file
    }

    init?(_ bytes: [UInt8]) {
        guard let json = JSONReading(bytes), let device = json.id("device") else { return nil }
        self.init(device: device)
        func time(_ key: String) -> Timestamp? { json.text(key).flatMap { Timestamp($0) } }
        head = json.hash("head")
        nextHead = json.hash("nextHead")
        packs = json.hashes("packs")
        listCount = json.count("lists") ?? 0
        for entry in json.objects("taken") {
            if let id = entry.id("device") { taken[id] = entry.hashes("packs") }
        }
        former = Set(json.hashes("former"))
        replaced = Set(json.hashes("replaced"))
        followed = json.has("followed") ? Set(json.hashes("followed")) : nil
        unnamed = Set(json.texts("unnamed").compactMap { ItemID($0) })
        for entry in json.objects("unfinished") {
            guard let pack = entry.hash("pack"), let id = entry.id("device"),
                let since = entry.text("since").flatMap({ Timestamp($0) })
            else { continue }
            unfinished.append(.init(pack: pack, device: id, since: since, missing: entry.texts("missing")))
        }
        for entry in json.objects("outdated") {
            if let id = entry.id("item") { outdated[id] = entry.hash("document") }
        }
        for entry in json.objects("arriving") {
            if let id = entry.id("item") { arriving[id] = Set(entry.hashes("parts")) }
        }
        for entry in json.objects("leftOut") {
            guard let id = entry.id("item"), let path = entry.text("path"),
                let reason = entry.text("why").flatMap(PackedState.LeftOut.Reason.init)
            else { continue }
            let file = PackedState.LeftOut(path: path, reason: reason, byteCount: entry.count("size") ?? 0)
            if leftOut.last?.id == id {
                leftOut[leftOut.count - 1].files.append(file)
            } else {
                leftOut.append((id, [file]))
            }
        }
        notSmallFiles = json.texts("notSmallFiles")
        inside = json.has("inside") ? Set(json.texts("inside").compactMap { ItemID($0) }) : nil
        outside = Set(json.texts("outside").compactMap { ItemID($0) })
        answered = Set(json.hashes("answered"))
        if let entry = json.object("asked"), let at = entry.text("at").flatMap({ Timestamp($0) }) {
            asked = (at, entry.count("count") ?? 0)
        }
        completedAt = time("completedAt")
        attemptedAt = time("attemptedAt")
        lookedAt = time("lookedAt")
        beganAt = time("beganAt")
        failureCount = json.count("failureCount") ?? 0
        failure = json.text("failure")
        for (key, value) in json.object("unused")?.strings ?? [] {
            if let time = Timestamp(value) { unused[key] = time }
        }
    }

    // MARK: Asking

    /// Whether it is time to ask for the same objects once more: at once after the first time, then 10 seconds later, four times as long
    /// after each further one, at most a day.
    var mayAskAgain: Bool {
        guard let asked else { return true }
        if asked.count == 0 { return true }
        // A clock that was ahead then must not make the wait longer.
        return min(asked.at, .now).adding(seconds: min(86_400, 10 << min(2 * (asked.count - 1), 20))) <= .now
    }

    // MARK: Attempts

    /// When to try again after a failure: one minute later, twice as long after each further one, at most a day.
    var nextAttempt: Timestamp? {
        guard failureCount > 0, let attemptedAt else { return nil }
        // A clock that was ahead then must not make the wait longer.
        return min(attemptedAt, .now).adding(seconds: min(86_400, 60 << min(failureCount - 1, 11)))
    }
}
