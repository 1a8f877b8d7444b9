internal import Files
package import JSONFormat
package import Time

/// Changes to files of collections/, tags/ and smart/, by the name that they describe.
extension WriteSession {
    /// Replaces a file of collections/, tags/ or smart/, if it still is as read.
    ///
    /// - Parameters:
    ///   - name: the file's.
    ///   - modified: the modification time of the new file, in nanoseconds since 1970.
    /// - Returns: false if another program saved it meanwhile; its version stays.
    package func replaceNamed(
        _ folder: NamedFolder, _ name: String, _ seen: [UInt8], with new: [UInt8], modified: Int64
    ) throws(ItemError) -> Bool {
        // The time is set before the file is there: what an editor saves afterwards keeps its own.
        try Swap(session: self, target: .named(folder, name), modified: modified, isExact: true).run(seen, new)
    }

    /// Writes the file of a collection that may be empty, or has further keys: FORMAT.md § 9.
    ///
    /// - Returns: false if the collection has a file, which stays unchanged.
    @discardableResult
    package func addCollection(
        _ name: CollectionName, colour: String? = nil, icon: String? = nil, order: Double? = nil
    ) throws(ItemError) -> Bool {
        let number = order.flatMap { $0.isFinite ? Int(exactly: $0).map(String.init) ?? "\($0)" : nil }
        let bytes = Self.newNamed([
            ("name", .string(name.name)), ("colour", colour.map(JSON.string)), ("icon", icon.map(JSON.string)),
            ("order", number.map(JSON.number)),
        ])
        let file = Layout.settingsFile(named: name.name)
        let deleted = store.deletedNamed(.collections, name.name)
        return try Swap(session: self, target: .named(.collections, file)).run(deleted, bytes)
    }

    /// Sets keys in the file of a name, or makes the file; all other keys stay. Applied again to a version that
    /// another program saves meanwhile.
    ///
    /// - Parameters:
    ///   - values: the new value of a key, or `nil` to remove it.
    ///   - isNew: whether an existing file is an error.
    /// - Returns: whether anything was written.
    @discardableResult
    package func setNamed(
        _ folder: NamedFolder, _ name: String, _ values: [(String, JSON?)], isNew: Bool = false
    ) throws(ItemError) -> Bool {
        try changeNamed(folder, name) { found throws(ItemError) in
            guard let found else {
                let values = values.compactMap { key, value in value.map { (key, JSON?.some($0)) } }
                if values.isEmpty, !isNew { return .nothing }
                return .bytes(Self.newNamed([("name", .string(name))] + values))
            }
            if isNew { throw .refused(.taken(path: found.file.path)) }
            let json = found.json
            let changes = values.filter { key, value in
                value != json.member(key, of: json.root).map { json.copy($0) }
            }
            return changes.isEmpty ? .nothing : .bytes(try Self.rewriting(found, changes))
        }
    }

    /// Copies the contents of a name's file to another name; keys that the other file already has stay.
    ///
    /// - Returns: the file that was read, for `removeNamed`; `nil` if there is none.
    package func copyNamed(_ folder: NamedFolder, _ old: String, to new: String) throws(ItemError) -> NamedCopy? {
        guard let source = try store.named(folder, old) else { return nil }
        let json = try parseNamed(source.bytes, source.file.path)
        if NamedFile.areSame(old, new) {
            // Both names have the same file; only the spelling changes.
            try setNamed(folder, new, [("name", .string(new))])
            return nil
        }
        try changeNamed(folder, new) { found throws(ItemError) in
            guard let found else {
                return .bytes(
                    try Self.rewriting(KnownNamed(found: source, json: json), [("name", .string(new))]))
            }
            let added = json.members(json.root).compactMap { key, value -> (String, JSON?)? in
                guard let key = json.string(key), !NamedKeys.isTimes(key),
                    found.json.member(key, of: found.json.root) == nil
                else { return nil }
                return (key, json.copy(value))
            }
            return added.isEmpty ? .nothing : .bytes(try Self.rewriting(found, added))
        }
        return NamedCopy(file: source.file, bytes: source.bytes)
    }

    /// Removes a file if it still is as read. What stays says that the name was deleted, so that it does not come back from
    /// another copy; a file that was not named after its name goes as well.
    ///
    /// - Throws: `ItemError.overtaken` if another program saved it meanwhile.
    package func removeNamed(_ copy: NamedCopy, at time: Timestamp = .now) throws(ItemError) {
        let replacement = Swap(session: self, target: .named(copy.file.folder, copy.file.file))
        let status = try files { () throws(FileError) in try store.root.statusIfPresent(of: copy.file.path) }
        let state = NamedState(copy.bytes, modified: status?.modified ?? time.milliseconds * 1_000_000)
        let note = NamedFile.deleted(copy.file.name, at: time, state)
        if copy.file.isNamedRight {
            if try replacement.run(copy.bytes, note) { return }
        } else if try replacement.run(copy.bytes, nil) {
            // Another file may have the name, and counts then.
            if try store.named(copy.file.folder, copy.file.name) != nil { return }
            let file = Layout.settingsFile(named: copy.file.name)
            let deleted = store.deletedNamed(copy.file.folder, copy.file.name)
            _ = try Swap(session: self, target: .named(copy.file.folder, file)).run(deleted, note)
            return
        }
        let contents = try files { () throws(FileError) -> FileContents? in
            try store.root.contentsIfPresent(of: copy.file.path, limit: Layout.settingsByteLimit)
        }
        if contents != nil { throw .overtaken(path: copy.file.path) }
    }

