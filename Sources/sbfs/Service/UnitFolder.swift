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
        guard let folder = try? Directory(path: path),
            let contents = try folder.contentsIfPresent(of: name, limit: Layout.settingsByteLimit)
        else { return nil }
        let text = String(decoding: contents.bytes, as: UTF8.self)
        guard text.utf8.starts(with: ServiceUnit.mark.utf8) else {
            throw CommandFailure(.failed, "\(full(name)) was not written by sbfs; rename or remove it")
        }
        return text
    }

    func write(_ name: String, _ text: String) throws {
        try Directory.make(path: path)
        let folder = try Directory(path: path)
        let temporary = ".\(name).new"
        try folder.writeFile(temporary, Array(text.utf8), permissions: 0o644)
        try folder.replace(temporary, to: folder, as: name)
        try folder.sync()
    }

    func remove(_ name: String) throws {
        guard let folder = try? Directory(path: path) else { return }
        try folder.removeTree(name)
        try folder.sync()
    }
}
