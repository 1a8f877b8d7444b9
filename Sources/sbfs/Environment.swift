import Glibc
import StuffBucket

/// Variables and folders of the person who runs the command.
enum Environment {
    static subscript(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The person's folder: `$HOME`, which a service or a bare environment may lack, else that of the password database.
    static var home: String {
        if let home = self["HOME"], !home.isEmpty { return home }
        return getpwuid(geteuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) } ?? "/"
    }

    /// A folder of the XDG Base Directory Specification 0.8, which requires that relative values be ignored.
    static func folder(_ variable: String, fallback: String) -> String {
        if let value = self[variable], value.hasPrefix("/") { return value + "/sbfs" }
        return home + "/" + fallback + "/sbfs"
    }

    static var configFolder: String { folder("XDG_CONFIG_HOME", fallback: ".config") }
    static var cacheFolder: String { folder("XDG_CACHE_HOME", fallback: ".cache") }
    static var stateFolder: String { folder("XDG_STATE_HOME", fallback: ".local/state") }

    /// Why this program would find or make another folder than the person means: a path that is not UTF-8. `nil` if all
    /// are.
    static var brokenPath: String? {
        for name in ["SBFS_LIBRARY", "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
            guard let value = getenv(name), String(validatingCString: value) == nil else { continue }
            return "$\(name), \"\(String(cString: value))\", is not UTF-8, and sbfs cannot use such a folder; rename "
                + "it, or set \(name) to another one"
        }
        if FilePath.isCurrentFolderUTF8 { return nil }
        return "the path of the current folder, \"\(FilePath.currentFolder)\", is not UTF-8; rename the folder, or go "
            + "to another one and name your files from there"
    }

    /// Whether the network must not be used.
    static var isOffline: Bool { self["SBFS_OFFLINE"].map { !$0.isEmpty && $0 != "0" } ?? false }

    /// Whether a command that changed something must not start a process that notes what other programs changed.
    static var forbidsTakingIn: Bool { self["SBFS_NO_SWEEP"].map { !$0.isEmpty && $0 != "0" } ?? false }

    /// Removes all rights of others from the folders of this program, where the person owns them: they hold typed
    /// URLs, names of programs and an index of private texts. Missing folders are not made.
    static func makeFoldersPrivate() {
        for path in [configFolder, stateFolder, cacheFolder] { LocalFolder(path).restrict() }
    }
}
