internal import Characters
internal import Files
internal import Items
internal import JSONFormat
internal import Time

/// What this device knew last of an item with versions: the file `.sbfs/known/<shard>/<id>`. DeviceFiles.md § D10.
///
/// None of it travels. If it is lost, the parent of later changes is a guess that errs towards keeping.
struct KnownState {
    /// Bytes that no version explains yet.
    struct Waiting {
        let component: Component
        let hash: Items.ContentHash
        /// When they were first seen.
        var since: Timestamp
        /// How often they were looked at.
        var sweeps: Int
        /// Milliseconds since 1970.
        let modified: Int64
        /// Whether a conflict copy has them.
        var isCopy = false
        /// The last state that was known when they were first seen, if they are of a document that came without its folder a moment before.
        var putOn: Items.ContentHash?
    }

    /// A version that lacks its text or a version that it came from.
    struct WaitingVersion {
        let name: Items.ContentHash
        var since: Timestamp
        var sweeps: Int
    }

    /// What tells a file in document/ again under another name.
    struct Beside: Hashable {
        let inode: UInt64
        /// Nanoseconds since 1970.
        let modified: Int64
    }

    /// The version of the last state known here.
    var at: Items.ContentHash?
    /// The version that `at` comes from, while nobody knows whether `at` was written: the program may have been killed, or the
    /// machine may have lost its power. It counts in the place of `at` if history/ lacks `at`.
    var from: Items.ContentHash?
    /// The files of the page and the document as they were hashed last.
    var files: [KnownFile] = []
    /// item.json and text.md as they were read last: one with the same status and other bytes was damaged by the disk.
    fileprivate(set) var small: [KnownFile] = []
    /// When `small` was read: nanoseconds since 1970.
    fileprivate(set) var noted: Int64 = 0
    var waiting: [Waiting] = []
    var versions: [WaitingVersion] = []
    /// What was left live though it is not of the last state known.
    var showing: [Component: Items.ContentHash] = [:]
    /// Lost documents, beside the winner: paths relative to the item's folder, sorted.
    var lost: [String] = []
    /// Conflicts that were there at the last look: their names in conflicts/, sorted.
    var conflicts: [String] = []
    /// Other files in document/ at the last look: one that is the document now was put there by a person.
    var beside: Set<Beside> = []
    /// Whether `showing` was found when this device looked at the item for the first time.
    var isNew = false

    /// Remembers item.json and text.md as they were read now.
    mutating func noteSmall(_ files: [KnownFile]) {
        small = files
        noted = Timestamp.now.milliseconds * 1_000_000
    }

    /// The files of `small` that had not changed for an hour when they were read. A program that writes through memory leaves the time of
    /// its first write until the kernel writes the page, and some file systems know whole seconds: of a file that changed a
    /// moment before, equal times tell nothing.
    var settledFiles: [KnownFile] {
        let hour: Int64 = 3_600_000_000_000
        return small.filter { noted - max($0.modified, $0.changed) > hour }
    }

    /// Whether the item has to be looked at again though no file changed.
    func isUnsettled(now: Timestamp) -> Bool {
        !waiting.isEmpty || !showing.isEmpty || waited(now: now).count < versions.count
    }

    /// Whether something that is live, or was, waits.
    var isHolding: Bool { waiting.contains { !$0.isCopy } }

    /// Sweeps that bytes wait for a version that explains them, beside the day.
    private static let sweepCount = 3
    private static let daySeconds: Int64 = 86_400
    private static let versionSeconds: Int64 = 30 * 86_400

    // MARK: Waiting

    /// The state that a document with these bytes was put on, if it waits as one that came without its folder.
    func putOn(_ hash: Items.ContentHash?) -> Items.ContentHash? {
        waiting.lazy.filter { $0.component == .document && $0.hash == hash }.compactMap(\.putOn).first
    }

