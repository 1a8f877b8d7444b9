internal import Glibc

/// The user that a browser runs as.
package enum BrowserUser: Sendable, Equatable {
    /// Our own: an ordinary person's browser.
    case own
    /// Another one: a browser has no sandbox of its own as root, and a page must not get root's rights.
    case other(name: String, user: UInt32, group: UInt32)

    /// - Throws: where this is root, and there is nobody else.
    package static func standard() throws(BrowserFailure) -> BrowserUser {
        guard geteuid() == 0 else { return .own }
        guard let entry = getpwnam("nobody"), entry.pointee.pw_uid != 0 else { throw .noOtherUser }
        return .other(name: "nobody", user: entry.pointee.pw_uid, group: entry.pointee.pw_gid)
    }

    var isOwn: Bool { self == .own }

    /// Where the profile of this user's browser may lie: the wanted folder, or, where another user cannot come to it, the
    /// system's own place for what can be made again.
    func profileFolder(wanted: String) -> String {
        if isOwn || Self.isReachable(wanted) { return wanted }
        return "/var/cache/sbfs/browsers"
    }

    /// Whether every folder on the way is there and lets everybody through.
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
