internal import Files
internal import Items
internal import JSONFormat
internal import Time

/// The files of an exchange folder. Objects are written first and the head last; each gets its name when it is complete
/// and on the disk.
final class ExchangeStore {
    let path: String
    private let root: Directory
    let library: ItemID
    /// If the exchange is in a cloud: the part of it that is here, in `root`.
    private let cloud: CloudCopy?
    /// Objects that are written and do not have their names yet: temporary names in objects/, by the path.
    private var waiting: [String: String] = [:]
    /// Objects that rclone said to have sent: paths in the exchange.
    private var sent: Set<String> = []

    /// Opens an exchange of a library.
    ///
    /// - Parameters:
    ///   - library: `nil` for that of any library.
    ///   - cloud: of an exchange in a cloud; `nil` for a folder.
    /// - Throws: `SyncError`, `FileError`.
    init(_ path: String, of library: ItemID?, _ cloud: CloudCopy? = nil) throws {
        self.path = path
        self.cloud = cloud
        if let cloud, try !cloud.bringRoot() { throw SyncError.noExchange(path: path) }
        do throws(FileError) {
            root = try Directory(path: cloud?.path ?? path)
        } catch {
            if error.isAbsent { throw SyncError.noExchange(path: path) }
            throw error
        }
        let id: ItemID
        do {
            id = try Self.library(in: root, path)
        } catch SyncError.malformed(let file) {
            // Perhaps only the copy of a cloud's file is damaged.
            guard let cloud else { throw SyncError.malformed(path: file) }
            cloud.remove([ExchangeLayout.file])
            if try !cloud.bringRoot() { throw SyncError.noExchange(path: path) }
            id = try Self.library(in: root, path)
        }
        if let library, id != library { throw SyncError.otherLibrary(path: path, id: id.description) }
        self.library = id
    }

    /// The library that an exchange says it is of.
    private static func library(in root: borrowing Directory, _ path: String) throws -> ItemID {
        guard
            let bytes = try root.contentsIfPresent(of: ExchangeLayout.file, limit: ExchangeLayout.fileByteLimit)?.bytes
        else {
            let hasHeads = try root.statusIfPresent(of: ExchangeLayout.heads) != nil
            throw hasHeads ? SyncError.noExchangeFile(path: path) : .noExchange(path: path)
        }
        guard let json = JSONReading(bytes), let format = json.count("format"), format > 0, let id = json.id("library")
        else { throw SyncError.malformed(path: path + "/" + ExchangeLayout.file) }
        if format > ExchangeLayout.format {
            throw SyncError.tooNew(path: path, format: format, supported: ExchangeLayout.format)
        }
        return id
    }

    /// Makes a folder the exchange of a library. Does nothing if it is that already.
    ///
    /// - Returns: whether it was made.
    /// - Throws: `SyncError.notEmpty` if the folder holds other files, `.noParent` if the folder around it is missing, `.notFolder` if a
    ///   file is in its place; the errors of opening if it is an exchange.
    static func create(_ path: String, of library: ItemID, _ cloud: CloudCopy?) throws -> Bool {
        guard let cloud else {
            try requireParent(of: path)
            return try create(path, of: library)
        }
        let names = try cloud.rclone.list("", ["--max-depth", "1"])?.map(\.path) ?? []
        if names.contains(ExchangeLayout.file) {
            _ = try ExchangeStore(path, of: library, cloud)
            return false
        }
        if let example = foreign(names) { throw SyncError.notEmpty(path: path, example: example) }
        cloud.remove([ExchangeLayout.file])
        _ = try create(cloud.path, of: library)
        try cloud.send([ExchangeLayout.file])
        return true
    }

    /// The folders of an exchange: it may have lost its exchange.json.
    private static let folders = [ExchangeLayout.objects, ExchangeLayout.heads]

    /// - Returns: the first name that is of no exchange.
    private static func foreign(_ names: [String]) -> String? {
        names.filter { !$0.hasPrefix(".") && !folders.contains($0) }.min()
    }

    /// Nothing replicates a folder that a mistyped name made, and what lies below an unmounted disk vanishes when it is mounted.
    private static func requireParent(of path: String) throws {
        let parts = path.pathComponents.filter { !$0.isEmpty }.dropLast()
        let parent = (path.hasPrefix("/") ? "/" : "./") + parts.joined(separator: "/")
        do throws(FileError) {
            _ = try Directory(path: parent)
        } catch {
            if error.isNoFolder { throw SyncError.notFolder(path: parent) }
            throw error.isAbsent ? SyncError.noParent(path: parent) : error
        }
    }

