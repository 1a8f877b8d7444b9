internal import JSONFormat
internal import Time

/// The contents of a file in collections/, tags/ or smart/: FORMAT.md § 9.
public struct NamedFile: Sendable {
    /// Which of the three folders holds the file.
    public let folder: NamedFolder
    /// The file's name in the folder. A person may have given it another name than the one that follows from `name`.
    public let file: String
    /// The name, collapsed, as it is compared.
    public let name: String
    /// As spelt in the file; it need not be a `Colour`.
    public let colour: String?
    /// The icon's name as spelt in the file; `nil` if the file names none.
    public let icon: String?
    /// The rank; a finite number.
    public let order: Double?
    /// The query of a smart folder, where it is never `nil` unless the name was deleted.
    public let query: String?
    /// Whether the file says that a person deleted the name, so that it does not come back from another copy.
    package let isDeleted: Bool

    /// Relative to the library's folder.
    public var path: String { folder.path + "/" + file }

    /// Whether the file's name follows from `name`.
    package var isNamedRight: Bool { Layout.settingsFile(named: name) == file }

    /// - Throws: `ItemError.malformed`, or `.unsuitable` with line and column, if a required key is missing or wrong.
    package init(folder: NamedFolder, file: String, bytes: [UInt8]) throws(ItemError) {
        let path = folder.path + "/" + file
        let json: JSONDocument
        do throws(JSONError) {
            json = try JSONDocument(parsing: bytes)
        } catch {
            throw .malformed(path: path, error)
        }
        try self.init(folder: folder, file: file, json: json)
    }

    init(folder: NamedFolder, file: String, json: JSONDocument) throws(ItemError) {
        self.folder = folder
        self.file = file
        let path = folder.path + "/" + file
        guard json.kind(json.root) == .object else {
            throw Self.unsuitable(path, json.root, json, .noObject(json.kind(json.root)))
        }
        name = TagList.collapsed(try Self.required("name", json, path))
        if name.isEmpty {
            throw Self.unsuitable(path, json.member("name", of: json.root) ?? json.root, json, .emptyName)
        }
        isDeleted = json.member(Self.deletedKey, of: json.root).map { json.kind($0) == .string } ?? false
        query = folder == .smart && !isDeleted ? try Self.required("query", json, path) : nil
        colour = json.member("colour", of: json.root).flatMap { json.string($0) }
        icon = json.member("icon", of: json.root).flatMap { json.string($0) }
        order = json.member("order", of: json.root).flatMap { value in
            guard json.kind(value) == .number else { return nil }
            return Double(String(decoding: json.spelling(value), as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
        }
    }

    private static func required(_ key: String, _ json: JSONDocument, _ path: String) throws(ItemError) -> String {
        guard let value = json.member(key, of: json.root) else {
            throw unsuitable(path, json.root, json, .noKey(key))
        }
        guard let text = json.string(value) else {
            throw unsuitable(path, value, json, .noString(key: key, json.kind(value)))
        }
        return text
    }

    private static func unsuitable(
        _ path: String, _ value: JSONDocument.Value, _ json: JSONDocument, _ why: Unsuitability
    ) -> ItemError {
        let position = json.position(value)
        return .unsuitable(path: "\(path):\(position.line):\(position.column)", why)
    }

    /// Whether two names mean the same collection, tag or smart folder.
    public static func areSame(_ a: String, _ b: String) -> Bool {
        Layout.settingsFile(named: a) == Layout.settingsFile(named: b)
    }

    /// Whether `a` comes first: files with a rank by rank, smallest first; then the others by name.
    package static func precedes(_ a: NamedFile, _ b: NamedFile) -> Bool {
        (a.order ?? .infinity, a.name.lowercased(), a.name) < (b.order ?? .infinity, b.name.lowercased(), b.name)
    }

    /// The key of the time at which a name was deleted.
    package static let deletedKey = "deletedAt"

    /// The file that says that a name was deleted.
    ///
    /// - Parameter state: what was deleted.
    static func deleted(_ name: String, at time: Timestamp, _ state: NamedState) -> [UInt8] {
        JSONWriter.file(
            .members([
                ("name", .string(name)), (deletedKey, .string(time.rfc3339)),
                (NamedState.hashKey, .string(state.hash.hex)), (NamedState.timeKey, .string(state.time.rfc3339)),
            ]))
    }

    /// The place of a key in a new file.
    static func rank(_ key: String) -> Int? {
        ["name", "query", "colour", "icon", "order"].firstIndex { $0.utf8.elementsEqual(key.utf8) }
    }
}
