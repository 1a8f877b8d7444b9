import StuffBucket

/// The person's settings on this device: `$XDG_CONFIG_HOME/sbfs/config.json`.
///
/// Programs and paths come only from this file, never from library.json.
enum LocalSettings {
    enum Key: String, CaseIterable {
        case library, editor
        case mergeTool = "mergetool"
        case browser = "capture.browser"
        case watchArchives = "watch.archive"
        case watchPages = "watch.pages"
        case watchPurges = "watch.purge"
        case watchVerifies = "watch.verify"
        case watchSyncs = "watch.sync"
        case watchNotifies = "watch.notify"
        case aiNever = "ai.never"

        var summary: String {
            switch self {
            case .library: "the library to use if no other is named (~/StuffBucket)"
            case .editor: "the editor, before $VISUAL and $EDITOR"
            case .mergeTool:
                "a shell line for resolve --edit with $LOCAL, $BASE, $REMOTE and $MERGED, as git's mergetool.*.cmd (none)"
            case .browser: "what renders pages: auto (the first that is installed), never, or a program (auto)"
            case .watchArchives: "whether sbfs watch saves waiting pages: on or off (on)"
            case .watchPages: "pages that sbfs watch saves at once, 1 to \(BackgroundSettings.pageLimit) (2)"
            case .watchPurges: "whether sbfs watch purges what is due in the trash: on or off (on)"
            case .watchVerifies: "whether sbfs watch reads all files to find damage: on or off (on)"
            case .watchSyncs: "whether sbfs watch syncs with remotes: on or off (on)"
            case .watchNotifies: "whether the desktop shows what waits for consent: on or off (on)"
            case .aiNever: "a query: items that it finds are never sent to a model (none)"
            }
        }

        /// Why a value is refused, after "must be"; `nil` for a good one.
        func refusal(of value: String) -> String? {
            switch self {
            case .library, .editor, .mergeTool, .browser, .aiNever: nil
            case .watchArchives, .watchPurges, .watchVerifies, .watchSyncs, .watchNotifies:
                ["on", "off"].contains(value) ? nil : "on or off"
            case .watchPages:
                Int(value).map((1...BackgroundSettings.pageLimit).contains) ?? false
                    ? nil : "a whole number from 1 to \(BackgroundSettings.pageLimit)"
            }
        }
    }

    /// The largest file of settings that is read, in bytes.
    static let byteLimit = 1 << 20

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

    /// What the person lets background work do on this device. A value that the file must not have is as none.
    static func background() throws -> BackgroundSettings {
        let values = try read()
        func isOn(_ key: Key) -> Bool { values[key.rawValue] != "off" }
        var settings = BackgroundSettings()
        settings.archives = isOn(.watchArchives)
        settings.purges = isOn(.watchPurges)
        settings.verifies = isOn(.watchVerifies)
        settings.syncs = isOn(.watchSyncs)
        settings.notifies = isOn(.watchNotifies)
        if let pages = values[Key.watchPages.rawValue], Key.watchPages.refusal(of: pages) == nil {
            settings.pagesAtOnce = Int(pages) ?? settings.pagesAtOnce
        }
        return settings
    }

    private static func document() throws -> JSONDocument? {
        let folder = LocalFolder(Environment.configFolder)
        guard folder.exists else { return nil }
        folder.restrict()
        // It names programs that run.
        if let status = try folder.status(of: "config.json"), !status.isOwn {
            throw CommandFailure(.failed, "\(path) belongs to another user, so its settings are not used")
        }
        guard let bytes = try folder.contents(of: "config.json", limit: byteLimit) else { return nil }
        do {
            return try JSONDocument(parsing: bytes)
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
            bytes = try current.rewriting(changes, limit: byteLimit) { name in
                Key.allCases.firstIndex { $0.rawValue == name }
            }
        } catch {
            throw ItemError.unsuitable(path: path, .outgrown(error))
        }
        let folder = LocalFolder(Environment.configFolder)
        try folder.makePrivate(from: Environment.configFolder)
        try folder.write(bytes, to: "config.json")
    }
}