    /// Counts a sweep for bytes that wait.
    ///
    /// - Returns: whether they waited for three sweeps and a day.
    mutating func waits(
        _ component: Component, _ hash: Items.ContentHash, modified: Int64, isCopy: Bool,
        putOn: Items.ContentHash? = nil,
        now: Timestamp
    ) -> Bool {
        let place: Int
        if let known = waiting.firstIndex(where: { $0.component == component && $0.hash == hash }) {
            place = known
        } else {
            place = waiting.count
            waiting.append(.init(component: component, hash: hash, since: now, sweeps: 0, modified: modified))
        }
        waiting[place].isCopy = isCopy
        waiting[place].putOn = putOn.map { waiting[place].putOn ?? $0 }
        waiting[place].sweeps += 1
        waiting[place].since = min(waiting[place].since, now)
        return waiting[place].sweeps > Self.sweepCount
            && waiting[place].since.adding(seconds: Self.daySeconds) <= now
    }

    /// Counts a sweep for the versions that wait. Those that waited long enough count from then on; forgets the others.
    mutating func waits(for names: [Items.ContentHash], now: Timestamp) {
        let waited = waited(now: now)
        versions =
            versions.filter { waited.contains($0.name) }
            + names.filter { !waited.contains($0) }.map { name in
                var known = versions.first { $0.name == name } ?? WaitingVersion(name: name, since: now, sweeps: 0)
                known.sweeps += 1
                known.since = min(known.since, now)
                return known
            }
    }

    /// Versions that need not wait any longer.
    func waited(now: Timestamp) -> Set<Items.ContentHash> {
        Set(
            versions.filter {
                $0.sweeps > Self.sweepCount && $0.since.adding(seconds: Self.versionSeconds) <= now
            }.map(\.name))
    }
}

/// The folder `.sbfs/known`.
final class KnownStates: Sendable {
    /// `.sbfs`; `known` in it is made with the first file.
    let directory: Directory

    /// - Returns: `nil` if the library cannot be written.
    init?(_ store: ItemStore) {
        guard let directory = try? store.device?.directory.duplicate() else { return nil }
        self.directory = directory
    }

    /// For reading alone. Nothing is known in a library that cannot be written.
    init(reading store: ItemStore) throws(ItemError) {
        do throws(FileError) {
            if let device = store.device {
                directory = try device.directory.duplicate()
            } else {
                directory = try store.root.duplicate()
            }
        } catch {
            throw .file(error)
        }
    }

    private func path(_ id: ItemID) -> String { "\(Layout.known)/\(id.shard)/\(id)" }

    private static let byteLimit = 16 << 20

    /// What was known last; nothing if the file is missing or damaged.
    func read(_ id: ItemID) -> KnownState {
        var state = KnownState()
        guard
            let bytes = (try? directory.contentsIfPresent(of: path(id), limit: Self.byteLimit))??.bytes,
            let json = try? JSONDocument(parsing: bytes)
        else { return state }
        let root = Fields(json: json, value: json.root)
        state.at = root.hash("at")
        state.from = root.hash("from")
        state.files = root.list("files").compactMap(\.knownFile)
        state.small = root.list("small").compactMap(\.knownFile)
        state.noted = root.number("noted") ?? 0
        state.waiting = root.list("waiting").compactMap(\.waiting)
        state.versions = root.list("versions").compactMap(\.waitingVersion)
        for showing in root.list("showing") {
            if let component = showing.component, let hash = showing.hash("sha256") { state.showing[component] = hash }
        }
        state.lost = root.strings("lost")
        state.conflicts = root.strings("conflicts").filter { Directory.isSafe($0) && !$0.contains("/") }
        state.beside = Set(root.list("beside").compactMap(\.beside))
        state.isNew = json.member("new", of: json.root) != nil
        return state
    }

