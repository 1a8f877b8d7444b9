internal import Characters
internal import Files
internal import Items
internal import JSONFormat

/// The folder `.sbfs/sync/<hash16>`: the memory of one exchange, and what it holds of each item. DeviceFiles.md § D12.
final class SyncFolder {
    /// What the exchange holds of an item.
    struct Known: Equatable {
        /// A look at the item's files when they had the state: equal looks need no reading.
        var look: FolderLook
        /// The state's content.
        var content: Items.ContentHash
    }

    /// `.sbfs`; the folder in it is made with the first file.
    private let device: Directory
    /// The folder, relative to `.sbfs`.
    private let path: String
    private static let memoryFile = "memory.json"
    private static let knownFolder = "known"
    private static let statesFolder = "states"
    private static let besidesFile = "besides"
    private static let lackedFile = "lacked"
    private static let incoming = "incoming"
    private static let arriving = "arriving"
    private static let returning = "returning"
    private static let cloudFolder = "cloud"
    private static let formerFolder = "former"
    private static let byteLimit = 1 << 30

    /// - Parameter location: the exchange's folder, as resolved.
    /// - Returns: `nil` if the library cannot be written.
    init?(_ store: ItemStore, location: String) throws {
        guard let device = try store.device?.directory.duplicate() else { return nil }
        self.device = device
        path = Layout.sync + "/" + SHA256.hex(Array(location.utf8)).prefix(16)
    }

    private init(_ device: consuming Directory, path: String) {
        self.device = device
        self.path = path
    }

    /// The memories of all exchanges of this device.
    static func all(_ store: ItemStore) throws -> [SyncFolder] {
        guard let device = store.device, let folder = try? device.directory.directory(Layout.sync) else { return [] }
        return try folder.entries().filter { $0.kind == .directory }.compactMap(\.name.string).sorted().map {
            SyncFolder(try device.directory.duplicate(), path: Layout.sync + "/" + $0)
        }
    }

    /// The state of an item's files now. Of an item of which no file was hashed before, an exchange tells damage, and the item itself
    /// only of files that this device never synced.
    ///
    /// - Parameter files: the files of the page and the document as they were hashed last; gets what an exchange recorded if
    ///   one of them is damaged.
    static func live(
        _ id: ItemID, in folder: String, _ store: ItemStore, _ files: inout [KnownFile]
    ) throws(ItemError) -> LiveState? {
        guard files.isEmpty else { return try store.live(id, in: folder, known: files) }
        guard let glance = try store.glance(id, in: folder) else { return nil }
        let hasFiles = glance.statuses.keys.contains { $0 != Layout.itemFile && $0 != Layout.textFile }
        let remembered = hasFiles ? recordedFiles(of: id, store) : nil
        let recorded = remembered ?? []
        let live = try store.live(glance, known: recorded, areOthersWhole: remembered != nil)
        if !live.damaged.isDisjoint(with: recorded.map(\.file.path)) { files = recorded }
        return live
    }

    /// The files of an item as this device wrote them into an exchange or took them from there, whole; `nil` if it remembers nothing of
    /// the item.
    static func recordedFiles(of id: ItemID, _ store: ItemStore) -> [KnownFile]? {
        recordedState(of: id, store)?.recordedFiles
    }

    /// The files of the page and the document of an item as this device synced it last, sorted by path; `nil` if that is not known.
    static func recordedPageAndDocument(of id: ItemID, _ store: ItemStore) -> [Version.File]? {
        guard let state = recordedState(of: id, store) else { return nil }
        let own = Set(state.ownFiles.keys)
        return state.files.filter { !own.contains(Array($0.path.utf8)) }.map(\.version)
    }

    private static func recordedState(of id: ItemID, _ store: ItemStore) -> PackedState? {
        for exchange in (try? all(store)) ?? [] {
            guard let line = exchange.line(of: id, statesFolder, start: Array("{\"id\":\"".utf8)),
                let state = JSONReading(line).flatMap(PackedState.init),
                let known = exchange.line(of: id, knownFolder, start: []),
                known.suffix(64).elementsEqual(state.contentHash.hex.utf8)
            else { continue }
            return state
        }
        return nil
    }

    /// The line of an item in a file of its shard, which begins with some bytes and the id; `nil` without one.
    private func line(of id: ItemID, _ folder: String, start: [UInt8]) -> [UInt8]? {
        let start = start + Array(id.description.utf8)
        let lines = bytes(of: folder + "/" + id.shard)?.split(separator: 0x0A)
        return lines?.first { $0.starts(with: start) }.map(Array.init)
    }