    /// Makes the folder if it is missing.
    private static func makeFolder(_ path: String) throws -> Directory {
        do throws(FileError) {
            try Directory.make(path: path)
            return try Directory(path: path)
        } catch {
            if error.isNoFolder { throw SyncError.notFolder(path: path) }
            throw error
        }
    }

    private static func create(_ path: String, of library: ItemID) throws -> Bool {
        let root = try makeFolder(path)
        let names = try root.entries().map(\.name.repaired)
        if names.contains(ExchangeLayout.file) {
            _ = try ExchangeStore(path, of: library)
            return false
        }
        if let example = foreign(names) { throw SyncError.notEmpty(path: path, example: example) }
        for folder in folders { try root.makeDirectory(folder) }
        let json = JSON.members([
            ("format", .integer(ExchangeLayout.format)), ("library", .string(library.description)),
        ])
        let temporary = ".\(ExchangeLayout.file)-\(UInt64.random(in: 1...UInt64.max))"
        try root.writeFile(temporary, json.file)
        try root.replace(temporary, to: root, as: ExchangeLayout.file)
        try root.sync()
        return true
    }

    // MARK: Heads

    /// The heads that are there, by their devices.
    func heads() throws -> [ItemID: [UInt8]] {
        if let cloud, try cloud.bringHeads() {
            // Somebody may have put another library's exchange there.
            let id = try Self.library(in: root, path)
            if id != library { throw SyncError.otherLibrary(path: path, id: id.description) }
        }
        var heads: [ItemID: [UInt8]] = [:]
        guard try root.statusIfPresent(of: ExchangeLayout.heads)?.kind == .directory else { return heads }
        let folder = try root.directory(ExchangeLayout.heads)
        for entry in try folder.entries() {
            guard let name = entry.name.string, let device = ExchangeLayout.device(ofHead: name) else { continue }
            // A folder in the place of one, or one that is too large or cannot be read is no head, and is named as such.
            heads[device] = (try? folder.contents(of: name, limit: ExchangeLayout.headByteLimit))?.bytes ?? []
        }
        return heads
    }

    /// Whether permissions let a head be read.
    func mayReadHead(of device: ItemID) -> Bool {
        do throws(FileError) {
            _ = try root.fileIfPresent(ExchangeLayout.head(device))
            return true
        } catch {
            return !error.isDenied
        }
    }

    /// The head of a device with all its packs.
    ///
    /// - Parameter known: packs of the device in their order, as far as this device knows: lists of them are not read.
    /// - Throws: `ExchangeHead.Refusal`; what concerns more than this head.
    func head(
        _ bytes: [UInt8], of device: ItemID, knowing known: [Items.ContentHash]
    ) throws -> ExchangeHead {
        var head = try ExchangeHead(bytes, of: device, in: library)
        if head.lists.isEmpty { return head }
        let known = PackLists.byName(of: known)
        let missing = head.lists.filter { known[$0] == nil }
        try bring(missing.map { ExchangeLayout.object($0, .raw) })
        var packs: [Items.ContentHash] = []
        for name in head.lists { packs += try known[name].map(Array.init) ?? list(name) }
        head.takeLists(packs)
        return head
    }

    private func list(_ name: Items.ContentHash) throws -> [Items.ContentHash] {
        var reason = SyncReport.Reason.notHereYet
        guard try object(name, .raw, &reason) != nil else { throw ExchangeHead.Refusal.lacks(list: name, reason) }
        let path = ExchangeLayout.object(name, .raw)
        guard let bytes = (try? root.contentsIfPresent(of: path, limit: PackLists.byteLimit)) ?? nil,
            Items.ContentHash(of: bytes.bytes) == name, let packs = PackLists.packs(in: bytes.bytes)
        else { throw ExchangeHead.Refusal.lacks(list: name, .damaged("")) }
        return packs
    }

    /// When a head was written last, as its file says; 1970 if it is gone.
    func headTime(_ device: ItemID) -> Timestamp {
        if let cloud { return cloud.listed[device]?.time ?? Timestamp(nanoseconds: 0) }
        let status = (try? root.statusIfPresent(of: ExchangeLayout.head(device))) ?? nil
        return Timestamp(nanoseconds: status?.modified ?? 0)
    }

