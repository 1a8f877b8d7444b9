import StuffBucket

/// The folder of the person's own systemd units: `$XDG_CONFIG_HOME/systemd/user`.
struct UnitFolder {
    let path: String

    init() {
        let config = Environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        path = (config ?? Environment.home + "/.config") + "/systemd/user"
    }

    func full(_ name: String) -> String { path + "/" + name }

    /// The text of a unit; `nil` if there is none.
    ///
    /// - Throws: `CommandFailure` if the file is not one of ours.
    func read(_ name: String) throws -> String? {
        let folder = LocalFolder(path)
        guard folder.exists, let bytes = try folder.contents(of: name, limit: LocalSettings.byteLimit) else {
            return nil
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.starts(with: ServiceUnit.mark.utf8) else {
            throw CommandFailure(.failed, "\(full(name)) was not written by sbfs; rename or remove it")
        }
        return text
    }

    func write(_ name: String, _ text: String) throws {
        let folder = LocalFolder(path)
        try folder.make()
        try folder.write(Array(text.utf8), to: name, permissions: 0o644)
    }

    func remove(_ name: String) throws {
        let folder = LocalFolder(path)
        if folder.exists { try folder.remove(name) }
    }
}
