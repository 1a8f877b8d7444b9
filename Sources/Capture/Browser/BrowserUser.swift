internal import Glibc

/// The user as whom a browser runs.
package enum BrowserUser: Sendable, Equatable {
    /// The current user, for an ordinary person.
    case own
    /// Another user: as root, a browser has no sandbox of its own, and a page must not get root's rights.
    case other(name: String, user: UInt32, group: UInt32)

    /// - Throws: if this process is root and there is no other user.
    package static func standard() throws(BrowserFailure) -> BrowserUser {
        guard geteuid() == 0 else { return .own }
        guard let entry = getpwnam("nobody"), entry.pointee.pw_uid != 0 else { throw .noOtherUser }
        return .other(name: "nobody", user: entry.pointee.pw_uid, group: entry.pointee.pw_gid)
    }

    var isOwn: Bool { self == .own }

    /// The folder for this user's profile: the wanted one, or, if another user cannot reach it, the system's cache
    /// folder.
    func profileFolder(wanted: String) -> String {
        if isOwn || Self.isReachable(wanted) { return wanted }
        return "/var/cache/sbfs/browsers"
    }

    /// Whether every folder on the path exists and lets everybody pass.
    private static func isReachable(_ path: String) -> Bool {
        var part = ""
        for name in path.split(separator: "/") {
            part += "/" + name
            var status = stat()
            if stat(part, &status) != 0 || status.st_mode & 0o001 == 0 { return false }
        }
        return true
    }
}
