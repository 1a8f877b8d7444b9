internal import Files
internal import Items
internal import JSONFormat

/// Writes what is here and not in the exchange: objects, then a pack, then the head.
extension SyncRun {
    /// A pack ends with the item that exceeds one of these: so many items, bytes of its own, and bytes of objects.
    private static let packItemLimit = 2_000
    private static let packByteLimit = 32 << 20
    private static let objectByteLimit = 256 << 20
    private static let groupItemLimit = 256
    private static let groupByteLimit = 32 << 20

    /// A pack that is being written.
    final class OpenPack {
        let packer: BundlePacker
        let object: NewObject
        var states: [(state: PackedState, look: FolderLook)] = []
        var besides: [String: Items.ContentHash] = [:]
        var byteCount = 0
        var objectByteCount = 0

        init(_ packer: BundlePacker, _ object: NewObject) {
            self.packer = packer
            self.object = object
        }
    }

    func send() throws {
        let candidates = try keepingReplaced(candidates())
        let besides = try changedBesides()
        var pack: OpenPack?
        let writer = try objectWriter()
        if !besides.isEmpty {
            let new = try begin(besides)
            pack = new
        }
        var count = 0
        for group in groups(of: candidates) {
            let orders = try orders(for: group)
            let written = try writer.write(orders.map(\.order))
            for (order, objects) in zip(orders, written) {
                // A file of the item changed meanwhile: the next sync takes all of it.
                guard let objects else { continue }
                let current = try pack ?? begin([])
                pack = current
                var state = order.order.state
                state.bundles += try keep(objects, current)
                state.bundles.sort { $0.folder.utf8.lexicographicallyPrecedes($1.folder.utf8) }
                try add(order.found, state, self.state(of: state.id), to: current)
                current.states.append((state, order.look))
                if current.states.count >= Self.packItemLimit || current.byteCount >= Self.packByteLimit
                    || current.objectByteCount >= Self.objectByteLimit
                {
                    try finish(current)
                    pack = nil
                }
            }
            count += group.count
            monitor.show(count, of: candidates.count)
        }
        if let pack { try finish(pack) }
    }

    func objectWriter() throws -> ObjectWriter {
        try ObjectWriter(store, exchange.newObjects(by: memory.device), worker().program, monitor)
    }

    /// Items that are read, and whose objects are written, at once: so many, or with so many bytes.
    private func groups(of candidates: [Candidate]) -> [ArraySlice<Candidate>] {
        var groups: [ArraySlice<Candidate>] = []
        var start = 0
        var byteCount = 0
        for (place, candidate) in candidates.enumerated() {
            byteCount += candidate.byteCount
            if place + 1 - start >= Self.groupItemLimit || byteCount >= Self.groupByteLimit {
                groups.append(candidates[start...place])
                start = place + 1
                byteCount = 0
            }
        }
        if start < candidates.count { groups.append(candidates[start...]) }
        return groups
    }

