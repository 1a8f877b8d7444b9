import StuffBucket

/// The exchanges of a library, as the person named them on this device: `$XDG_CONFIG_HOME/sbfs/remotes.json`.
///
/// A library may come from anybody, so it names no folder: they come only from this file.
struct Remotes {
    struct Remote {
        let name: String
        /// As this copy of the library uses it.
        fileprivate(set) var folder: ExchangeFolder
        /// Whether the copies that are not below are thin replicas.
        fileprivate let isThin: Bool
        /// Whether single copies of the library on this device are thin replicas, by their paths.
        fileprivate var thinCopies: [(path: String, isThin: Bool)] = []
        /// New names of the collection to which the remote is limited, as steps gave them: the latest last.
        fileprivate var renames: [Rename] = []

        init(name: String, folder: ExchangeFolder) {
            self.name = name
            self.folder = folder
            isThin = folder.isThin
        }

        fileprivate init?(_ name: String, _ json: JSONDocument, _ value: JSONDocument.Value, of copy: String) {
            func isTrue(_ key: String) -> Bool { json.member(key, of: value).map { json.kind($0) == .true } ?? false }
            guard json.kind(value) == .object, let path = json.member("path", of: value).flatMap({ json.string($0) }),
                path.hasPrefix("/") || path.hasPrefix(ExchangeFolder.cloudPrefix)
            else { return nil }
            self.name = name
            isThin = isTrue("thin")
            if let copies = json.member("thinCopies", of: value), json.kind(copies) == .object {
                thinCopies = json.members(copies).compactMap { key, value in
                    json.string(key).map { ($0, json.kind(value) == .true) }
                }
            }
            var folder = RemoteCommands.folder(path)
            folder.isReadOnly = isTrue("readOnly")
            folder.isThin = thinCopies.first { $0.path == copy }?.isThin ?? isThin
            folder.collection = json.member("collection", of: value).flatMap { json.string($0) }
            if let list = json.member("renames", of: value), json.kind(list) == .array {
                renames = json.elements(list).compactMap { Rename(json, $0) }
            }
            self.folder = folder
        }

        fileprivate var json: JSON {
            .members([
                ("path", .string(folder.path)), ("readOnly", folder.isReadOnly ? .bool(true) : nil),
                ("thin", isThin ? .bool(true) : nil),
                ("thinCopies", thinCopies.isEmpty ? nil : .members(thinCopies.map { ($0.path, .bool($0.isThin)) })),
                ("collection", folder.collection.map(JSON.string)),
                ("renames", renames.isEmpty ? nil : .array(renames.map(\.json))),
            ])
        }
    }

    /// A new name of a limit.
    fileprivate struct Rename {
        /// When the step began that gave it.
        let time: Timestamp
        let old: String
        let new: String

        /// So many are kept of a remote.
        static let countLimit = 50

        init(time: Timestamp, old: String, new: String) {
            self.time = time
            self.old = old
            self.new = new
        }

        init?(_ json: JSONDocument, _ value: JSONDocument.Value) {
            guard json.kind(value) == .object else { return nil }
            func text(_ key: String) -> String? { json.member(key, of: value).flatMap { json.string($0) } }
            guard let time = text("time").flatMap({ Timestamp($0) }), let old = text("old"),
                let new = text("new")
            else { return nil }
            self.init(time: time, old: old, new: new)
        }

        var json: JSON { .members([("time", .string(time.rfc3339)), ("old", .string(old)), ("new", .string(new))]) }
    }

    /// The library's id.
    private let library: String
    /// The path of this copy of it, without links.
    private let copy: String
    private(set) var list: [Remote] = []
    /// Those of other libraries.
    private let others: [(key: String, value: JSON)]

    private static let file = "remotes.json"
    private static var path: String { Environment.configFolder + "/" + file }

    /// - Throws: `ItemError.malformed`; `CommandFailure` if the file belongs to another user.
    init(of library: Library) throws {
        self.library = library.settings.id.description
        copy = FilePath.real(library.path) ?? library.path
        var others: [(String, JSON)] = []
        guard let json = try Self.document() else {
            self.others = []
            return
        }
        for (key, value) in json.members(json.root) {
            guard let id = json.string(key) else { continue }
            if id == self.library {
                list = Self.remotes(json, value, of: copy)
            } else {
                others.append((id, json.copy(value)))
            }
        }
        self.others = others
    }

    private static func document() throws -> JSONDocument? {
        let folder = LocalFolder(Environment.configFolder)
        guard folder.exists else { return nil }
        folder.restrict()
        if let status = try folder.status(of: file), !status.isOwn {
            throw CommandFailure(.failed, "\(path) belongs to another user, so its remotes are not used")
        }
        guard let bytes = try folder.contents(of: file, limit: LocalSettings.byteLimit) else { return nil }
        do {
            return try JSONDocument(parsing: bytes)
        } catch {
            throw ItemError.malformed(path: path, error)
        }
    }

