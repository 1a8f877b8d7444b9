internal import Files
public import JSONFormat

/// One entry of a step: a change, with all that undoing it needs.
///
/// A record is written before its change. If a process is killed, its last records may describe changes that never
/// happened, so undoing compares each record with the current state. DeviceFiles.md § D6.
public enum JournalRecord: Sendable {
    /// New items.
    case added([AddedItem])
    /// Members of an item.json that change, with old and new values; without `id` and `updatedAt`.
    case fields(ItemID, old: JSONDocument, new: JSONDocument)
    /// text.md, or a file beside the items: library.json, a file of collections/, tags/, smart/ or inbox/, a
    /// tombstone.
    case bytes(Subject, old: Content?, new: Content?)
    /// The document that is replaced or removed, and the one that takes its place. The old one is kept beside the
    /// step.
    case document(ItemID, old: KeptDocument?, new: NewDocument?)
    /// A file of a conflict that gets another place: paths relative to the library's folder, and the hash of its content, 64 hexadecimal
    /// digits.
    case moved(ItemID, MovedFile)
    /// A change that cannot be undone.
    case lasting(ItemID, Lasting)
    /// The record with this number, from 0, is void: its change was not made.
    case void(Int)
    /// The command finished.
    case end(StepEnd)

    /// The file that a `bytes` record is about.
    public enum Subject: Hashable, Sendable {
        case text(ItemID)
        /// A path relative to the library's folder.
        case file(String)
    }

    /// A file's bytes, as far as the journal keeps them.
    public struct Content: Sendable {
        /// The length of the whole file in bytes, also where `bytes` is `nil`.
        public let byteCount: Int
        /// 16 digits of the SHA-256.
        package let hash: String
        /// `nil` for a new text that is too long to keep, and until the bytes are read.
        public var bytes: [UInt8]?

        init(_ bytes: [UInt8]) {
            byteCount = bytes.count
            hash = StagedName.hash(bytes)
            self.bytes = bytes
        }

        init(byteCount: Int, hash: String) {
            self.byteCount = byteCount
            self.hash = hash
        }
    }

    /// A document that the journal keeps.
    public struct KeptDocument: Sendable {
        /// The document's name in the item.
        public let name: String
        /// The file's name in the step's folder.
        package let kept: String
    }

    /// A document as it was put in place.
    public struct NewDocument: Sendable {
        /// The document's name in the item.
        public let name: String
        /// The hash of its content, 64 hexadecimal digits.
        package let sha256: String
    }

    /// A file that lost a conflict, or the one that stood, as a step moved it.
    public struct MovedFile: Sendable {
        /// Where it was, relative to the library's folder.
        public let from: String
        /// Where it is, relative to the library's folder.
        public let to: String
        /// The hash of its content, 64 hexadecimal digits.
        package let sha256: String
    }

    /// Why a change cannot be undone.
    public enum Lasting: String, Sendable {
        case purge, archive, repair
    }
}

/// Counts that a finished command records.
public struct StepEnd: Sendable {
    /// New items.
    public var added = 0
    /// Changed items, without new ones.
    public var items = 0
    /// Changed files beside the items, each counted once.
    public var files = 0
    /// Changes that cannot be undone.
    public var lasting = 0
    /// For an undo: items and files that it left unchanged.
    public var left = 0

    /// Whether the step changed nothing: its command failed before.
    public var isEmpty: Bool { added + items + files + lasting + left == 0 }
}

// MARK: Writing

extension JournalRecord {
    var frame: [UInt8] {
        var writer = JSONWriter(.oneLine)
        writer.write(json)
        return JournalFormat.frame(json: writer.bytes, further: further)
    }

    private var json: JSON {
        switch self {
        case .added(let items):
            .members([
                ("added", .strings(items.map(\.id.description))), ("states", .strings(items.map { $0.state ?? "" })),
            ])
        case .fields(let id, let old, let new):
            .members([
                ("item", .string(id.description)), ("old", old.copy(old.root)), ("new", new.copy(new.root)),
            ])
        case .bytes(let subject, let old, let new):
            .members([
                ("item", subject.id.map { .string($0.description) }), ("file", .string(subject.file)),
                ("oldByteCount", old.map { .integer($0.byteCount) }), ("oldHash", old.map { .string($0.hash) }),
                ("newByteCount", new.map { .integer($0.byteCount) }), ("newHash", new.map { .string($0.hash) }),
            ])
        case .document(let id, let old, let new):
            .members([
                ("item", .string(id.description)),
                ("oldDocument", old.map { .members([("name", .string($0.name)), ("kept", .string($0.kept))]) }),
                ("newDocument", new.map { .members([("name", .string($0.name)), ("sha256", .string($0.sha256))]) }),
            ])
        case .moved(let id, let file):
            .members([
                ("item", .string(id.description)), ("from", .string(file.from)), ("to", .string(file.to)),
                ("sha256", .string(file.sha256)),
            ])
        case .lasting(let id, let what):
            .members([("item", .string(id.description)), ("lasting", .string(what.rawValue))])
        case .void(let number): .members([("void", .integer(number))])
        case .end(let end):
            .members([
                (
                    "end",
                    .members([
                        ("added", .integer(end.added)), ("items", .integer(end.items)), ("files", .integer(end.files)),
                        ("lasting", .integer(end.lasting)), ("left", .integer(end.left)),
                    ])
                )
            ])
        }
    }

