import StuffBucket

/// The person's settings on this device: `$XDG_CONFIG_HOME/sbfs/config.json`.
///
/// Programs and paths come only from this file, never from library.json.
enum LocalSettings {
    enum Key: String, CaseIterable {
        case library, editor
        case browser = "capture.browser"

        var summary: String {
            switch self {
            case .library: "the library to use if no other is named (~/StuffBucket)"
            case .editor: "the editor, before $VISUAL and $EDITOR"
            case .browser: "what renders pages: auto (the first that is installed), never, or a program (auto)"
            }
        }
    }

    static var path: String { Environment.configFolder + "/config.json" }

    /// - Throws: `ItemError.malformed` with line and column.
    static func read() throws -> [String: String] {
        guard let json = try document() else { return [:] }
        var settings: [String: String] = [:]
        for (key, value) in json.members(json.root) {
            if let key = json.string(key), let value = json.string(value) { settings[key] = value }
        }
        return settings
    }

    private static func document() throws -> JSONDocument? {
        guard let folder = try? Directory(path: Environment.configFolder) else { return nil }
        folder.makePrivate()
        guard let contents = try folder.contentsIfPresent(of: "config.json", limit: Layout.settingsByteLimit)
        else { return nil }
        do {
            return try JSONDocument(parsing: contents.bytes)
        } catch {
            throw ItemError.malformed(path: path, error)
        }
    }

    /// Sets a value, or removes it.
    static func write(_ key: Key, _ value: String?) throws {
        let current = try document() ?? JSONDocument(parsing: Array("{}".utf8))
        let bytes: [UInt8]
        do throws(JSONOutgrown) {
            let changes = [(key.rawValue, value.map(JSON.string))]
            bytes = try current.rewriting(changes, limit: Layout.settingsByteLimit) { name in
                Key.allCases.firstIndex { $0.rawValue == name }
            }
        } catch {
            throw ItemError.unsuitable(path: path, .outgrown(error))
        }
        try Directory.makePrivate(path: Environment.configFolder, below: Environment.configFolder)
        let folder = try Directory(path: Environment.configFolder)
        try folder.writeFile(".config.json.new", bytes, permissions: 0o600)
        try folder.replace(".config.json.new", to: folder, as: "config.json")
        try folder.sync()
    }
}