    /// Makes the folder, or one in it.
    private func made(_ name: String? = nil) throws(FileError) -> Directory {
        var made = ""
        for part in path.pathComponents + (name.map { [$0] } ?? []) {
            made += (made.isEmpty ? "" : "/") + part
            try device.makeDirectory(made, permissions: 0o700)
        }
        return try device.directory(made)
    }

    private func bytes(of name: String) -> [UInt8]? {
        (try? device.contentsIfPresent(of: path + "/" + name, limit: Self.byteLimit))??.bytes
    }

    /// Held by the one process that syncs the library; `nil` if another one does.
    static func lock(_ store: ItemStore) throws -> FileLock? {
        guard let device = store.device else { return nil }
        return try FileLock.acquire(Layout.syncLock, in: device.directory, patience: .zero)
    }

    // MARK: Memory

    /// Whether what this device remembered of the exchange is there and cannot be read.
    func hasDamagedMemory() -> Bool {
        ((try? device.statusIfPresent(of: path + "/" + Self.memoryFile)) ?? nil) != nil && memory() == nil
    }

    func memory() -> SyncMemory? {
        bytes(of: Self.memoryFile).flatMap { SyncMemory($0) }
    }

    /// - Parameter isSynced: whether it must survive a power failure.
    func write(_ memory: SyncMemory, isSynced: Bool = false) throws {
        let directory = try made()
        if isSynced {
            let temporary = ".\(Self.memoryFile)-\(UInt64.random(in: 1...UInt64.max))"
            try directory.writeFile(temporary, memory.bytes, permissions: 0o600)
            try directory.replace(temporary, to: directory, as: Self.memoryFile)
            try directory.sync()
        } else {
            try directory.replaceFile(Self.memoryFile, with: memory.bytes)
        }
    }

    // MARK: What the exchange holds

    /// The items of a shard that the exchange has as they are here, or as they were here.
    ///
    /// A line for each: id, look in 16 digits, content in 64 digits, with one space between them.
    func known(_ shard: String) -> [ItemID: Known] {
        var known: [ItemID: Known] = [:]
        guard let bytes = bytes(of: Self.knownFolder + "/" + shard) else { return known }
        for line in bytes.split(separator: 0x0A) where line.count == 36 + 1 + 16 + 1 + 64 {
            let start = line.startIndex
            guard let id = ItemID(utf8: Array(line[start..<start + 36])),
                let look = UInt64(String(decoding: line[start + 37..<start + 53], as: UTF8.self), radix: 16),
                let content = Items.ContentHash(hex: line[(start + 54)...])
            else { continue }
            known[id] = Known(look: FolderLook(number: look), content: content)
        }
        return known
    }

    /// The shards of which something is known, sorted.
    func knownShards() throws -> [String] {
        guard try device.statusIfPresent(of: path + "/" + Self.knownFolder) != nil else { return [] }
        return try device.directory(path + "/" + Self.knownFolder).entries().compactMap(\.name.string)
            .filter(Layout.isShard).sorted()
    }

    func write(_ known: [ItemID: Known], ofShard shard: String) throws {
        var bytes: [UInt8] = []
        for (id, known) in known.sorted(by: { $0.key < $1.key }) {
            bytes += Array("\(id) \(Hexadecimal.padded(known.look.number)) \(known.content.hex)\n".utf8)
        }
        try made(Self.knownFolder).replaceFile(shard, with: bytes)
    }

    /// The states of a shard's items as the exchange has them: a JSON object in a line for each.
    func states(_ shard: String) -> [ItemID: PackedState] {
        var states: [ItemID: PackedState] = [:]
        guard let bytes = bytes(of: Self.statesFolder + "/" + shard) else { return states }
        for line in bytes.split(separator: 0x0A) {
            if let json = JSONReading(Array(line)), let state = PackedState(json) { states[state.id] = state }
        }
        return states
    }

    /// The items of a shard in whose states a text occurs. Other states are not parsed.
    func states(_ shard: String, naming text: String) -> [ItemID] {
        let wanted = Array(text.utf8)
        guard let bytes = bytes(of: Self.statesFolder + "/" + shard), bytes.firstRange(ofBytes: wanted) != nil else {
            return []
        }
        return bytes.split(separator: 0x0A).compactMap { line in
            let line = Array(line)
            return line.firstRange(ofBytes: wanted) == nil ? nil : JSONReading(line).flatMap { PackedState($0)?.id }
        }
    }

