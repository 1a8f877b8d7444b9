internal import Files
internal import JSONFormat

/// A file or link of a view, as the manifest has it: DeviceFiles.md § D8.
struct ViewEntry: Sendable, Equatable {
    enum Content: Sendable, Equatable {
        /// A regular file with these bytes; the hash has 64 digits.
        case file(byteCount: Int, sha256: String)
        /// A symbolic link.
        case link(target: String)
    }

    /// Relative to the view's folder.
    let path: String
    let part: ViewPart
    let content: Content
    /// The library's file when it was copied; `nil` for bytes that were made.
    var source: FileLook?
    /// The view's file after it was written; `nil` while it is written.
    var seen: FileLook?
    /// The name of the temporary file, while the entry is written or removed.
    var temporary: String?
    /// `user.xdg.tags` and `user.xdg.origin.url` as they were set.
    var tags: String?
    var origin: String?

    init(path: String, part: ViewPart, content: Content, source: FileLook? = nil) {
        self.path = path
        self.part = part
        self.content = content
        self.source = source
    }

    var json: JSON {
        var members: [(String, JSON?)] = [("path", .string(path)), ("part", .string(part.rawValue))]
        switch content {
        case .file(let byteCount, let sha256):
            members += [("bytes", .integer(byteCount)), ("sha256", .string(sha256))]
        case .link(let target): members.append(("target", .string(target)))
        }
        members += [
            ("source", source.map { .string($0.text) }), ("seen", seen.map { .string($0.text) }),
            ("temporary", temporary.map(JSON.string)), ("tags", tags.map(JSON.string)),
            ("origin", origin.map(JSON.string)),
        ]
        return .members(members)
    }

    init?(_ value: JSONDocument.Value, of json: JSONDocument) {
        func text(_ key: String) -> String? { json.member(key, of: value).flatMap { json.string($0) } }
        guard let path = text("path"), Directory.isSafe(path), let part = text("part").flatMap(ViewPart.init) else {
            return nil
        }
        self.path = path
        self.part = part
        if let target = text("target") {
            content = .link(target: target)
        } else if let hash = text("sha256"), hash.utf8.count == 64,
            let bytes = json.member("bytes", of: value).flatMap({
                Int(String(decoding: json.spelling($0), as: UTF8.self))
            })
        {
            content = .file(byteCount: bytes, sha256: hash)
        } else {
            return nil
        }
        source = text("source").flatMap(FileLook.init)
        seen = text("seen").flatMap(FileLook.init)
        temporary = text("temporary")
        tags = text("tags")
        origin = text("origin")
    }
}

/// What stat(2) shows of a version of a file.
struct FileLook: Sendable, Hashable {
    let byteCount: Int
    let modified: Int64
    let changed: Int64
    let inode: UInt64

    init(_ status: FileStatus) {
        byteCount = status.byteCount
        modified = status.modified
        changed = status.changed
        inode = status.inode
    }

    var text: String { "\(byteCount) \(modified) \(changed) \(inode)" }

    init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 4, let byteCount = Int(parts[0]), let modified = Int64(parts[1]),
            let changed = Int64(parts[2]), let inode = UInt64(parts[3])
        else { return nil }
        self.byteCount = byteCount
        self.modified = modified
        self.changed = changed
        self.inode = inode
    }
}

/// What the manifest has of one item.
struct ViewItem: Sendable, Equatable {
    /// The name in All, or `nil` in a view of documents.
    var name: String?
    var entries: [ViewEntry] = []

    /// One line.
    var bytes: [UInt8] {
        var writer = JSONWriter(.oneLine)
        writer.write(.members([("name", name.map(JSON.string)), ("entries", .array(entries.map(\.json)))]))
        return writer.bytes
    }

    init(name: String? = nil, entries: [ViewEntry] = []) {
        self.name = name
        self.entries = entries
    }

    init?(line: [UInt8]) {
        guard let json = try? JSONDocument(parsing: line), let list = json.member("entries", of: json.root) else {
            return nil
        }
        name = json.member("name", of: json.root).flatMap { json.string($0) }
        for value in json.elements(list) {
            guard let entry = ViewEntry(value, of: json) else { return nil }
            entries.append(entry)
        }
    }

    /// The entries of each path. An item whose files were between two states has several for one path.
    var byPath: [[UInt8]: [ViewEntry]] { Dictionary(grouping: entries) { Array($0.path.utf8) } }
}