    /// Says of a file that is not there any more that its name was deleted, so that it does not come back from another copy.
    ///
    /// - Parameters:
    ///   - path: the file's. Nothing is written if there is one.
    ///   - state: what the file was.
    package func noteDeleted(_ path: String, _ state: NamedState, at time: Timestamp = .now) throws(ItemError) {
        let parts = path.pathComponents
        guard parts.count == 2, let folder = NamedFolder(rawValue: parts[0]) else { return }
        let file = try NamedFile(folder: folder, file: parts[1], bytes: state.bytes)
        let status = try files { () throws(FileError) in try store.root.statusIfPresent(of: path) }
        if status != nil || !file.isNamedRight { return }
        let note = NamedFile.deleted(file.name, at: time, state)
        _ = try Swap(session: self, target: .named(folder, parts[1])).run(nil, note)
    }

    /// Removes the file of a name.
    ///
    /// - Returns: false if there is none.
    @discardableResult
    package func removeNamed(_ folder: NamedFolder, _ name: String) throws(ItemError) -> Bool {
        guard let found = try store.named(folder, name) else { return false }
        try removeNamed(NamedCopy(file: found.file, bytes: found.bytes))
        return true
    }

    /// Removes the file of a name if it holds only the name and one key.
    ///
    /// - Returns: whether it was removed.
    package func removeNamed(_ folder: NamedFolder, _ name: String, ifOnly key: String) throws(ItemError) -> Bool {
        guard let found = try store.named(folder, name) else { return false }
        let json = try parseNamed(found.bytes, found.file.path)
        let known = ["name", key, NamedKeys.timesKey]
        if json.members(json.root).contains(where: { member in !known.contains { json.isKey(member.key, $0) } }) {
            return false
        }
        try removeNamed(NamedCopy(file: found.file, bytes: found.bytes))
        return true
    }

    private struct KnownNamed {
        let found: FoundNamed
        let json: JSONDocument

        var file: NamedFile { found.file }
    }

    private enum NamedChange {
        case nothing
        case bytes([UInt8])
    }

    @discardableResult
    private func changeNamed(
        _ folder: NamedFolder, _ name: String,
        _ change: (KnownNamed?) throws(ItemError) -> NamedChange
    ) throws(ItemError) -> Bool {
        // Enough for an editor, which saves occasionally. The change fails if a program saves constantly.
        for _ in 0..<100 {
            let found = try store.named(folder, name)
            let known: KnownNamed?
            if let found {
                known = KnownNamed(found: found, json: try parseNamed(found.bytes, found.file.path))
            } else {
                known = nil
            }
            guard case .bytes(let new) = try change(known) else { return false }
            let file = found?.file.file ?? Layout.settingsFile(named: name)
            if new.count > Layout.settingsByteLimit {
                throw .unsuitable(
                    path: folder.path + "/" + file, .outgrown(JSONOutgrown(limit: Layout.settingsByteLimit)))
            }
            let seen = found?.bytes ?? store.deletedNamed(folder, name)
            if try Swap(session: self, target: .named(folder, file)).run(seen, new) { return true }
            if found == nil { try refuseStranger(folder, file, name) }
        }
        throw .overtaken(path: folder.path + "/" + Layout.settingsFile(named: name))
    }

    /// - Throws: if the file that should describe this name has another one, or cannot be read.
    private func refuseStranger(_ folder: NamedFolder, _ file: String, _ name: String) throws(ItemError) {
        guard let found = try store.namedFile(folder, at: file), !NamedFile.areSame(found.file.name, name) else {
            return
        }
        throw .refused(
            .ofOtherName(
                path: found.file.path, name: found.file.name, right: Layout.settingsFile(named: found.file.name),
                wanted: name))
    }

    private func parseNamed(_ bytes: [UInt8], _ path: String) throws(ItemError) -> JSONDocument {
        do throws(JSONError) {
            return try JSONDocument(parsing: bytes)
        } catch {
            throw .malformed(path: path, error)
        }
    }

    /// The file with some keys set or removed now, and the times of all of its keys.
    private static func rewriting(
        _ known: KnownNamed, _ changes: [(String, JSON?)]
    ) throws(ItemError) -> [UInt8] {
        // Of a key that cannot be held as text, no time can be told.
        guard var keys = known.found.state.keys else {
            return try rewriting(known.found.file.path, known.json, changes)
        }
        let now = Timestamp.now
        for (key, value) in changes { keys.set(key, value, at: now) }
        do throws(ItemError) {
            return try rewriting(known.found.file.path, known.json, changes + [(NamedKeys.timesKey, keys.times)])
        } catch {
            // A file of thousands of keys may have no room for their times.
            return try rewriting(known.found.file.path, known.json, changes + [(NamedKeys.timesKey, nil)])
        }
    }

    private static func rewriting(
        _ path: String, _ json: JSONDocument, _ changes: [(String, JSON?)]
    ) throws(ItemError) -> [UInt8] {
        do throws(JSONOutgrown) {
            return try json.rewriting(changes, limit: Layout.settingsByteLimit, rank: NamedFile.rank)
        } catch {
            throw .unsuitable(path: path, .outgrown(error))
        }
    }

    private static func newNamed(_ members: [(String, JSON?)]) -> [UInt8] {
        let sorted = members.sorted { NamedFile.rank($0.0) ?? .max < NamedFile.rank($1.0) ?? .max }
        return JSONWriter.file(.members(sorted + [(NamedKeys.timesKey, NamedKeys.times(ofNew: sorted))]))
    }
}