    /// What to write of a group of items. Remembers those that look different and are as the exchange has them.
    private func orders(
        for group: ArraySlice<Candidate>
    ) throws -> [(order: ObjectWriter.Order, found: StateReading.Found, look: FolderLook)] {
        let chosen = group.filter { isWritten($0.id, in: $0.folder) }.map { candidate in
            (candidate, state(of: candidate.id), records(of: candidate.id))
        }
        let reading = reading
        let monitor = monitor
        let readings = try Workers.map(chosen, pieceSize: 4) { candidate, last, records in
            try monitor.check()
            return try Self.read(candidate, last, records, reading)
        }
        var orders: [(order: ObjectWriter.Order, found: StateReading.Found, look: FolderLook)] = []
        for ((candidate, last, _), outcome) in zip(chosen, readings) {
            switch outcome {
            case .changing: continue
            case .unreadable: report.unreadable.append(candidate.id)
            case .unnamable(let path):
                memory.leftOut.removeAll { $0.id == candidate.id }
                noteLeftOut([.init(path: path, reason: .name, byteCount: 0)], of: candidate.id)
            case .found(var found):
                if try isPageEarlier(found, last) || isPageUnfinished(found, last) {
                    takePage(of: last, into: &found.state)
                }
                if let document = try outdatedDocument(found, last) {
                    outdated.append(document)
                    continue
                }
                if let last { try keepMissing(last, in: &found) }
                let own = try ownFiles(of: found.state, in: found.folder)
                found.state.former = former(own)
                note(own, of: candidate.id, isWhole: true)
                noteDamage(found.damaged, of: candidate.id, in: found.folder)
                report.notFiles += found.notFiles.map { found.folder + "/" + $0 }
                for name in found.noFolders { leave(found.folder + "/" + name, .noFolder) }
                let isBroughtBack = try isBroughtBack(candidate.id, in: found.folder)
                if isBroughtBack { report.broughtBack.append(candidate.id) }
                // It is read and named again by every sync until it is mended.
                let isUnfinished = isBroughtBack || memory.outdated[candidate.id] != nil
                let look = found.needsLook || isUnfinished ? .unread : candidate.look
                memory.leftOut.removeAll { $0.id == candidate.id }
                noteLeftOut(found.state.leftOut, of: candidate.id)
                if let last { keepLeftOut(last, in: &found) }
                if let last, known(of: candidate.id)?.content == found.state.contentHash, isTold(own, by: last),
                    !toldAgain.contains(candidate.id), !isBackHere(found, last)
                {
                    let away = last.leftOut.filter { $0.reason == .away }
                    noteLeftOut(away, of: candidate.id)
                    remember(found.state, look: look, after: last, away)
                    continue
                }
                try noteHidden([candidate.id])
                orders.append((try order(withAway(found), last, found.folder), found, look))
            }
        }
        return orders
    }

