package import Files
package import JSONFormat
internal import Time

/// What an item's files are now, as a version records them.
package struct LiveState: Sendable {
    /// The item's folder, relative to the library's.
    package let folder: String
    /// The bytes of item.json.
    package let itemBytes: [UInt8]
    /// The members of item.json.
    package let members: [JSON.Member]
    /// The bytes of text.md; `nil` without one.
    package let text: [UInt8]?
    /// The files of the page and the document, sorted by path.
    package let files: [Version.File]
    /// The hashes of all components.
    package let hashes: StateHashes
    /// The status of each file, by its path relative to the item's folder.
    package let statuses: [String: FileStatus]
    /// The paths of files that are away: an exchange holds their bytes.
    package var away: Set<String> = []
    /// The paths of files that are damaged. `files` has them with the hashes that were recorded, but for those of which nothing
    /// says how many bytes they had.
    package var damaged: Set<String> = []

    /// A version of this state.
    package func version(_ parents: [ContentHash], resolved: [String] = []) -> Version {
        Version(parents: parents, item: members, text: hashes.text, files: files, resolved: resolved)
    }

    /// The status of the file of a component that was modified last; `nil` without one.
    package func status(of component: Component) -> FileStatus? {
        switch component {
        case .item: return statuses[Layout.itemFile]
        case .text: return statuses[Layout.textFile]
        case .page, .document: return paths(of: component).compactMap { statuses[$0] }.max { $0.modified < $1.modified }
        }
    }

    /// `updatedAt` in milliseconds since 1970; `nil` without a valid one.
    package var updatedAt: Int64? { time(.updatedAt) }

    /// The time in a field, in milliseconds since 1970; `nil` without a valid one.
    package func time(_ field: ItemField) -> Int64? {
        guard case .string(let text)? = members.first(where: { $0.key.utf8.elementsEqual(field.key.utf8) })?.value
        else { return nil }
        return Timestamp(text)?.milliseconds
    }

    /// Whether a program changed the document since sbfs stored it: it has another hash than item.json says.
    package var hasEditedDocument: Bool {
        guard let hash = documentHash else { return false }
        let documents = files.filter { Component(of: $0) == .document }
        return !documents.isEmpty && !documents.contains { $0.sha256 == hash }
    }

    /// The hash of the document as sbfs stored it; `nil` if item.json does not say.
    package var documentHash: ContentHash? { Self.documentHash(in: members) }

    /// The hash of the document as sbfs stored it, in the members of an item.json; `nil` if it does not say.
    package static func documentHash(in members: [JSON.Member]) -> ContentHash? {
        let key = ItemField.documentSHA256.key.utf8
        guard case .string(let text)? = members.first(where: { $0.key.utf8.elementsEqual(key) })?.value
        else { return nil }
        return ContentHash(hex: text.utf8)
    }

    /// The path of the document that item.json names, relative to the item's folder; `nil` if it names none.
    package var documentPath: String? {
        let key = ItemField.documentRelativePath.key.utf8
        guard case .string(let path)? = members.first(where: { $0.key.utf8.elementsEqual(key) })?.value else {
            return nil
        }
        return path
    }

    /// Whether no program changed a file since sbfs wrote it: it was modified at most two seconds after `updatedAt`, which
    /// editors leave alone. A component without a file was not changed.
    package func isAsWritten(_ component: Component) -> Bool { isAsWritten(component, at: updatedAt) }

    /// The same since a time in milliseconds.
    package func isAsWritten(_ component: Component, at time: Int64?) -> Bool {
        guard let status = status(of: component) else { return true }
        return time.map { status.modified / 1_000_000 <= $0 + 2000 } ?? false
    }

    /// The paths of the files of a component, relative to the item's folder.
    package func paths(of component: Component) -> [String] {
        switch component {
        case .item: [Layout.itemFile]
        case .text: statuses[Layout.textFile] == nil ? [] : [Layout.textFile]
        case .page, .document: files.filter { Component(of: $0) == component }.map(\.path)
        }
    }
}

