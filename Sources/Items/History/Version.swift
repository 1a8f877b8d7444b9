public import JSONFormat

/// What an item was, and which versions it came from: a file in history/ that never changes. Documentation/Merge.md § 1.
///
/// The file is canonical JSON with `parents`, `item`, `text`, `files` and `resolved`, in this order. It has no time,
/// device or kind of its own, so that equal content with equal parents is one file, on every device.
package struct Version: Sendable {
    /// A file of the saved page or the document, as a version records it.
    package struct File: Hashable, Sendable {
        /// Relative to the item's folder.
        package let path: String
        package let sha256: ContentHash
        /// In bytes.
        package let size: Int

        package init(path: String, sha256: ContentHash, size: Int) {
            self.path = path
            self.sha256 = sha256
            self.size = size
        }

        /// Whether the file has this path. A name in another form of normalisation is that of another file.
        package func isAt(_ path: String) -> Bool { self.path.utf8.elementsEqual(path.utf8) }

        package static func == (one: Self, two: Self) -> Bool {
            one.sha256 == two.sha256 && one.size == two.size && one.isAt(two.path)
        }

        package func hash(into hasher: inout Hasher) {
            // Of files with one hash few have another path.
            hasher.combine(sha256)
        }
    }

    /// The largest file that is read as a version: an item.json of the largest size, indented by one more level.
    package static let byteLimit = 64 << 20

    /// The SHA-256 of `bytes`.
    package let name: ContentHash
    /// The file, in canonical JSON.
    package let bytes: [UInt8]
    /// Names of the versions it came from, sorted; empty for a root.
    package let parents: [ContentHash]
    /// The members of item.json.
    package let item: [JSON.Member]
    /// The SHA-256 of text.md; `nil` without one.
    package let text: ContentHash?
    /// The files of the page and the document, sorted by path.
    package let files: [File]
    /// Paths of the conflicts that this version ends, relative to the item's folder, sorted.
    package let resolved: [String]
    /// Whether programs may have changed the state since `updatedAt`, before anything noted a version. Only a root says so.
    package let isEdited: Bool

    /// Makes the version of a state. The order of parents, files and conflicts does not matter.
    package init(
        parents: [ContentHash], item: [JSON.Member], text: ContentHash? = nil, files: [File] = [],
        resolved: [String] = [], isEdited: Bool = false
    ) {
        self.isEdited = isEdited && parents.isEmpty
        self.parents = Set(parents).sorted()
        self.item = item
        self.text = text
        self.files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        self.resolved = resolved.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let listed = self.files.map { file in
            JSON.members([
                ("path", .string(file.path)), ("sha256", .string(file.sha256.hex)), ("size", .integer(file.size)),
            ])
        }
        bytes = JSONWriter.file(
            .members([
                ("parents", .strings(self.parents.map(\.hex))), ("item", .object(item)),
                ("text", text.map { .string($0.hex) }), ("files", listed.isEmpty ? nil : .array(listed)),
                ("resolved", resolved.isEmpty ? nil : .strings(self.resolved)),
                ("edited", self.isEdited ? .bool(true) : nil),
            ]))
        name = ContentHash(of: bytes)
    }

    /// Reads a version. Keys that this version of the format does not know are passed over.
    ///
    /// - Throws: `VersionFault` if the bytes are no version, or do not have the hash that the file is named by.
    package init(name: ContentHash, bytes: [UInt8]) throws(VersionFault) {
        guard ContentHash(of: bytes) == name else { throw .otherHash }
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(
                parsing: bytes, limits: .init(byteCount: Self.byteLimit, depth: JSONDocument.depthLimit + 1))
        } catch {
            throw .malformed(error)
        }
        let root = document.root
        guard let parents = try document.list("parents") else { throw .lacks("parents") }
        guard let item = document.member("item", of: root), document.kind(item) == .object else { throw .lacks("item") }
        var names: Set<ContentHash> = [], files: [File] = [], resolved: [String] = []
        for parent in parents { names.insert(try document.hash(parent, "parents")) }
        for file in try document.list("files") ?? [] { files.append(try document.file(file)) }
        for path in try document.list("resolved") ?? [] {
            guard let path = document.string(path) else { throw .lacks("resolved") }
            resolved.append(path)
        }
        var isEdited = false
        if let value = document.member("edited", of: root) {
            guard case .bool(let flag) = document.exactCopy(value) else { throw .lacks("edited") }
            isEdited = flag
        }
        var text: ContentHash?
        if let value = document.member("text", of: root) { text = try document.hash(value, "text") }
        self.name = name
        self.bytes = bytes
        self.parents = names.sorted()
        self.item = document.exactMembers(item)
        if bytes.count > JSONDocument.byteLimit {
            let byteCount = JSONWriter.file(.object(self.item)).count
            if byteCount > JSONDocument.byteLimit { throw .tooLarge(byteCount: byteCount) }
        }
        self.text = text
        self.files = files
        self.resolved = resolved
        self.isEdited = isEdited && names.isEmpty
    }
}

/// Why a file in history/ is no version.
public enum VersionFault: Error, Equatable {
    /// The bytes do not have the hash that names the file.
    case otherHash
    /// The file is no JSON, or above a limit of depth or size.
    case malformed(JSONError)
    /// A required key is absent or has a value of another type.
    case lacks(String)
    /// The file has more bytes than any version, or its item more than any item.json.
    case tooLarge(byteCount: Int)
    /// Its `id` is not that of the item in whose folder it is.
    case otherItem
}

extension VersionFault: CustomStringConvertible {
    /// The reason, for a person.
    public var description: String {
        switch self {
        case .otherHash: "does not match the hash in its name"
        case .malformed(let error): error.mismatch
        case .lacks(let key): "is no version: \(key) is absent or has a wrong value"
        case .tooLarge(let byteCount):
            "has \(ByteCount.text(byteCount)), more than any version: it was not read"
        case .otherItem: "is of another item: its id is not the folder's name"
        }
    }
}

extension Version {
    /// Whether its item may be of a folder: without an `id`, the folder's name is the id.
    func isOf(_ id: ItemID) -> Bool {
        guard let value = item.first(where: { $0.key.utf8.elementsEqual(ItemField.id.key.utf8) })?.value else {
            return true
        }
        switch value {
        case .string(let text): return ItemID(text) == id
        case .null: return true
        default: return false
        }
    }
}

extension JSONDocument {
    /// The elements of an array of the root; `nil` if the key is absent.
    fileprivate func list(_ key: String) throws(VersionFault) -> [Value]? {
        guard let value = member(key, of: root) else { return nil }
        if kind(value) == .array { return elements(value) }
        throw .lacks(key)
    }

    fileprivate func hash(_ value: Value, _ key: String) throws(VersionFault) -> ContentHash {
        guard let hash = string(value).flatMap({ ContentHash(hex: $0.utf8) }) else { throw .lacks(key) }
        return hash
    }

    fileprivate func file(_ value: Value) throws(VersionFault) -> Version.File {
        guard let path = member("path", of: value).flatMap({ string($0) }), let digest = member("sha256", of: value),
            let size = member("size", of: value).flatMap({ Int(String(decoding: spelling($0), as: UTF8.self)) })
        else { throw .lacks("files") }
        return Version.File(path: path, sha256: try hash(digest, "files"), size: size)
    }
}