    /// Names in a state the page that the exchange has, in the place of one here that is not whole: the rest of the item travels.
    private func takePage(of last: PackedState?, into state: inout PackedState) {
        state.files.removeAll { PackedState.bundle(of: $0.path) == "" }
        state.bundles.removeAll(where: \.folder.isEmpty)
        state.leftOut.removeAll(where: \.path.isEmpty)
        // A page that a state lacks stays where it is.
        guard let last else { return }
        let bundles = last.bundles.filter(\.folder.isEmpty), left = last.leftOut.filter(\.path.isEmpty)
        if bundles.isEmpty, left.isEmpty { return }
        state.files += last.files(ofBundle: "")
        state.bundles += bundles
        state.leftOut += left
        state.leaveOutBelowFiles()
        state.files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        state.bundles.sort { $0.folder.utf8.lexicographicallyPrecedes($1.folder.utf8) }
        state.leftOut.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// Whether the page here is one that came before that of the last versions, and the exchange has that one or waits for it. This device shows
    /// the earlier one until it comes. A state with the earlier one would follow that of the other device, and a third device would take
    /// it for the page.
    private func isPageEarlier(_ found: StateReading.Found, _ last: PackedState?) throws -> Bool {
        let hashes = [found.state, last].map { $0.flatMap { StateHashes.hash($0.files(ofBundle: "").map(\.version)) } }
        guard let page = hashes[0], let other = hashes[1], page != other else { return false }
        let versions = try VersionFolder(of: found.folder, in: store).list().outlines
        let heads = versions.heads
        return heads.contains { $0.content.page == other } && !heads.contains { $0.content.page == page }
            && versions.contains { $0.content.page == page }
    }

    /// Whether a join that was interrupted left the page here as no device saved it.
    private func isPageUnfinished(_ found: StateReading.Found, _ last: PackedState?) throws -> Bool {
        let page = found.state.files(ofBundle: "").map(\.version)
        if page.isEmpty || last?.files(ofBundle: "").map(\.version) == page { return false }
        let hash = StateHashes.hash(page), versions = try VersionFolder(of: found.folder, in: store).list().outlines
        // What was saved here is noted by now.
        if versions.isEmpty || versions.contains(where: { $0.content.page == hash }) { return false }
        return try library.replicas.isPageUnfinished(found.state.id, in: found.folder)
    }

    /// Remembers what is left out of an item, until it is read again.
    func noteLeftOut(_ files: [PackedState.LeftOut], of id: ItemID) {
        if files.isEmpty { return }
        leftOutNow.insert(id)
        if let known = memory.leftOut.firstIndex(where: { $0.id == id }) {
            memory.leftOut[known].files += files
        } else {
            memory.leftOut.append((id, files))
        }
    }

    /// What the exchange lacks of an item.
    private func order(_ state: PackedState, _ last: PackedState?, _ folder: String) throws -> ObjectWriter.Order {
        let left = Set(state.leftOut.map(\.path))
        var order = ObjectWriter.Order(state: state, folder: folder)
        for file in state.files where PackedState.bundle(of: file.path) == nil && !left.contains(file.path) {
            // What a state names is never deleted, and a cloud would be asked about each file.
            if exchange.isCloud, let last, holds(file, last) { continue }
            if try exchange.byteCount(file.sha256, .raw) == file.size { continue }
            // It has not arrived.
            if memory.awaits(file.sha256), try store.root.statusIfPresent(of: folder + "/" + file.path) == nil {
                continue
            }
            order.files.append(file)
        }
        let have = Set(state.bundles.map(\.folder))
        order.bundles = Set(state.files.compactMap { PackedState.bundle(of: $0.path) }).sorted()
            .filter { !left.contains($0) && !have.contains($0) }
        return order
    }

    /// Whether a state says that the exchange has a file as an object of its own.
    private func holds(_ file: PackedState.File, _ state: PackedState) -> Bool {
        let left = Set(state.leftOut.map(\.path))
        return state.files.contains { $0.sha256 == file.sha256 && !left.contains($0.path) }
    }

    /// Lets objects wait for their names, but for bundles that the exchange has already.
    ///
    /// - Returns: the bundles.
    @discardableResult
    func keep(_ objects: ObjectWriter.Objects, _ pack: OpenPack?) throws -> [PackedState.Bundle] {
        for object in objects.files { keep(object, pack) }
        for (_, object) in objects.bundles {
            if try exchange.has(object.hash, .tar), try isSound(object.hash) {
                exchange.discard(object)
            } else {
                keep(object, pack)
            }
        }
        return objects.bundles.map { .init(folder: $0.folder, sha256: $0.object.hash) }
    }

    private func keep(_ object: WrittenObject, _ pack: OpenPack?) {
        guard exchange.keep(object) else { return }
        report.sentObjectCount += 1
        report.sentByteCount += object.byteCount
        pack?.objectByteCount += object.byteCount
    }

    // MARK: Packs

    private func begin(_ besides: [(path: String, bytes: [UInt8], modified: Int64)]) throws -> OpenPack {
        let object = try exchange.newObjects(by: memory.device).create()
        let pack = OpenPack(try BundlePacker(worker().program, monitor), object)
        pack.packer.begin { try object.write($0) }
        var header = PackHeader(library: store.settings.id)
        if !isWritingAll {
            let needs = Set(heads.values.flatMap(\.needs))
            header.after = memory.taken.sorted { $0.key < $1.key }.compactMap { device, packs in
                guard let last = packs.last else { return nil }
                // Its head cannot be read now.
                guard let head = heads[device] else { return last }
                // Somebody waits for a pack of it, perhaps in vain.
                if !needs.isEmpty, head.packs.contains(where: { needs.contains(ExchangeLayout.object($0, .tar)) }) {
                    return nil
                }
                // A device that wrote everything once more names the earlier ones no more.
                return isNamed(last) ? last : nil
            }
        }
        memory.followed?.formUnion(header.after)
        if let last = memory.packs.last { header.after.append(last) }
        header.besides = besides.map { .init(path: $0.path, modified: $0.modified) }
        try pack.packer.file(ExchangeLayout.packFile, header.bytes)
        for file in besides {
            try pack.packer.file(file.path, file.bytes)
            pack.besides[file.path] = Items.ContentHash(of: file.bytes)
        }
        return pack
    }

    /// Whether a head names a pack.
    func isNamed(_ pack: Items.ContentHash) -> Bool {
        memory.packs.contains(pack) || heads.values.contains { $0.packs.contains(pack) }
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
        exchange.keep(pack.object.written(as: name, .tar))
        report.sentObjectCount += 1
        report.sentByteCount += pack.object.byteCount
        // Written once more, it may have the name of a damaged one of the same size.
        try exchange.place(pack: isWritingAll ? name : nil)
        noteInside(pack.states.map(\.state.id))
        memory.packs.append(name)
        try writeHead()
        for (state, look) in pack.states {
            remember(state, look: look)
            report.sent.append(state.id)
        }
        besides.merge(pack.besides) { $1 }
        try saveKnown()
    }
}