    /// Writes what is known now. Not synced.
    func write(_ state: KnownState, of id: ItemID) throws(FileError) {
        func files(_ known: KnownFile) -> JSON {
            JSON.members([
                ("path", .string(known.file.path)), ("sha256", .string(known.file.sha256.hex)),
                ("size", .integer(known.file.size)), ("modified", .string(String(known.modified))),
                ("changed", .string(String(known.changed))), ("inode", .string(String(known.inode))),
                ("written", known.written.map { .string(String($0)) }),
            ])
        }
        let waiting = state.waiting.map { waiting in
            JSON.members([
                ("component", .string(waiting.component.word)), ("sha256", .string(waiting.hash.hex)),
                ("since", .string(waiting.since.rfc3339)), ("sweeps", .integer(waiting.sweeps)),
                ("modified", .string(String(waiting.modified))), ("copy", waiting.isCopy ? .bool(true) : nil),
                ("putOn", waiting.putOn.map { .string($0.hex) }),
            ])
        }
        let versions = state.versions.map { version in
            JSON.members([
                ("name", .string(version.name.hex)), ("since", .string(version.since.rfc3339)),
                ("sweeps", .integer(version.sweeps)),
            ])
        }
        let showing = state.showing.sorted { $0.key.rawValue < $1.key.rawValue }.map { component, hash in
            JSON.members([("component", .string(component.word)), ("sha256", .string(hash.hex))])
        }
        let beside = state.beside.sorted { ($0.inode, $0.modified) < ($1.inode, $1.modified) }.map { file in
            JSON.members([("inode", .string(String(file.inode))), ("modified", .string(String(file.modified)))])
        }
        func list(_ values: [JSON]) -> JSON? { values.isEmpty ? nil : .array(values) }
        let bytes = JSONWriter.file(
            .members([
                ("at", state.at.map { .string($0.hex) }), ("from", state.from.map { .string($0.hex) }),
                ("files", list(state.files.map(files))), ("small", list(state.small.map(files))),
                ("noted", state.small.isEmpty ? nil : .string(String(state.noted))),
                ("waiting", list(waiting)),
                ("versions", list(versions)), ("showing", list(showing)),
                ("lost", list(state.lost.map(JSON.string))),
                ("conflicts", list(state.conflicts.map(JSON.string))),
                ("beside", list(beside)),
                ("new", state.isNew && !showing.isEmpty ? .bool(true) : nil),
            ]))
        let shard = try self.shard(of: id)
        do throws(FileError) {
            // A torn file counts as none.
            let file = try shard.createFile(id.description, permissions: 0o600)
            try file.write(bytes)
            file.beginWriting()
        } catch let error where error.isTaken {
            try shard.replaceFile(id.description, with: bytes)
        }
    }

    /// Says that a version of what is live here is about to be written. The next look takes it for the last state known, if it was
    /// written: otherwise the next save would seem to come from `parent`, and be a conflict with this one.
    ///
    /// What cannot be written stops nothing: the version matters more.
    ///
    /// - Parameter known: what else is known.
    func foresee(_ version: Items.ContentHash, on parent: Items.ContentHash, of id: ItemID, _ known: KnownState) {
        var state = known
        state.at = version
        state.from = parent
        try? write(state, of: id)
    }

    /// Says that what was foreseen was written: what changes from now on is later than the file.
    func confirm(_ id: ItemID) { try? directory.touch(path(id)) }

    /// Whether something of an item may have changed since it was last looked at: the time of change of a file, which no
    /// program can set back, is later.
    ///
    /// - Parameter document: its path relative to the item's folder; `nil` without one.
    func isBehind(_ id: ItemID, in folder: String, document: String?, _ store: ItemStore) -> Bool {
        let files =
            [Layout.itemFile, Layout.textFile, Layout.pageFile, Layout.readerFile] + (document.map { [$0] } ?? [])
        return hasNews(id, in: folder, store) || isOlder(id, than: files.map { folder + "/" + $0 }, store)
    }

    /// Whether something came to an item's folder, or to its history/ or conflicts/, since it was last looked at.
    func hasNews(_ id: ItemID, in folder: String, _ store: ItemStore) -> Bool {
        isOlder(id, than: [folder] + [Layout.history, Layout.conflicts].map { folder + "/" + $0 }, store)
    }

    /// Whether one of these changed after what is known of an item was written; true if nothing is known.
    private func isOlder(_ id: ItemID, than paths: [String], _ store: ItemStore) -> Bool {
        guard let seen = try? directory.statusIfPresent(of: path(id)) else { return true }
        return paths.contains { path in
            let there = (try? store.root.statusIfPresent(of: path)) ?? nil
            return there.map { $0.changed > seen.changed } ?? false
        }
    }

