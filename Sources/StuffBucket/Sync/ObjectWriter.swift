internal import Files
internal import Items
internal import Synchronization

/// Writes documents and bundles of items as objects that have no names yet. For use by several threads, each with a process
/// that packs.
final class ObjectWriter: Sendable {
    private let store: ItemStore
    private let objects: NewObjects
    private let program: WorkerProgram
    private let monitor: Monitor
    private let idle = Mutex<[Lane]>([])

    /// Sendable because only one thread at a time uses a lane.
    private final class Lane: @unchecked Sendable {
        let packer: BundlePacker
        init(_ packer: BundlePacker) { self.packer = packer }
    }

    /// What to write of one item.
    struct Order: Sendable {
        let state: PackedState
        /// The item's folder, relative to the library's.
        let folder: String
        /// Files that become objects of their own.
        var files: [PackedState.File] = []
        /// Folders that become bundles.
        var bundles: [String] = []
    }

    /// The objects of one item.
    struct Objects: Sendable {
        var files: [WrittenObject] = []
        var bundles: [(folder: String, object: WrittenObject)] = []

        var all: [WrittenObject] { files + bundles.map(\.object) }
    }

    init(_ store: ItemStore, _ objects: NewObjects, _ program: WorkerProgram, _ monitor: Monitor) {
        self.store = store
        self.objects = objects
        self.program = program
        self.monitor = monitor
    }

    /// Writes what each order names, on several threads.
    ///
    /// - Returns: the objects of each order; `nil` if a file of it changed meanwhile.
    /// - Throws: the first error. Files without names stay in the exchange then.
    func write(_ orders: [Order]) throws -> [Objects?] {
        try Workers.map(orders, pieceSize: 1) { try self.write($0) }
    }

    private func write(_ order: Order) throws -> Objects? {
        var written = Objects()
        for file in order.files {
            guard let object = try writeFile(file, in: order.folder) else { return discard(written) }
            written.files.append(object)
        }
        for bundle in order.bundles {
            guard let object = try writeBundle(bundle, of: order.state, in: order.folder) else {
                return discard(written)
            }
            written.bundles.append((bundle, object))
        }
        return written
    }

    private func discard(_ written: Objects) -> Objects? {
        for object in written.all { objects.discard(object) }
        return nil
    }

    /// Writes a file as an object of its own.
    ///
    /// - Returns: `nil` if the file does not have the bytes that the state says.
    private func writeFile(_ file: PackedState.File, in folder: String) throws -> WrittenObject? {
        guard let source = try source(folder + "/" + file.path) else { return nil }
        let object = try objects.create()
        var hash = SHA256()
        do {
            while true {
                try monitor.check()
                let chunk = try source.readChunk(1 << 20)
                if chunk.isEmpty { break }
                hash.update(chunk)
                try object.write(chunk)
            }
        } catch {
            objects.discard(object)
            throw error
        }
        if hash.finish() == file.sha256.hex { return object.written(as: file.sha256, .raw) }
        objects.discard(object)
        return nil
    }

    /// Packs the files of a bundle.
    ///
    /// - Returns: `nil` if a file does not have the bytes that the state says.
    private func writeBundle(_ bundle: String, of state: PackedState, in folder: String) throws -> WrittenObject? {
        let lane = try idle.withLock { $0.popLast() } ?? Lane(BundlePacker(program, monitor))
        let packer = lane.packer
        let object = try objects.create()
        let prefix = bundle.isEmpty ? 0 : bundle.utf8.count + 1
        packer.begin { try object.write($0) }
        do {
            var isWhole = true
            for file in state.files(ofBundle: bundle) where isWhole {
                guard let source = try source(folder + "/" + file.path) else {
                    isWhole = false
                    continue
                }
                var hash = SHA256()
                let path = String(Substring(file.path.utf8.dropFirst(prefix)))
                let isSize = try packer.file(path, byteCount: file.size) {
                    let chunk = try source.readChunk(1 << 18)
                    hash.update(chunk)
                    return chunk
                }
                isWhole = isSize && hash.finish() == file.sha256.hex
            }
            let sum = try packer.end()
            idle.withLock { $0.append(lane) }
            if isWhole, let name = Items.ContentHash(hex: sum.sha256.utf8) { return object.written(as: name, .tar) }
            objects.discard(object)
            return nil
        } catch {
            // Its packer may be in the middle of a bundle: it is not used again.
            objects.discard(object)
            throw error
        }
    }

    private func source(_ path: String) throws(FileError) -> Descriptor? {
        do throws(FileError) {
            return try store.root.file(path)
        } catch {
            if error.isAbsent { return nil }
            throw error
        }
    }
}
