internal import Items
internal import JSONFormat

/// What one device wrote into an exchange and saw there: heads/`<device>.json`. Only that device writes it.
struct ExchangeHead: Sendable {
    let device: ItemID
    /// The packs that the device wrote, in this order; without those in `lists` until `takeLists`.
    var packs: [Items.ContentHash] = []
    /// Objects with the names of earlier packs.
    private(set) var lists: [Items.ContentHash] = []
    /// The last pack that the device took of each other one.
    var seen: [ItemID: Items.ContentHash] = [:]
    /// Objects that the device lacks or found damaged: paths in the exchange.
    var needs: [String] = []
    /// The device's library.json, from which a new device makes its own.
    var settings: [UInt8]?

    init(_ device: ItemID) { self.device = device }

    /// - Parameter library: its id. All packs are in `packs`.
    func bytes(of library: ItemID) -> [UInt8] {
        let listed = PackLists.listed(of: packs)
        let names = listed.map { Items.ContentHash(of: PackLists.bytes(of: $0)).hex }
        let seen = seen.sorted { $0.key < $1.key }.map { ($0.key.description, JSON.string($0.value.hex) as JSON?) }
        var json = JSON.members([
            ("format", .integer(ExchangeLayout.format)), ("library", .string(library.description)),
            ("device", .string(device.description)), ("lists", names.isEmpty ? nil : .strings(names)),
            ("packs", .strings(packs.dropFirst(listed.count * PackLists.length).map(\.hex))),
            ("seen", .members(seen)), ("needs", needs.isEmpty ? nil : .strings(needs)),
        ])
        if let settings, let document = try? JSONDocument(parsing: settings) {
            json = json.adding([("settings", document.copy(document.root))])
        }
        return json.file
    }

    /// Why a head is not used.
    enum Refusal: Error {
        /// It does not parse, or its name and its device differ.
        case damaged
        case otherLibrary
        case tooNew
        /// A list of its packs cannot be read.
        case lacks(list: Items.ContentHash, SyncReport.Reason)
    }

    init(_ bytes: [UInt8], of device: ItemID, in library: ItemID) throws(Refusal) {
        guard let json = JSONReading(bytes), let format = json.count("format"), format > 0 else { throw .damaged }
        if format > ExchangeLayout.format { throw .tooNew }
        guard let found = json.id("library") else { throw .damaged }
        if found != library { throw .otherLibrary }
        guard json.id("device") == device else { throw .damaged }
        let names = json.texts("packs")
        self.init(device)
        packs = json.hashes("packs")
        lists = json.hashes("lists")
        if packs.count != names.count || lists.count != json.texts("lists").count
            || lists.count > PackLists.countLimit
        {
            throw .damaged
        }
        for (key, value) in json.object("seen")?.strings ?? [] {
            if let id = ItemID(key), let hash = Items.ContentHash(hex: value.utf8) { seen[id] = hash }
        }
        needs = Array(json.texts("needs").prefix(ExchangeLayout.needLimit))
        settings = json.file("settings")
    }
    /// Puts the packs of the lists before the others.
    mutating func takeLists(_ listed: [Items.ContentHash]) {
        packs = listed + packs
    }
}
