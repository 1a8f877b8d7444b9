internal import Files
internal import JSONFormat
internal import Time

/// Small files that a copying program replaced: Documentation/Merge.md § 4.
extension WriteSession {
    /// Joins each small file that came from elsewhere with the one that this device knew before, so that changes that were made here
    /// stay. What a program here wrote stands, and gets the times of its keys.
    ///
    /// - Parameters:
    ///   - isNoting: whether what is there now is remembered. A step that changes nothing writes nothing, unless there is something
    ///     to join, or a program changed a key here.
    ///   - settled: what an earlier look of the same command returned. A folder that did not change since is passed over.
    /// - Returns: the last changes of the folders in which every file is as this device knows it, in nanoseconds since 1970.
    @discardableResult
    package func joinArrivedSmallFiles(
        isNoting: Bool, settled: [NamedFolder: Int64] = [:]
    ) throws(ItemError) -> [NamedFolder: Int64] {
        // In a work tree of git, files go back with a checkout.
        guard !isWorkTree, let memory = NamedMemory(store, isMade: isNoting) else { return [:] }
        var now: [NamedFolder: Int64] = [:]
        for folder in NamedFolder.allCases {
            let found = try files { () throws(FileError) in try store.root.statusIfPresent(of: folder.path) }
            guard let status = found, status.kind == .directory else { continue }
            if settled[folder] == status.changed {
                now[folder] = status.changed
                continue
            }
            // One that may not be read, for example, is looked at again.
            do throws(FileError) {
                if try look(into: folder, memory, isNoting) { now[folder] = status.changed }
            } catch {}
        }
        return now
    }

    /// - Returns: whether every file is as this device knows it.
    private func look(
        into folder: NamedFolder, _ memory: borrowing NamedMemory, _ isNoting: Bool
    ) throws(FileError) -> Bool {
        var isKnownWhole = true
        let live = try store.root.directory(folder.path)
        let copies = try memory.folder(folder, isMade: isNoting)
        var gone: Set<String> = []
        for entry in try copies.entries() { if let name = entry.name.string { gone.insert(name) } }
        for entry in try live.entries() where entry.kind == .regular {
            guard let name = entry.name.string, NamedFolder.isFile(name) else { continue }
            let isKnown = gone.remove(name) != nil
            guard let status = try live.statusOfKnownPath(name) else { continue }
            let copy = isKnown ? try copies.statusOfKnownPath(name) : nil
            if let copy, copy.modified == status.modified, copy.byteCount == status.byteCount { continue }
            isKnownWhole = false
            do throws(FileError) {
                guard let found = try live.contentsIfPresent(of: name, limit: Layout.settingsByteLimit) else {
                    continue
                }
                let state = NamedState(found.bytes, modified: found.status.modified)
                // A file that is half written counts when it is whole.
                if state.json == nil { continue }
                if let copy, let known = try copies.contentsIfPresent(of: name, limit: Layout.settingsByteLimit) {
                    let before = NamedState(known.bytes, modified: copy.modified)
                    // What is written is remembered.
                    if try isSaved(folder, name, found.status) {
                        if addTimes(folder, name, before, state) { continue }
                    } else if joinArrived(folder, name, before, state) {
                        continue
                    }
                }
                if isNoting { try memory.note(name, state, in: copies) }
            } catch {
                if !error.concernsOneFile { throw error }
            }
        }
        for name in gone where isNoting { try memory.forget(name, in: copies) }
        return isKnownWhole && gone.isEmpty
    }

    /// Whether a program saved a file here. A program that copies into the old file gives it an earlier time than that of the change;
    /// some file systems know whole seconds alone, or every second one.
    private func isSaved(_ folder: NamedFolder, _ name: String, _ status: FileStatus) throws(FileError) -> Bool {
        if status.changed > status.modified + 2 * Self.second { return false }
        return (try? store.isWrittenHere(folder.path + "/" + name, status, changed: status.changed)) != false
    }

    /// Writes the times of keys that an editor changed or removed: another copy of the file lacks that change.
    ///
    /// - Returns: whether the file was replaced.
    private func addTimes(_ folder: NamedFolder, _ name: String, _ known: NamedState, _ saved: NamedState) -> Bool {
        guard known.bytes != saved.bytes, let bytes = saved.timed(since: known) else { return false }
        return replace(folder, name, saved, with: bytes, known)
    }

    /// Gives a file new bytes, and a time that is later than all others: a copying program carries it back. The keys keep their times.
    private func replace(
        _ folder: NamedFolder, _ name: String, _ present: NamedState, with bytes: [UInt8], _ known: NamedState
    ) -> Bool {
        // Two devices may write a file of one size in this moment. With one time, copying programs would take them for the same.
        let part = Int64(ContentHash(of: bytes).hex.prefix(7), radix: 16) ?? 0
        let later = max(known.modified, present.modified) + Self.second + part
        let modified = max(Timestamp.now.milliseconds * 1_000_000, later)
        return (try? replaceNamed(folder, name, present.bytes, with: bytes, modified: modified)) == true
    }