    private static func remotes(_ json: JSONDocument, _ value: JSONDocument.Value, of copy: String) -> [Remote] {
        guard json.kind(value) == .object else { return [] }
        return json.members(value).compactMap { key, value in
            guard let name = json.string(key), isName(name) else { return nil }
            return Remote(name, json, value, of: copy)
        }
    }

    /// The names of all libraries' remotes, for completion.
    static func allNames() -> [String] {
        guard let json = (try? document()) ?? nil, json.kind(json.root) == .object else { return [] }
        return Set(json.members(json.root).flatMap { remotes(json, $0.value, of: "").map(\.name) }).sorted()
    }

    /// Whether a name can be a remote's: letters, digits, `-`, `_` and `.`, and no `-` or `.` at its beginning.
    static func isName(_ name: String) -> Bool {
        let isPlain = name.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
                || "-_.".unicodeScalars.contains($0)
        }
        return isPlain && (1...40).contains(name.utf8.count) && !name.hasPrefix("-") && !name.hasPrefix(".")
    }

    subscript(name: String) -> Remote? { list.first { $0.name == name } }

    /// The remotes of these names, or all.
    ///
    /// - Throws: `CommandFailure` if there is none of a name.
    func named(_ names: [String]) throws -> [Remote] {
        if names.isEmpty { return list }
        return try names.map { name in
            guard let remote = self[name] else {
                throw CommandFailure(
                    .nothingFound,
                    "there is no remote \"\(Printable.line(name))\"; \"sbfs remote list\" names those that there are")
            }
            return remote
        }
    }

    mutating func add(_ remote: Remote) throws {
        list.removeAll { $0.name == remote.name }
        list.append(remote)
        try write()
    }

    /// Notes whether this copy is a thin replica by a remote that another copy of the library on this device named.
    mutating func set(_ name: String, isThin: Bool) throws {
        guard let place = list.firstIndex(where: { $0.name == name }) else { return }
        list[place].thinCopies.removeAll { $0.path == copy }
        if list[place].isThin != isThin { list[place].thinCopies.append((copy, isThin)) }
        try write()
    }

    /// Lets limits to a collection, or to one in it, follow its new name.
    ///
    /// - Parameter step: when the step began that renames it: `follow` takes the names back with it.
    /// - Returns: the names of the remotes that have such a limit.
    mutating func rename(_ old: CollectionName, to new: CollectionName, in step: Timestamp) throws -> [String] {
        var names: [String] = []
        for (place, remote) in list.enumerated() {
            guard let limit = remote.folder.collection.flatMap({ CollectionName($0) }), limit.isWithin(old) else {
                continue
            }
            let name = limit.moved(from: old, to: new).name
            list[place].renames.append(Rename(time: step, old: remote.folder.collection ?? "", new: name))
            list[place].renames.removeFirst(max(0, list[place].renames.count - Rename.countLimit))
            list[place].folder.collection = name
            names.append(remote.name)
        }
        if !names.isEmpty { try write() }
        return names
    }

    /// Lets limits follow the undo of steps, or their redo. One that is another now stays.
    ///
    /// - Parameter steps: when the steps began, in the order in which they were undone or redone.
    /// - Returns: the remotes whose limits changed.
    mutating func follow(_ steps: [Timestamp], isUndo: Bool) throws -> [Remote] {
        var changed: Set<Int> = []
        for step in steps {
            for (place, remote) in list.enumerated() {
                guard let rename = remote.renames.last(where: { $0.time == step }),
                    remote.folder.collection == (isUndo ? rename.new : rename.old)
                else { continue }
                list[place].folder.collection = isUndo ? rename.old : rename.new
                changed.insert(place)
            }
        }
        if !changed.isEmpty { try write() }
        return changed.sorted().map { list[$0] }
    }

    mutating func remove(_ name: String) throws {
        list.removeAll { $0.name == name }
        try write()
    }

    private func write() throws {
        let own = list.map { ($0.name, $0.json as JSON?) }
        var members: [(String, JSON?)] = others.map { ($0.key, $0.value) }
        if !own.isEmpty { members.append((library, .members(own))) }
        let folder = LocalFolder(Environment.configFolder)
        try folder.makePrivate(from: Environment.configFolder)
        try folder.write(JSON.members(members).file, to: Self.file)
    }
}

extension Invocation {
    /// The exchanges of the library, for a daemon; a file that cannot be read lists none.
    func syncRemotes() throws -> SyncRemotes {
        let path = try library().path
        // The daemon watches it, so it should be there.
        try? LocalFolder(Environment.configFolder).makePrivate(from: Environment.configFolder)
        return SyncRemotes(in: Environment.configFolder) {
            ((try? Remotes(of: Invocation.open(path)))?.list ?? []).map(\.folder)
        }
    }
}