    /// Replaces a head, durably. All objects must have their names before.
    func write(_ bytes: [UInt8], ofHead device: ItemID) throws {
        try root.makeDirectory(ExchangeLayout.heads)
        let folder = try root.directory(ExchangeLayout.heads)
        let temporary = ".\(device)-\(UInt64.random(in: 1...UInt64.max))"
        do {
            try folder.writeFile(temporary, bytes)
            // An empty folder in its place holds nothing.
            if try folder.statusIfPresent(of: "\(device).json")?.kind == .directory {
                try folder.removeDirectory("\(device).json")
            }
            try folder.replace(temporary, to: folder, as: "\(device).json")
        } catch {
            try? folder.removeFile(temporary)
            throw error
        }
        try folder.sync()
        try cloud?.sendHead(ExchangeLayout.head(device))
    }

    /// Whether a head that was written is there. rclone's word is not enough.
    func hasHead(_ device: ItemID) throws -> Bool { try cloud?.lists(device) ?? true }

    /// Objects that this run sent and that the cloud does not list: paths in the exchange, sorted.
    func unlisted() throws -> [String] {
        var paths = sent
        if !paths.isEmpty { try forEachObject { hash, form, _ in paths.remove(ExchangeLayout.object(hash, form)) } }
        return paths.sorted()
    }

    /// Removes the copy of a head that a cloud did not take: the next sync brings the one that is there.
    func forgetSentHead(_ device: ItemID) {
        if cloud != nil { try? root.removeFile(ExchangeLayout.head(device)) }
    }

    func removeHead(_ device: ItemID) throws {
        try cloud?.delete([ExchangeLayout.head(device)])
        let folder = try root.directory(ExchangeLayout.heads)
        try folder.removeFile("\(device).json")
        try folder.sync()
    }

    // MARK: Reading objects

    /// Whether it is in a cloud.
    var isCloud: Bool { cloud != nil }

    /// An object's file.
    ///
    /// - Parameter reason: why there is none.
    /// - Returns: `nil` if it is not there or cannot be opened.
    /// - Throws: what concerns more than this object.
    func object(
        _ hash: Items.ContentHash, _ form: ExchangeLayout.Form, _ reason: inout SyncReport.Reason
    ) throws -> Descriptor? {
        reason = .notHereYet
        let path = ExchangeLayout.object(hash, form)
        try cloud?.bring([path])
        do throws(FileError) {
            if let file = try root.fileIfPresent(path) { return file }
            if let why = cloud?.failures[path] { reason = .damaged(why) }
            return nil
        } catch {
            // A link, a FIFO or a folder in its place: the object is not here.
            if error.isEscape || error.isNoFile { return nil }
            guard error.concernsOneFile else { throw error }
            reason = .damaged(error.description)
            return nil
        }
    }

    /// Brings objects of a cloud at once, each of which `object` would bring alone.
    func bring(_ paths: [String]) throws { try cloud?.bring(paths) }

    /// Whether a cloud's listings answer and do not have an object that did not come. A program that brings nothing and names no error
    /// proves nothing.
    ///
    /// - Throws: `SyncError` if the listings cannot be read.
    func isCertainlyAbsent(_ path: String) throws -> Bool {
        if cloud == nil { return true }
        _ = try heads()
        var isListed = false
        try forEachObject { hash, form, _ in
            if ExchangeLayout.object(hash, form) == path { isListed = true }
        }
        return !isListed
    }

    /// Removes all copies of a cloud's objects.
    func removeCopies() { cloud?.removeObjects() }

    /// Removes copies of a cloud's objects.
    func forgetCopies(_ paths: [String]) { cloud?.remove(paths) }

    /// The number of bytes of an object's file; `nil` if it is not there, also if it waits for its name.
    func byteCount(_ hash: Items.ContentHash, _ form: ExchangeLayout.Form) throws(FileError) -> Int? {
        try root.statusIfPresent(of: ExchangeLayout.object(hash, form))?.byteCount
    }

    /// Whether all of these packs are there, as far as names tell.
    func holds(_ packs: some Collection<Items.ContentHash>) throws -> Bool {
        if packs.isEmpty { return true }
        if cloud == nil { return try packs.allSatisfy { try byteCount($0, .tar) != nil } }
        var there: Set<Items.ContentHash> = []
        try forEachObject { hash, form, _ in if form == .tar { there.insert(hash) } }
        return packs.allSatisfy(there.contains)
    }

