internal import Files
internal import Items
internal import JSONFormat

/// Writes what is here and not in the exchange: objects, then a pack, then the head.
extension SyncRun {
    /// A pack ends with the item that exceeds one of these: so many items, bytes of its own, and bytes of objects.
    private static let packItemLimit = 2_000
    private static let packByteLimit = 32 << 20
    private static let objectByteLimit = 256 << 20

    /// A pack that is being written.
    final class OpenPack {
        let packer: BundlePacker
        let object: ExchangeStore.NewObject
        var states: [(state: PackedState, look: UInt64)] = []
        var besides: [String: Items.ContentHash] = [:]
        var byteCount = 0
        var objectByteCount = 0

        init(_ packer: BundlePacker, _ object: ExchangeStore.NewObject) {
            self.packer = packer
            self.object = object
        }
    }

    /// An item whose look is not the one that the exchange has.
    struct Candidate: Sendable {
        let id: ItemID
        let folder: String
        let look: UInt64
        /// The bytes of its files, but for those in closed folders.
        let byteCount: Int
    }

    func send() throws {
        let candidates = try candidates()
        let besides = try changedBesides()
        var pack: OpenPack?
        let bundler = LazyPacker(try worker(), monitor)
        if !besides.isEmpty {
            let new = try begin(besides)
            pack = new
        }
        for (count, candidate) in candidates.enumerated() {
            try monitor.check()
            monitor.show(count, of: candidates.count)
            if state(of: candidate.id) == nil, !isChosen(candidate) { continue }
            guard let found = try found(candidate) else { continue }
            if !found.state.leftOut.isEmpty { memory.leftOut.append((candidate.id, found.state.leftOut)) }
            let last = state(of: candidate.id)
            if known(of: candidate.id)?.content == found.state.contentHash, !isBackHere(found, last) {
                remember(found.state, look: candidate.look, bundlesOf: last)
                continue
            }
            let current = try pack ?? begin([])
            pack = current
            guard let state = try writeObjects(withAway(found), last, candidate.folder, bundler, current) else {
                continue
            }
            try add(found, state, last, to: current)
            current.states.append((state, candidate.look))
            if current.states.count >= Self.packItemLimit || current.byteCount >= Self.packByteLimit
                || current.objectByteCount >= Self.objectByteLimit
            {
                try finish(current)
                pack = nil
            }
        }
        if let pack { try finish(pack) }
    }

    // MARK: What changed

    /// Items that look as if they changed since the exchange got them, in order of their shards.
    func candidates() throws -> [Candidate] {
        var all: [Candidate] = []
        for name in try store.shards().names {
            try monitor.check()
            let ids = try store.shard(name).ids
            let root = try store.root.duplicate()
            let shared = SharedFolder(root)
            let looks = try Workers.map(ids, pieceSize: 64) { id in
                try FolderLook.look(of: Layout.items + "/" + name + "/" + id.description, in: shared.directory)
            }
            for (id, look) in zip(ids, looks) {
                guard let look, known(of: id)?.look != look.look else { continue }
                // The folder in the item's own shard counts.
                let folder = Layout.items + "/" + name + "/" + id.description
                if name != id.shard, try store.folders(of: id).first != folder { continue }
                all.append(Candidate(id: id, folder: folder, look: look.look, byteCount: look.byteCount))
            }
        }
        return all
    }

    private func found(_ candidate: Candidate) throws -> StateReading.Found? {
        do throws(ItemError) {
            guard let found = try reading.read(candidate.id, in: candidate.folder, last: state(of: candidate.id)) else {
                report.unreadable.append(candidate.id)
                return nil
            }
            // A program is writing the item: the next sync takes all of it.
            guard let look = (try? FolderLook.look(of: candidate.folder, in: store.root)) ?? nil,
                look.look == candidate.look
            else { return nil }
            return found
        } catch {
            // It travels once it can be read.
            report.unreadable.append(candidate.id)
            return nil
        }
    }

    /// Remembers an item that looks different and is as the exchange has it.
    private func remember(_ state: PackedState, look: UInt64, bundlesOf last: PackedState?) {
        var state = state
        if let last { state.bundles = last.bundles }
        remember(state, look: look)
    }

