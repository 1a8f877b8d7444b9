internal import Characters
internal import Files
internal import Glibc

/// A throw-away folder for one run of a browser.
///
/// The caller chooses the parent; the folder's name is `browser-<16 hex digits>`. The process holds a flock(2) lock
/// on it while it is in use. An unlocked folder belongs to a killed run: the next run removes it, and kills the
/// browser that may still use it.
final class BrowserProfile {
    let path: String
    let name: String
    private let parent: String
    private var lock: FileLock?

    private static let prefix = "browser-"
    private static let leaderFile = "leader"

    private init(path: String, name: String, parent: String, lock: consuming FileLock) {
        self.path = path
        self.name = name
        self.parent = parent
        self.lock = consume lock
    }

    deinit { remove() }

    /// The browser's data folder.
    var dataPath: String { path + "/data" }

    /// - Parameter user: the owner of the folder. For another user, the parent becomes searchable by everybody.
    static func make(in parent: String, for user: BrowserUser = .own) throws(BrowserFailure) -> BrowserProfile {
        let profile: BrowserProfile
        do throws(FileError) {
            try Directory.make(path: parent)
            if !user.isOwn { try share(parent) }
            let folder = try Directory(path: parent)
            // Between making a folder and locking it, another process would mistake it for a leftover.
            guard let turn = try FileLock.acquire("browsers.lock", in: folder, patience: .seconds(5)) else {
                throw FileError(.lock, folder.full("browsers.lock"), .busy)
            }
            removeLeftovers(in: folder)
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            let name = prefix + String(repeating: "0", count: 16 - digits.utf8.count) + digits
            try folder.makeDirectory(name, permissions: 0o700)
            guard let lock = try FileLock.acquireFolder(name, in: folder) else {
                throw FileError(.lock, folder.full(name), .busy)
            }
            profile = BrowserProfile(path: folder.full(name), name: name, parent: parent, lock: lock)
            _ = consume turn
            try prepare(folder.directory(name))
        } catch {
            throw .folder(error.description)
        }
        if case .other(_, let number, let group) = user {
            for part in [""] + prepared where chown(profile.path + part, number, group) != 0 {
                // In a container, root may lack the right, or there may be no other user.
                if [EPERM, EINVAL].contains(errno) { throw .noOtherUser }
                throw .folder(FileError(.write, profile.path + part, .system(errno)).description)
            }
        }
        return profile
    }

    /// The entries that `prepare` makes in a profile.
    private static let prepared = ["/data", "/data/Default", "/data/Default/Preferences"]

    /// Writes settings that have no option on the command line.
    private static func prepare(_ folder: borrowing Directory) throws(FileError) {
        try folder.makeDirectory("data", permissions: 0o700)
        try folder.makeDirectory("data/Default", permissions: 0o700)
        // After a TLS error, Chromium would ask its maker's server about a captive portal.
        let settings = #"{"alternate_error_pages":{"enabled":false}}"#
        try folder.writeFile("data/Default/Preferences", Array(settings.utf8), permissions: 0o600)
    }

    /// Lets other users pass through the folder without listing it. The folder must be ours, since its name is known.
    private static func share(_ parent: String) throws(FileError) {
        var status = stat()
        guard lstat(parent, &status) == 0, status.st_uid == geteuid(), status.st_mode & S_IFMT == S_IFDIR,
            chmod(parent, 0o711) == 0
        else { throw FileError(.write, parent, .system(EPERM)) }
    }

    /// Records the process group that uses the profile.
    func note(group: Int) {
        try? Directory(path: path).writeFile(Self.leaderFile, Array(String(group).utf8), permissions: 0o600)
    }

    /// Removes the folder. Processes that were just killed may still write files into it for a moment.
    func remove() {
        guard lock != nil else { return }
        if let folder = try? Directory(path: parent) { Self.removeTree(name, in: folder) }
        lock = nil
    }

    private static func removeTree(_ name: String, in folder: borrowing Directory) {
        for attempt in 0..<100 {
            if (try? folder.removeTree(name)) != nil { return }
            if attempt > 0 { usleep(10_000) }
        }
    }

    private static func removeLeftovers(in folder: borrowing Directory) {
        for entry in (try? folder.entries()) ?? [] where entry.kind == .directory {
            guard let name = entry.name.string, name.hasPrefix(prefix),
                let lock = try? FileLock.acquireFolder(name, in: folder)
            else { continue }
            killOwner(of: name, in: folder)
            removeTree(name, in: folder)
            _ = consume lock
        }
    }

    /// Kills the recorded group if its leader's command line names the profile: the number alone may belong to
    /// another process by now.
    private static func killOwner(of name: String, in folder: borrowing Directory) {
        guard let bytes = try? folder.contents(of: "\(name)/\(leaderFile)", limit: 32).bytes,
            let group = pid_t(String(decoding: bytes, as: UTF8.self)), group > 1,
            let commandLine = try? Directory(path: "/proc/\(group)").contents(of: "cmdline", limit: 1 << 20).bytes,
            String(decoding: commandLine, as: UTF8.self).contains(text: name)
        else { return }
        kill(-group, SIGKILL)
    }
}