extension LiveState {
    /// The state with more files, whose bytes are not in the item's folder because the item elsewhere has the same.
    ///
    /// - Parameters:
    ///   - files: those of the page and the document; one at a path that this state has is passed over.
    ///   - other: the state that has their status.
    package func adding(_ files: [Version.File], of other: LiveState) -> LiveState {
        let paths = Set(self.files.map(\.path))
        let more = files.filter { !paths.contains($0.path) }
        if more.isEmpty { return self }
        let all = (self.files + more).sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        var statuses = statuses
        for file in more { statuses[file.path] = other.statuses[file.path] }
        return LiveState(
            folder: folder, itemBytes: itemBytes, members: members, text: text, files: all,
            hashes: StateHashes(item: members, text: hashes.text, files: all), statuses: statuses, away: away,
            damaged: damaged)
    }
}

extension ItemStore {
    /// Whether a component was written on this device.
    ///
    /// Tools that copy make a new file and give it the modification time of the original. So it was modified before it was
    /// born. A file that was moved here later was not. Where the file system tells no birth, the status of a file from here
    /// changed when it was modified.
    ///
    /// - Parameters:
    ///   - known: the files as they were hashed last. A second name that this device gave one does not count.
    ///   - old: the files of the state before. Only others say who wrote a page: some of its files may have come earlier.
    package func isWrittenHere(
        _ component: Component, of live: LiveState, known: [KnownFile] = [], since old: [Version.File] = []
    ) throws(ItemError) -> Bool {
        let known = known.byPath, old = Set(old)
        let new = live.files.filter { Component(of: $0) == component && !old.contains($0) }.map(\.path)
        for path in new.isEmpty ? live.paths(of: component) : new {
            // A file that is away was looked at before it went.
            guard let status = live.statuses[path], !live.away.contains(path) else { continue }
            let changed = known[path].flatMap { $0.isOf(status) ? $0.written : nil } ?? status.changed
            let birth = try files { () throws(FileError) -> Int64 in
                try root.file(live.folder + "/" + path).birth()
            }
            if !Self.isWrittenHere(birth: birth, modified: status.modified, changed: changed) { return false }
        }
        return true
    }

    /// Whether the times of a file, in nanoseconds since 1970, are those of one that was written on this device.
    ///
    /// - Parameter birth: 0 if the file system does not tell it.
    package static func isWrittenHere(birth: Int64, modified: Int64, changed: Int64) -> Bool {
        if birth > modified || modified > changed + localNanoseconds { return false }
        return birth != 0 || changed <= modified + localNanoseconds
    }

    /// 50 ms: Documentation/Merge.md § 2, rule 4.
    private static let localNanoseconds: Int64 = 50_000_000
}

/// The hash of a file of a page or a document, and the file's status then, so that it need not be read again.
package struct KnownFile: Sendable {
    package let file: Version.File
    /// Nanoseconds since 1970.
    package let modified: Int64
    package private(set) var changed: Int64
    package let inode: UInt64
    /// The time of change before this device gave the file a second name, in nanoseconds since 1970; `nil` if it did not.
    package private(set) var written: Int64?

    package init(file: Version.File, modified: Int64, changed: Int64, inode: UInt64, written: Int64? = nil) {
        self.file = file
        self.modified = modified
        self.changed = changed
        self.inode = inode
        self.written = written
    }

    /// A record of another time or device: it says nothing of the file that is here now, which is always read.
    package init(recorded file: Version.File, modified: Int64) {
        self.init(file: file, modified: modified, changed: 0, inode: 0)
    }

    init(_ file: Version.File, _ status: FileStatus) {
        self.init(file: file, modified: status.modified, changed: status.changed, inode: status.inode)
    }

    /// Notes that this device gave the file a second name.
    ///
    /// - Parameter changed: the file's time of change since.
    package mutating func secondName(_ changed: Int64) {
        written = written ?? self.changed
        self.changed = changed
    }

    /// Whether a file that has other bytes now is damaged: no program that saves a file leaves its time of modification, and a
    /// file that is empty now lost its bytes in a power cut or on a full disk.
    ///
    /// Some file systems know whole seconds alone: a file that was changed in the seconds after such a time may have been saved
    /// twice, and one with another size was.
    package func isDamaged(_ status: FileStatus) -> Bool {
        if status.byteCount == 0 { return file.size > 0 }
        let second: Int64 = 1_000_000_000
        if status.modified % second == 0, abs(status.changed - status.modified) <= 2 * second { return false }
        return !isSaved(status.modified, byteCount: status.byteCount)
    }

    /// Whether a program saved the file since: by its time of modification in nanoseconds since 1970, and where that is a whole
    /// second, by its size.
    package func isSaved(_ modified: Int64, byteCount: Int) -> Bool {
        Self.isSaved((modified, byteCount), since: (self.modified, file.size))
    }

    /// The same of a file of which only time and size are known.
    package static func isSaved(
        _ now: (modified: Int64, byteCount: Int), since then: (modified: Int64, byteCount: Int)
    ) -> Bool {
        now.modified != then.modified || now.byteCount != then.byteCount && now.modified % 1_000_000_000 == 0
    }

    func isOf(_ status: FileStatus) -> Bool {
        status.byteCount == file.size && status.modified == modified && status.changed == changed
            && status.inode == inode
    }
}