    /// Tombstones and small files that the exchange does not have as they are here.
    func changedBesides() throws -> [(path: String, bytes: [UInt8], modified: Int64)] {
        var paths = try store.tombstoneIDs().sorted().map(Layout.tombstone)
        for folder in NamedFolder.allCases {
            paths += try store.names(in: folder.path).filter { $0.hasSuffix(".json") && !Layout.isTemporary($0) }
                .sorted().map { folder.path + "/" + $0 }
        }
        var changed: [(path: String, bytes: [UInt8], modified: Int64)] = []
        for path in paths {
            // A file that cannot be read now travels later.
            guard let contents = (try? store.root.contentsIfPresent(of: path, limit: Tombstone.byteLimit)) ?? nil,
                besides[path] != Items.ContentHash(of: contents.bytes)
            else { continue }
            changed.append((path, contents.bytes, contents.status.modified))
        }
        return changed
    }

    /// Whether an item that the exchange does not have is of the collection to which it is limited.
    private func isChosen(_ candidate: Candidate) -> Bool {
        guard let wanted = folder.collection?.lowercased() else { return true }
        guard let item = (try? store.item(candidate.id, in: candidate.folder)) ?? nil else { return false }
        return item.item.collections.contains { name in
            let name = name.lowercased()
            return name == wanted || name.hasPrefix(wanted + "/")
        }
    }

    // MARK: Packs

    private func begin(_ besides: [(path: String, bytes: [UInt8], modified: Int64)]) throws -> OpenPack {
        let object = try exchange.newObject(by: memory.device)
        let pack = OpenPack(try BundlePacker(worker(), monitor), object)
        pack.packer.begin { try object.write($0) }
        var header = PackHeader(library: store.settings.id)
        header.after = memory.taken.sorted { $0.key < $1.key }.compactMap(\.value.last)
        if let last = memory.packs.last { header.after.append(last) }
        header.besides = besides.map { .init(path: $0.path, modified: $0.modified) }
        try pack.packer.file(ExchangeLayout.packFile, header.bytes)
        for file in besides {
            try pack.packer.file(file.path, file.bytes)
            pack.besides[file.path] = Items.ContentHash(of: file.bytes)
        }
        return pack
    }

    /// Adds an item's state, its item.json and text.md, and what of history/ and conflicts/ the exchange lacks.
    private func add(
        _ found: StateReading.Found, _ state: PackedState, _ last: PackedState?, to pack: OpenPack
    ) throws {
        let folder = Layout.itemFolder(state.id)
        var files = [(ExchangeLayout.state(state.id), state.json.file), (folder + "/" + Layout.itemFile, found.item)]
        if let text = found.text { files.append((folder + "/" + Layout.textFile, text)) }
        for (name, new) in [
            (Layout.history, Set(state.history).subtracting(last?.history ?? [])),
            (Layout.conflicts, Set(state.conflicts).subtracting(last?.conflicts ?? [])),
        ] {
            for file in new.sorted() {
                let path = found.folder + "/" + name + "/" + file
                // One that vanished meanwhile is not needed: a conflict was resolved.
                guard let contents = try store.root.contentsIfPresent(of: path, limit: Version.byteLimit) else {
                    continue
                }
                files.append((folder + "/" + name + "/" + file, contents.bytes))
            }
        }
        for (path, bytes) in files {
            try pack.packer.file(path, bytes)
            pack.byteCount += bytes.count
        }
    }

    /// Ends a pack, gives all objects their names, and names the pack in the head.
    private func finish(_ pack: OpenPack) throws {
        let sum = try pack.packer.end()
        guard let name = Items.ContentHash(hex: sum.sha256.utf8) else { return }
        exchange.keep(pack.object, as: name, .tar)
        report.sentObjectCount += 1
        report.sentByteCount += pack.object.byteCount
        try exchange.place()
        memory.packs.append(name)
        try writeHead()
        for (state, look) in pack.states {
            remember(state, look: look)
            report.sent.append(state.id)
        }
        besides.merge(pack.besides) { $1 }
        try saveKnown()
    }

    // MARK: Objects