    // MARK: Bytes that wait

    /// Keeps the bytes of item.json or text.md while they wait. Durable when this returns.
    func keep(_ bytes: [UInt8], _ hash: Items.ContentHash, of id: ItemID) throws(FileError) {
        let shard = try shard(of: id)
        let name = "\(id).\(hash.hex)"
        if try shard.statusIfPresent(of: name)?.byteCount == bytes.count { return }
        try shard.writeFile(name, bytes, permissions: 0o600)
        try shard.sync()
    }

    /// Bytes that `keep` kept; `nil` if they are not here.
    func kept(_ hash: Items.ContentHash, of id: ItemID) -> [UInt8]? {
        return (try? directory.contentsIfPresent(of: "\(path(id)).\(hash.hex)", limit: Layout.textByteLimit))??.bytes
    }

    /// Removes bytes that wait no longer.
    func drop(_ hash: Items.ContentHash, of id: ItemID) {
        try? directory.directory(Layout.known + "/" + id.shard).removeFile("\(id).\(hash.hex)")
    }

    func shard(of id: ItemID) throws(FileError) -> Directory {
        try directory.makeDirectory(Layout.known, permissions: 0o700)
        let known = try directory.directory(Layout.known)
        try known.makeDirectory(id.shard, permissions: 0o700)
        return try known.directory(id.shard)
    }

    /// An object of the file.
    private struct Fields {
        let json: JSONDocument
        let value: JSONDocument.Value

        func text(_ key: String) -> String? { json.member(key, of: value).flatMap { json.string($0) } }
        func number(_ key: String) -> Int64? { text(key).flatMap { Int64($0) } }
        func count(_ key: String) -> Int? { json.member(key, of: value).flatMap { json.count($0) } }
        func time(_ key: String) -> Timestamp? { text(key).flatMap { Timestamp($0) } }
        func hash(_ key: String) -> Items.ContentHash? { text(key).flatMap { Items.ContentHash(hex: $0.utf8) } }
        func list(_ key: String) -> [Fields] {
            guard let list = json.member(key, of: value), json.kind(list) == .array else { return [] }
            return json.elements(list).filter { json.kind($0) == .object }.map { Fields(json: json, value: $0) }
        }

        func strings(_ key: String) -> [String] {
            guard let list = json.member(key, of: value), json.kind(list) == .array else { return [] }
            return json.elements(list).compactMap { json.string($0) }
        }

        var component: Component? { text("component").flatMap { Component(word: $0) } }

        var knownFile: KnownFile? {
            guard let path = text("path"), let hash = hash("sha256"), let size = count("size"),
                let modified = number("modified"), let changed = number("changed"),
                let inode = text("inode").flatMap({ UInt64($0) })
            else { return nil }
            return KnownFile(
                file: Version.File(path: path, sha256: hash, size: size), modified: modified, changed: changed,
                inode: inode, written: number("written"))
        }

        var beside: KnownState.Beside? {
            guard let inode = text("inode").flatMap({ UInt64($0) }), let modified = number("modified") else {
                return nil
            }
            return .init(inode: inode, modified: modified)
        }

        var waiting: KnownState.Waiting? {
            guard let component, let hash = hash("sha256"), let since = time("since"), let sweeps = count("sweeps"),
                let modified = number("modified")
            else { return nil }
            return .init(
                component: component, hash: hash, since: since, sweeps: sweeps, modified: modified,
                isCopy: json.member("copy", of: value) != nil, putOn: self.hash("putOn"))
        }

        var waitingVersion: KnownState.WaitingVersion? {
            guard let name = hash("name"), let since = time("since"), let sweeps = count("sweeps") else { return nil }
            return .init(name: name, since: since, sweeps: sweeps)
        }
    }
}

extension Component {
    /// The word in `.sbfs/known`.
    fileprivate var word: String {
        switch self {
        case .item: "item"
        case .text: "text"
        case .page: "page"
        case .document: "document"
        }
    }

    fileprivate init?(word: String) {
        guard let component = Component.allCases.first(where: { $0.word == word }) else { return nil }
        self = component
    }
}