    /// The states of a shard's items that are those of the items here when they were last read.
    func ownStates(_ shard: String) -> [ItemID: PackedState] {
        let known = known(shard)
        return states(shard).filter { known[$0.key]?.content == $0.value.contentHash }
    }

    func isSame(as other: SyncFolder) -> Bool { path == other.path }

    /// The shards that have states.
    func shards() throws -> [String] {
        guard let folder = try? device.directory(path + "/" + Self.statesFolder) else { return [] }
        return try folder.entries().compactMap(\.name.string).filter(Layout.isShard).sorted()
    }

    func write(_ states: [ItemID: PackedState], ofShard shard: String) throws {
        var bytes: [UInt8] = []
        for (_, state) in states.sorted(by: { $0.key < $1.key }) { bytes += state.json.oneLine + [0x0A] }
        try made(Self.statesFolder).replaceFile(shard, with: bytes)
    }

    /// Tombstones and small files that the exchange has: hashes by their paths in the library.
    func besides() -> [String: Items.ContentHash] {
        guard let json = bytes(of: Self.besidesFile).flatMap({ JSONReading($0) }) else { return [:] }
        var found: [String: Items.ContentHash] = [:]
        for (key, value) in json.strings { found[key] = Items.ContentHash(hex: value.utf8) }
        return found
    }

    func write(besides: [String: Items.ContentHash]) throws {
        let members = besides.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        try made().replaceFile(
            Self.besidesFile, with: JSON.members(members.map { ($0.key, .string($0.value.hex)) }).file)
    }

    /// Objects that this device found missing or damaged when it wanted a file of one: paths in the exchange, sorted.
    func lacked() -> [String] {
        guard let bytes = bytes(of: Self.lackedFile) else { return [] }
        return bytes.split(separator: 0x0A).compactMap { String(validating: $0, as: UTF8.self) }
    }

    func write(lacked: [String]) throws {
        try made().replaceFile(Self.lackedFile, with: lacked.flatMap { Array($0.utf8) + [0x0A] })
    }

    /// A new file without a name.
    func temporaryFile() throws(FileError) -> Descriptor {
        try made().temporaryFile(".unpacked-\(UInt64.random(in: 1...UInt64.max))")
    }

    /// The full path of the folder for what is here of an exchange in a cloud.
    func cloudPath() throws(FileError) -> String { try made(Self.cloudFolder).path }

    /// What the exchange held of items as they were here before it was emptied, until it holds everything again.
    func former() throws(FileError) -> SyncFolder {
        SyncFolder(try device.duplicate(), path: path + "/" + Self.formerFolder)
    }

    func removeFormer() throws(FileError) {
        if try device.statusIfPresent(of: path + "/" + Self.formerFolder) != nil {
            try made().removeTree(Self.formerFolder)
        }
    }

    /// Forgets what the exchange holds. What tells damage, and removals of the person's own files, stays in `former`.
    func forgetKnown() throws {
        let former = try former()
        for shard in try shards() {
            let own = ownStates(shard)
            if own.isEmpty { continue }
            let looks = known(shard).filter { own[$0.key] != nil }
            try former.write(former.known(shard).merging(looks) { $1 }, ofShard: shard)
            try former.write(former.states(shard).merging(own) { $1 }, ofShard: shard)
        }
        if let memory = memory() { try former.write(memory) }
        let directory = try made()
        for name in [Self.knownFolder, Self.statesFolder, Self.besidesFile] { try directory.removeTree(name) }
    }

    // MARK: Incoming

    /// An empty folder for what comes, as a copy of the library; what an earlier sync left in it is removed.
    func emptyIncoming() throws -> Directory {
        try made().removeTree(Self.incoming)
        return try made(Self.incoming)
    }

    /// The folder for what comes, as it is.
    func incomingFolder() throws -> Directory { try made(Self.incoming) }

    /// An empty folder for one pack.
    func emptyArriving() throws -> Directory {
        try made().removeTree(Self.arriving)
        return try made(Self.arriving)
    }

    /// The folder for one pack, as it is.
    func arrivingFolder() throws -> Directory { try made(Self.arriving) }

    /// The folder for what packs have of items that come back, as it is.
    func returningFolder() throws -> Directory { try made(Self.returning) }

    func removeReturning() throws { try made().removeTree(Self.returning) }

    /// The full path of that folder.
    var returningPath: String { device.full(path + "/" + Self.returning) }

    func removeIncoming() {
        for name in [Self.incoming, Self.arriving, Self.returning] { try? made().removeTree(name) }
    }

    /// The full path of the folder for what comes.
    var incomingPath: String { device.full(path + "/" + Self.incoming) }
}