    /// Writes the objects of an item that the exchange lacks.
    ///
    /// - Returns: the state with the names of its bundles; `nil` if a file changed meanwhile: the next sync takes the item.
    private func writeObjects(
        _ state: PackedState, _ last: PackedState?, _ folder: String, _ bundler: LazyPacker, _ pack: OpenPack
    ) throws -> PackedState? {
        var state = state
        let left = Set(state.leftOut.map(\.path))
        for file in state.files where PackedState.bundle(of: file.path) == nil && !left.contains(file.path) {
            // What a state names is never deleted, and a cloud would be asked about each file.
            if exchange.isCloud, last?.files.contains(where: { $0.sha256 == file.sha256 }) == true { continue }
            if try exchange.byteCount(file.sha256, .raw) == file.size { continue }
            guard try copy(file, folder, pack) else { return nil }
        }
        let have = Set(state.bundles.map(\.folder))
        for bundle in Set(state.files.compactMap { PackedState.bundle(of: $0.path) }).sorted()
        where !left.contains(bundle) && !have.contains(bundle) {
            guard let name = try writeBundle(bundle, of: state, folder, bundler, pack) else { return nil }
            state.bundles.append(.init(folder: bundle, sha256: name))
        }
        state.bundles.sort { $0.folder.utf8.lexicographicallyPrecedes($1.folder.utf8) }
        return state
    }

    /// - Returns: whether the file had the bytes that the state says.
    func copy(_ file: PackedState.File, _ folder: String, _ pack: OpenPack?) throws -> Bool {
        guard let source = try source(folder + "/" + file.path) else { return false }
        let object = try exchange.newObject(by: memory.device)
        var hash = SHA256()
        do {
            while true {
                try monitor.check()
                let chunk = try source.descriptor.readChunk(1 << 20)
                if chunk.isEmpty { break }
                hash.update(chunk)
                try object.write(chunk)
            }
        } catch {
            exchange.discard(object)
            throw error
        }
        if hash.finish() != file.sha256.hex {
            exchange.discard(object)
            return false
        }
        exchange.keep(object, as: file.sha256, .raw)
        count(object, pack)
        return true
    }

    /// - Returns: `nil` if a file changed meanwhile.
    func writeBundle(
        _ bundle: String, of state: PackedState, _ folder: String, _ bundler: LazyPacker, _ pack: OpenPack?
    ) throws -> Items.ContentHash? {
        let packer = try bundler.packer()
        let object = try exchange.newObject(by: memory.device)
        let prefix = bundle.isEmpty ? 0 : bundle.utf8.count + 1
        packer.begin { try object.write($0) }
        var isWhole = true
        do {
            for file in state.files(ofBundle: bundle) where isWhole {
                guard let source = try source(folder + "/" + file.path) else {
                    isWhole = false
                    continue
                }
                var hash = SHA256()
                let path = String(Substring(file.path.utf8.dropFirst(prefix)))
                let isSize = try packer.file(path, byteCount: file.size) {
                    let chunk = try source.descriptor.readChunk(1 << 18)
                    hash.update(chunk)
                    return chunk
                }
                isWhole = isSize && hash.finish() == file.sha256.hex
            }
            let sum = try packer.end()
            guard isWhole, let name = Items.ContentHash(hex: sum.sha256.utf8) else {
                exchange.discard(object)
                return nil
            }
            if try exchange.has(name, .tar), try isSound(name) {
                exchange.discard(object)
            } else {
                exchange.keep(object, as: name, .tar)
                count(object, pack)
            }
            return name
        } catch {
            exchange.discard(object)
            throw error
        }
    }

    /// Whether an object that is there already unpacks to the bytes that its name says.
    func isSound(_ name: Items.ContentHash) throws -> Bool {
        var reason = SyncReport.Reason.notHereYet
        guard let file = try exchange.object(name, .tar, &reason) else { return reason == .notHereYet }
        guard case .whole(let sum) = try read(file, { _, _ in }) else {
            return false
        }
        return sum.sha256 == name.hex
    }

    private func source(_ path: String) throws -> SharedFile? {
        do throws(FileError) {
            return SharedFile(try store.root.file(path))
        } catch {
            if error.isAbsent { return nil }
            throw error
        }
    }

    private func count(_ object: ExchangeStore.NewObject, _ pack: OpenPack?) {
        report.sentObjectCount += 1
        report.sentByteCount += object.byteCount
        pack?.objectByteCount += object.byteCount
    }
}

/// A packer that starts with the first bundle.
final class LazyPacker {
    private let worker: CaptureWorker
    private let monitor: Monitor
    private var started: BundlePacker?

    init(_ worker: CaptureWorker, _ monitor: Monitor) {
        self.worker = worker
        self.monitor = monitor
    }

    func packer() throws -> BundlePacker {
        if let started { return started }
        let new = try BundlePacker(worker, monitor)
        started = new
        return new
    }
}

/// An open folder that several threads use.
private final class SharedFolder: Sendable {
    let directory: Directory
    init(_ directory: consuming Directory) { self.directory = directory }
}
