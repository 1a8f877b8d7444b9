internal import Files
internal import JSONFormat

/// Which model answers, and how it is reached: the file `ai.json` in the person's folder of settings, for its owner alone.
/// It is no part of any library.
public struct AISettings: Sendable {
    /// Who answers.
    public var provider: AIProvider
    /// The model's id, as the provider spells it.
    public var model: String
    /// The address below which requests go.
    public var baseURL: AIBaseURL
    /// Where the key comes from.
    public var keySource: AIKeySource

    /// Makes settings; they are not written.
    public init(provider: AIProvider, model: String, baseURL: AIBaseURL, keySource: AIKeySource) {
        self.provider = provider
        self.model = model
        self.baseURL = baseURL
        self.keySource = keySource
    }

    /// The file's name.
    public static let fileName = "ai.json"
    private static let newName = ".ai.json.new"
    private static let desktop = "desktop"
    private static let byteLimit = 64 << 10

    /// Reads the settings.
    ///
    /// - Parameter path: the person's folder of settings.
    /// - Returns: `nil` if there are none.
    /// - Throws: `AIError.exposed`, `AIError.badSettings` (also for a file of another user), `AIError.badURL`, and `FileError`.
    public static func read(in path: String) throws -> AISettings? {
        guard let folder = try? Directory(path: path),
            let contents = try folder.contentsIfPresent(
                of: fileName, limit: byteLimit)
        else { return nil }
        let file = path + "/" + fileName
        // Its author would choose who gets the items and the key, and which command runs.
        if !contents.status.isOwn { throw AIError.badSettings(path: file, why: "it belongs to another user") }
        if contents.status.permissions & 0o077 != 0 { throw AIError.exposed(path: file) }
        guard let json = try? JSONDocument(parsing: contents.bytes), json.kind(json.root) == .object else {
            throw AIError.badSettings(path: file, why: "it is no JSON object")
        }
        func text(_ key: String) -> String? { json.member(key, of: json.root).flatMap { json.string($0) } }
        guard let provider = text("provider").flatMap(AIProvider.init(rawValue:)) else {
            throw AIError.badSettings(path: file, why: "it names no known provider")
        }
        guard let model = text("model"), let base = text("baseURL") else {
            throw AIError.badSettings(path: file, why: "it has no model or no baseURL")
        }
        var source = AIKeySource.none
        if let stored = text("key") {
            guard let key = AIKey(stored) else { throw AIError.badSettings(path: file, why: "its key is none") }
            source = .stored(key)
        } else if let store = text("keyStore") {
            guard store == Self.desktop else {
                throw AIError.badSettings(path: file, why: "it names no known keyStore")
            }
            source = .desktop
        } else if let command = text("keyCommand") {
            source = .command(command)
        } else if let variable = text("keyVariable") {
            source = .environment(variable)
        }
        return AISettings(provider: provider, model: model, baseURL: try AIBaseURL(base), keySource: source)
    }

    /// Writes the settings, with access for the owner alone.
    ///
    /// - Parameter path: the person's folder of settings; it is made if it is missing.
    /// - Throws: `FileError`.
    public func write(in path: String) throws {
        var members: [(String, JSON?)] = [
            ("provider", .string(provider.rawValue)), ("model", .string(model)), ("baseURL", .string(baseURL.text)),
        ]
        switch keySource {
        case .stored(let key): members.append(("key", .string(key.text)))
        case .command(let command): members.append(("keyCommand", .string(command)))
        case .environment(let name): members.append(("keyVariable", .string(name)))
        case .desktop: members.append(("keyStore", .string(Self.desktop)))
        case .none: break
        }
        try Directory.makePrivate(path: path, below: path)
        let folder = try Directory(path: path)
        try folder.writeFile(Self.newName, JSONWriter.file(.members(members)), permissions: 0o600)
        try folder.replace(Self.newName, to: folder, as: Self.fileName)
        try folder.sync()
    }

    /// Removes the settings with the key.
    ///
    /// - Returns: false if there were none.
    /// - Throws: `FileError`.
    public static func forget(in path: String) throws -> Bool {
        guard let folder = try? Directory(path: path) else { return false }
        var found = false
        // A write that was interrupted leaves the second one.
        for name in [fileName, newName] where try folder.statusIfPresent(of: name) != nil {
            try folder.removeFile(name)
            found = true
        }
        if found { try folder.sync() }
        return found
    }
}