extension [KnownFile] {
    /// The first of each path.
    package var byPath: [String: KnownFile] {
        Dictionary(map { ($0.file.path, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension LiveState {
    /// Whether the document is a file that was known under another name: a program renamed it. One that copies makes a new file.
    package func isDocumentRenamed(since known: [KnownFile]) -> Bool {
        guard let file = files.first(where: { Component(of: $0) == .document }), let status = statuses[file.path] else {
            return false
        }
        return known.contains {
            Component(of: $0.file) == .document && $0.file.path != file.path && $0.file.sha256 == file.sha256
                && $0.inode == status.inode && $0.modified == status.modified
        }
    }

    /// The files of the page and the document with their status, for `ItemStore.live`.
    ///
    /// - Parameter known: the files as they were hashed before; what is said there of an unchanged one stays.
    package func knownFiles(after known: [KnownFile]) -> [KnownFile] {
        let known = known.byPath
        return files.filter { !away.contains($0.path) }.compactMap { file in
            guard let status = statuses[file.path] else { return nil }
            // It is read each time until it is mended.
            if damaged.contains(file.path) {
                return known[file.path] ?? KnownFile(recorded: file, modified: status.modified)
            }
            if let known = known[file.path], known.isOf(status) { return known }
            return KnownFile(file, status)
        }
    }
}

/// The files of an item that a version records, with their status; of the page and the document nothing is read.
package struct ItemGlance: Sendable {
    /// The item's folder, relative to the library's.
    package let folder: String
    /// item.json.
    package let stored: StoredItem
    /// The bytes of text.md; `nil` without one.
    package let text: [UInt8]?
    /// The status of each file, by its path relative to the item's folder.
    package let statuses: [String: FileStatus]
    /// Files that are away, by their paths; `statuses` has them, too.
    package var away: [String: Version.File] = [:]

    /// Whether two copies of an item have equal item.json and text.md, and their other files equal paths, sizes and
    /// modification times.
    package func looksEqual(_ other: ItemGlance) -> Bool {
        guard stored.json.bytes == other.stored.json.bytes, text == other.text,
            statuses.count == other.statuses.count
        else { return false }
        return statuses.allSatisfy { path, status in
            if path == Layout.itemFile || path == Layout.textFile { return true }
            return other.statuses[path].map { $0.byteCount == status.byteCount && $0.modified == status.modified }
                ?? false
        }
    }
}

extension ItemStore {
    /// Reads item.json and text.md of an item, and looks at its other files.
    ///
    /// A document that lies loose in the item's folder does not belong to it: no version records it.
    ///
    /// - Parameter folder: the item's, relative to the library's.
    /// - Returns: `nil` if there is no item.json, and for one with a lone surrogate in a key, which no version can hold.
    /// - Throws: `ItemError.malformed` or `.fault` if item.json cannot be used, `.file` if a file cannot be read.
    package func glance(_ id: ItemID, in folder: String) throws(ItemError) -> ItemGlance? {
        guard let stored = try item(id, in: folder), !stored.json.hasLoneSurrogateInKey(stored.json.root) else {
            return nil
        }
        var statuses = [Layout.itemFile: stored.status]
        var text: [UInt8]?
        if stored.text != nil {
            let contents = try files { () throws(FileError) in
                try root.contentsIfPresent(of: folder + "/" + Layout.textFile, limit: Layout.textByteLimit)
            }
            text = contents?.bytes
            statuses[Layout.textFile] = contents?.status
        }
        try files { () throws(FileError) in
            let item = try root.directory(folder)
            for path in try Self.recordedPaths(of: stored, in: item) {
                guard let status = try item.statusIfPresent(of: path), status.kind == .regular else { continue }
                statuses[path] = status
            }
        }
        var away: [String: Version.File] = [:]
        for file in stored.away?.all ?? [] where statuses[file.file.path] == nil {
            statuses[file.file.path] = file.status
            away[file.file.path] = file.file
        }
        return ItemGlance(folder: folder, stored: stored, text: text, statuses: statuses, away: away)
    }

    /// The state of an item's files now. A damaged file counts as it was recorded: damage is no edit.
    ///
    /// - Parameters:
    ///   - folder: the item's, relative to the library's.
    ///   - known: hashes of files that need not be read if they look unchanged, and what tells damage.
    /// - Returns: as `glance`.
    /// - Throws: as `glance`.
    package func live(_ id: ItemID, in folder: String, known: [KnownFile] = []) throws(ItemError) -> LiveState? {
        guard let glance = try glance(id, in: folder) else { return nil }
        return try live(glance, known: known)
    }

    /// The state of the files that a glance saw, with hashes.
    ///
    /// - Parameters:
    ///   - known: hashes of files that need not be read if they look unchanged.
    ///   - isWhole: whether the files are as another device had them whole, so that the item need not tell damage.
    /// - Throws: `ItemError.file` if a file cannot be read.
    package func live(
        _ glance: ItemGlance, known: [KnownFile] = [], isWhole: Bool = false
    ) throws(ItemError) -> LiveState {
        var found: [Version.File] = []
        var damaged: Set<String> = []
        var unknown: [(file: Version.File, status: FileStatus)] = []
        let cache = known.byPath
        try files { () throws(FileError) in
            let item = try root.directory(glance.folder)
            for (path, status) in glance.statuses where path != Layout.itemFile && path != Layout.textFile {
                if let file = glance.away[path] {
                    found.append(file)
                } else if let known = cache[path], known.isOf(status) {
                    found.append(known.file)
                } else if let file = try Self.hashed(path, in: item) {
                    guard let known = cache[path] else {
                        unknown.append((file, status))
                        continue
                    }
                    if known.file.sha256 != file.sha256, known.isDamaged(status) {
                        damaged.insert(path)
                        found.append(known.file)
                    } else {
                        found.append(file)
                    }
                }
            }
        }
        var records = RecordedFiles(glance.stored, in: self)
        for (file, status) in unknown {
            let record = isWhole ? nil : try records.damage(file, status)
            if record != nil { damaged.insert(file.path) }
            switch record {
            case nil: found.append(file)
            case .whole(let recorded): found.append(recorded)
            case .unsized: break
            }
        }
        found.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        let json = glance.stored.json
        let members = json.exactMembers(json.root)
        return LiveState(
            folder: glance.folder, itemBytes: json.bytes, members: members, text: glance.text, files: found,
            hashes: StateHashes(item: members, text: glance.text.map { ContentHash(of: $0) }, files: found),
            statuses: glance.statuses, away: Set(glance.away.keys), damaged: damaged)
    }

    private static func recordedPaths(of stored: StoredItem, in item: borrowing Directory) throws(FileError) -> [String]
    {
        var paths: [String] = []
        if stored.parts.contains(.page) { paths.append(Layout.pageFile) }
        if stored.parts.contains(.reader) { paths.append(Layout.readerFile) }
        if stored.parts.contains(.assets) {
            for entry in try item.directory(Layout.assets).entries() where entry.kind == .regular {
                guard let name = entry.name.string, !Layout.isTemporary(name) else { continue }
                paths.append(Layout.assets + "/" + name)
            }
        }
        if let document = stored.document, !document.isLoose { paths.append(document.path) }
        return paths
    }

    /// Reads a file to its end.
    ///
    /// - Returns: the file with its hash and its size, as it was read.
    package static func hashed(_ path: String, in item: borrowing Directory) throws(FileError) -> Version.File? {
        let file = try item.file(path)
        var hash = SHA256()
        var size = 0
        while true {
            let chunk = try file.readChunk(1 << 20)
            if chunk.isEmpty { break }
            size += chunk.count
            hash.update(chunk)
        }
        return ContentHash(hex: hash.finish().utf8).map { Version.File(path: path, sha256: $0, size: size) }
    }
}
