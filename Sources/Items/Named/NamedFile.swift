internal import JSONFormat

/// What a file in collections/, tags/ or smart/ says: FORMAT.md § 9.
public struct NamedFile: Sendable {
    /// Which of the three folders holds the file.
    public let folder: NamedFolder
    /// Its name in the folder; where a hand has named it, not the one that follows from `name`.
    public let file: String
    /// Collapsed, as it is compared.
    public let name: String
    /// As it is spelt there; `Colour` tells whether it is one.
    public let colour: String?
    /// The icon's name as it is spelt there; `nil` where the file gives none.
    public let icon: String?
    /// Finite.
    public let order: Double?
    /// Of a smart folder; there all have one.
    public let query: String?

    /// Relative to the library's folder.
    public var path: String { folder.path + "/" + file }

    /// Whether the file's name follows from `name`.
    public var isNamedRight: Bool { Layout.settingsFile(named: name) == file }

    /// - Throws: `ItemError.malformed`, or `.unsuitable` with line and column, if the file does not say what it must.
    public init(folder: NamedFolder, file: String, bytes: [UInt8]) throws(ItemError) {
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
            throw Self.unsuitable(path, json.root, json, "expected an object, found \(json.kind(json.root).phrase)")
        }
        name = TagList.collapsed(try Self.required("name", json, path))
        if name.isEmpty {
            throw Self.unsuitable(path, json.member("name", of: json.root) ?? json.root, json, "\"name\" is empty")
        }
        query = folder == .smart ? try Self.required("query", json, path) : nil
        colour = json.member("colour", of: json.root).flatMap { json.string($0) }
        icon = json.member("icon", of: json.root).flatMap { json.string($0) }
        order = json.member("order", of: json.root).flatMap { value in
            guard json.kind(value) == .number else { return nil }
            return Double(String(decoding: json.spelling(value), as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
        }
    }

    private static func required(_ key: String, _ json: JSONDocument, _ path: String) throws(ItemError) -> String {
        guard let value = json.member(key, of: json.root) else {
            throw unsuitable(path, json.root, json, "has no \"\(key)\"")
        }
        guard let text = json.string(value) else {
            throw unsuitable(path, value, json, "\(key): expected a string, found \(json.kind(value).phrase)")
        }
        return text
    }

    private static func unsuitable(
        _ path: String, _ value: JSONDocument.Value, _ json: JSONDocument, _ why: String
    ) -> ItemError {
        let position = json.position(value)
        return .unsuitable(path: "\(path):\(position.line):\(position.column)", why)
    }

    /// Whether two names are those of one collection, tag or smart folder.
    public static func areSame(_ a: String, _ b: String) -> Bool {
        Layout.settingsFile(named: a) == Layout.settingsFile(named: b)
    }

    /// The order of what has a rank, smallest first; then of what has none, by name.
    public static func precedes(_ a: NamedFile, _ b: NamedFile) -> Bool {
        (a.order ?? .infinity, a.name.lowercased(), a.name) < (b.order ?? .infinity, b.name.lowercased(), b.name)
    }

    /// Keys of such a file in the order in which a new one has them.
    static func rank(_ key: String) -> Int? { ["name", "query", "colour", "icon", "order"].firstIndex(of: key) }
}