    private static let second: Int64 = 1_000_000_000

    /// - Returns: whether the file was replaced by the join.
    private func joinArrived(
        _ folder: NamedFolder, _ name: String, _ known: NamedState, _ arrived: NamedState
    ) -> Bool {
        let path = folder.path + "/" + name
        guard known.bytes != arrived.bytes, known.isJoined(whenReplacedBy: arrived),
            let before = try? NamedFile(folder: folder, file: name, bytes: known.bytes),
            let after = try? NamedFile(folder: folder, file: name, bytes: arrived.bytes),
            NamedFile.areSame(before.name, after.name), let union = NamedUnion(arrived, known), !union.isUnsure,
            union.bytes != arrived.bytes
        else { return false }
        let bytes = NamedState(union.bytes, modified: union.modified).timed
        if !replace(folder, name, arrived, with: bytes, known) { return false }
        tell(path, union, arrived)
        return true
    }

    /// Tells which values of what came do not stand, and which ones are lost.
    private func tell(_ path: String, _ union: NamedUnion, _ arrived: NamedState) {
        let joined = NamedState(union.bytes, modified: union.modified)
        guard let json = joined.json, let others = arrived.json else { return }
        let isDeleted = NamedUnion.isDeletion(json), wasDeleted = NamedUnion.isDeletion(others)
        if isDeleted != wasDeleted { store.tell(.smallFileStands(path: path, isDeleted: isDeleted)) }
        if isDeleted || wasDeleted { return }
        guard let keys = joined.keys, let came = arrived.keys else { return }
        // A key of which what came says nothing was set here, and nobody set it there.
        let back = keys.differing(from: came).filter { came.knows($0) }
        let told = back + union.lost.filter { !back.contains($0) }
        if !told.isEmpty { store.tell(.laterKeysStand(path: path, keys: told)) }
    }

    /// Remembers a small file that this program wrote or removed.
    func noteNamed(_ folder: NamedFolder, _ name: String) {
        if !isWorkTree { NamedMemory(store)?.note(folder, name, in: store) }
    }

    private var isWorkTree: Bool { ((try? store.root.statusIfPresent(of: ".git")) ?? nil) != nil }
}

extension NamedState {
    /// Whether what this device knew is joined with what came: if a command changed it, or one of the two says that the name was
    /// deleted. Of other states nobody knows which keys a person removed, so what came stands.
    fileprivate func isJoined(whenReplacedBy other: NamedState) -> Bool {
        guard let json, let others = other.json else { return false }
        return NamedUnion.isDeletion(json) || NamedUnion.isDeletion(others)
            || !NamedKeys.times(json.exactMembers(json.root)).isEmpty
    }

    /// The bytes with the times that count, where `changedAt` says others: those of keys that an editor changed.
    fileprivate var timed: [UInt8] {
        guard let json, let keys, json.member(NamedKeys.timesKey, of: json.root) != nil,
            keys != NamedState(bytes, modified: 0).keys
        else { return bytes }
        return with(keys) ?? bytes
    }

    /// The bytes with the times of the keys that have another value than in an earlier state, also if an editor dropped `changedAt`.
    ///
    /// - Returns: `nil` if no value changed, `changedAt` says all of it, or the file would be too large; also if `changedAt` is another
    ///   one, and not the earlier one without the entries of removed keys: that is a state of another device, or of a backup, and its
    ///   times are as good as the ones here.
    fileprivate func timed(since known: NamedState) -> [UInt8]? {
        guard let json, let others = known.json, !NamedUnion.isDeletion(json), !NamedUnion.isDeletion(others),
            let keys, let former = known.keys
        else { return nil }
        let own = NamedKeys.times(json.exactMembers(json.root)),
            past = NamedKeys.times(others.exactMembers(others.root))
        // An editor that removes a key may remove its entry, too.
        let isOfKnown =
            own.allSatisfy { past[$0.key] == $0.value }
            && (own.isEmpty || past.keys.allSatisfy { own[$0] != nil || keys.keys[$0] == nil })
        let hasLostTimes = own.count < past.count
        guard isOfKnown, hasLostTimes || !keys.differing(from: former).isEmpty else { return nil }
        let new = keys.following(former, at: Timestamp(nanoseconds: modified).milliseconds)
        return NamedKeys.object(own) == new.times ? nil : with(new)
    }

    private func with(_ keys: NamedKeys) -> [UInt8]? {
        try? json?.rewriting(
            [(NamedKeys.timesKey, keys.times)], limit: Layout.settingsByteLimit, rank: NamedFile.rank)
    }
}