    /// After the JSON: the old bytes, then the new ones, if they are kept.
    private var further: [UInt8] {
        guard case .bytes(_, let old, let new) = self else { return [] }
        let kept = new.map { $0.byteCount <= JournalFormat.newTextByteLimit } ?? false
        return (old?.bytes ?? []) + (kept ? new?.bytes ?? [] : [])
    }
}

extension JournalRecord.Subject {
    var id: ItemID? { if case .text(let id) = self { id } else { nil } }

    var file: String {
        switch self {
        case .text: Layout.textFile
        case .file(let path): path
        }
    }
}

// MARK: Reading

extension JournalRecord {
    /// Limits for two item.json and the members around them.
    static let jsonLimits = JSONDocument.Limits(byteCount: 40 << 20, depth: JSONDocument.depthLimit + 4)

    /// - Returns: `nil` for a record that this version does not know or that makes no sense.
    init?(json bytes: [UInt8]) {
        guard let json = try? JSONDocument(parsing: bytes, limits: Self.jsonLimits) else { return nil }
        func member(_ key: String) -> JSONDocument.Value? { json.member(key, of: json.root) }
        func text(_ key: String) -> String? { member(key).flatMap { json.string($0) } }
        func count(_ key: String) -> Int? { member(key).flatMap { json.count($0) } }
        func content(_ prefix: String) -> Content? {
            guard let byteCount = count(prefix + "ByteCount"), let hash = text(prefix + "Hash") else { return nil }
            return Content(byteCount: byteCount, hash: hash)
        }
        let id = text("item").flatMap(ItemID.init)
        if let added = member("added") {
            let states = member("states").map { json.elements($0).map { json.string($0) } } ?? []
            self = .added(
                json.elements(added).enumerated().compactMap { place, value in
                    let state = place < states.count ? states[place] : nil
                    return json.string(value).flatMap(ItemID.init)
                        .map { AddedItem($0, state: state == "" ? nil : state) }
                })
        } else if let number = count("void") {
            self = .void(number)
        } else if let end = member("end") {
            func part(_ key: String) -> Int { json.member(key, of: end).flatMap { json.count($0) } ?? 0 }
            self = .end(
                StepEnd(
                    added: part("added"), items: part("items"), files: part("files"), lasting: part("lasting"),
                    left: part("left")))
        } else if let file = text("file") {
            if let id, file == Layout.textFile {
                self = .bytes(.text(id), old: content("old"), new: content("new"))
            } else if id == nil, Self.isSupportFile(file) {
                self = .bytes(.file(file), old: content("old"), new: content("new"))
            } else {
                return nil
            }
        } else if let id, let from = text("from"), let to = text("to"), let sha256 = text("sha256") {
            guard Self.isMovable(from, of: id), Self.isMovable(to, of: id) else { return nil }
            self = .moved(id, MovedFile(from: from, to: to, sha256: sha256))
        } else if let id, let word = text("lasting"), let what = Lasting(rawValue: word) {
            self = .lasting(id, what)
        } else if let id, let old = member("old"), let new = member("new"),
            let before = json.part(old), let after = json.part(new)
        {
            self = .fields(id, old: before, new: after)
        } else if let id, member("oldDocument") != nil || member("newDocument") != nil {
            func part(_ key: String, _ name: String) -> String? {
                member(key).flatMap { json.member(name, of: $0) }.flatMap { json.string($0) }
            }
            let old = part("oldDocument", "name").flatMap { name in
                part("oldDocument", "kept").map { KeptDocument(name: name, kept: $0) }
            }
            let new = part("newDocument", "name").flatMap { name in
                part("newDocument", "sha256").map { NewDocument(name: name, sha256: $0) }
            }
            if old == nil, new == nil { return nil }
            self = .document(id, old: old, new: new)
        } else {
            return nil
        }
    }

    /// Whether a path is that of a document, or of one of the person's own files, of an item, or of a second name of one. Undoing moves
    /// no other file.
    private static func isMovable(_ path: String, of id: ItemID) -> Bool {
        guard Directory.isSafe(path) else { return false }
        let parts = path.pathComponents
        if parts.starts(with: [Layout.device, Layout.known, id.shard, "\(id).files"]) { return parts.count > 5 }
        let others = [
            Layout.itemFile, Layout.textFile, Layout.assets, Layout.snapshots, Layout.history, Layout.conflicts,
        ]
        return parts.count > 3 && parts[0] == Layout.items && Layout.isShard(parts[1]) && parts[2] == id.description
            && !others.contains(parts[3]) && !Layout.captureFiles.contains(parts[3])
    }

    /// Whether a path is a file beside the items, or a conflict, that a step may record. Undoing writes no other path.
    static func isSupportFile(_ path: String) -> Bool {
        if WriteSession.conflictedItem(path) != nil { return true }
        return switch FullExportPlace(path, isFolder: false) {
        case .settings, .named, .beside: true
        case .layout, .item, .hiddenDocument, .derived, .leftOut: false
        }
    }
}

extension JSONDocument {
    /// A whole number, 0 or more, that fits into an Int.
    package func count(_ value: Value) -> Int? {
        guard kind(value) == .number, let number = Int(String(decoding: spelling(value), as: UTF8.self)), number >= 0
        else { return nil }
        return number
    }

    /// An object within the document, as a separate document.
    fileprivate func part(_ value: Value) -> JSONDocument? {
        guard kind(value) == .object else { return nil }
        return try? JSONDocument(parsing: Array(spelling(value)))
    }
}