    /// Calls `body` with every object's file.
    func forEachObject(_ body: (Items.ContentHash, ExchangeLayout.Form, _ byteCount: Int) throws -> Void) throws {
        if let cloud {
            for entry in try cloud.objects() {
                let parts = entry.path.pathComponents
                guard parts.count == 2, Layout.isShard(parts[0]), parts[1].hasPrefix(parts[0]),
                    let (hash, form) = ExchangeLayout.object(named: parts[1])
                else { continue }
                try body(hash, form, entry.byteCount)
            }
            return
        }
        guard try root.statusIfPresent(of: ExchangeLayout.objects)?.kind == .directory else { return }
        let objects = try root.directory(ExchangeLayout.objects)
        for shard in try objects.entries() where shard.kind == .directory {
            guard let name = shard.name.string, Layout.isShard(name) else { continue }
            let folder = try objects.directory(name)
            for entry in try folder.entries() where entry.kind == .regular {
                guard let file = entry.name.string, let (hash, form) = ExchangeLayout.object(named: file),
                    file.hasPrefix(name), let status = try folder.statusIfPresent(of: file)
                else { continue }
                try body(hash, form, status.byteCount)
            }
        }
    }

    func removeObjects(_ objects: [(Items.ContentHash, ExchangeLayout.Form)]) throws {
        let paths = objects.map { ExchangeLayout.object($0.0, $0.1) }
        if let cloud { return try cloud.delete(paths) }
        for path in paths {
            let parts = path.pathComponents
            try root.directory(parts[0] + "/" + parts[1]).removeFile(parts[2])
        }
    }

    // MARK: Writing objects

    private func objects() throws(FileError) -> Directory {
        try root.makeDirectory(ExchangeLayout.objects)
        return try root.directory(ExchangeLayout.objects)
    }

    /// The folder for objects that have no names yet.
    ///
    /// - Parameter device: the one that writes, which later removes what it left.
    func newObjects(by device: ItemID) throws(FileError) -> NewObjects { NewObjects(in: try objects(), by: device) }

    /// Whether an object is there, or waits for its name.
    func has(_ hash: Items.ContentHash, _ form: ExchangeLayout.Form) throws -> Bool {
        let path = ExchangeLayout.object(hash, form)
        return try waiting[path] != nil || root.statusIfPresent(of: path) != nil
    }

    /// Lets an object wait for its name. It gets it from `place`.
    ///
    /// - Returns: whether it waits; `false` if another one with its name does, and it was removed.
    @discardableResult
    func keep(_ object: WrittenObject) -> Bool {
        let path = ExchangeLayout.object(object.hash, object.form)
        if waiting[path] != nil {
            discard(object)
            return false
        }
        waiting[path] = object.temporaryName
        return true
    }

    /// Removes an object that is not needed.
    func discard(_ object: WrittenObject) { try? objects().removeFile(object.temporaryName) }

    /// Gives all objects that wait their names, durably.
    ///
    /// - Parameters:
    ///   - replacing: whether they take the place of damaged ones of the same size.
    ///   - pack: one that does so in any case.
    func place(replacing: Bool = false, pack: Items.ContentHash? = nil) throws {
        if waiting.isEmpty { return }
        let objects = try objects()
        try objects.syncFileSystem()
        var shards: Set<String> = []
        for (path, temporary) in waiting {
            let parts = path.pathComponents
            if shards.insert(parts[1]).inserted { try objects.makeDirectory(parts[1]) }
            try objects.replace(temporary, to: objects.directory(parts[1]), as: parts[2])
        }
        let paths = waiting.keys.sorted()
        waiting = [:]
        for shard in shards.sorted() { try objects.directory(shard).sync() }
        try objects.sync()
        try root.sync()
        if let cloud {
            let pack = pack.map { ExchangeLayout.object($0, .tar) }
            try cloud.send(paths.filter { $0 != pack }, replacing: replacing)
            if let pack { try cloud.send([pack], replacing: true) }
            sent.formUnion(paths)
            cloud.removeObjects()
        }
    }

    /// Removes files of this device that never got their names: of a sync that was killed.
    func removeLeftovers(of device: ItemID) {
        cloud?.removeLeftovers()
        for name in [ExchangeLayout.objects, ExchangeLayout.heads] {
            guard let folder = try? root.directory(name), let entries = try? folder.entries() else { continue }
            for entry in entries where entry.kind == .regular {
                if let name = entry.name.string, name.hasPrefix(".\(device)-") { try? folder.removeFile(name) }
            }
        }
        waiting = [:]
    }
}
