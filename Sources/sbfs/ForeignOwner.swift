import Glibc
import StuffBucket
import Synchronization

/// Another user who owns files of the person's, as root does after "sudo sbfs".
enum ForeignOwner {
    /// The first path that the permissions refused to this command.
    private static let denied = Mutex<String?>(nil)

    /// Notes the path of an error, if permissions are at fault.
    static func note(_ error: any Error) {
        var error = error
        if case ItemError.file(let cause) = error { error = cause }
        switch error {
        case let error as FileError:
            if error.number == EACCES || error.number == EPERM { note(error.path) }
        case ItemError.refused(.notWritable(let path)): note(path + "/" + Layout.device)
        default: break
        }
    }

    private static func note(_ path: String) {
        denied.withLock { if $0 == nil { $0 = FilePath.absolute(path) } }
    }

    /// What to type about the path that was noted, as a sentence; `nil` if nobody else owns it.
    static func advice() -> String? {
        guard let path = denied.withLock({ $0 }), geteuid() != 0 else { return nil }
        return advice(about: path)
    }

    private static func advice(about path: String) -> String? {
        let me = geteuid()
        let folders = upwards(from: path)
        let library = folders.first { Library.exists(at: $0) }
        // The file, or the folder that it is in, and the folders above as far as they are not the person's own.
        let present = folders.drop { owner(of: $0) == nil }
        let isForeign = { (path: String) in owner(of: path) != me }
        let foreign = (present.first.map(isForeign) ?? false ? present : present.dropFirst()).prefix(while: isForeign)
        guard let first = foreign.first, let last = foreign.last, let holder = owner(of: first) else { return nil }
        // A place of the system.
        if library.map({ first != $0 && !first.hasPrefix($0 + "/") }) ?? (last == folders.last) { return nil }
        let told = "\(first) belongs to \(name(of: holder))"
        // What is another person's stays theirs.
        if holder != 0, library.map(isForeign) ?? true { return told }
        return told + (holder == 0 ? ", as after \"sudo sbfs\"" : "")
            + "; this makes it yours again: sudo chown -R \(name(of: me)) \(TypedLine.quoted(library ?? last))"
    }

    /// The path and the folders around it, without the root.
    private static func upwards(from path: String) -> [String] {
        let parts = path.split(separator: "/")
        return parts.indices.reversed().map { "/" + parts[...$0].joined(separator: "/") }
    }

    /// A warning for root in another user's library; `nil` for everybody else.
    static func warning(in library: String) -> String? {
        guard geteuid() == 0, let owner = owner(of: library), owner != 0 else { return nil }
        let name = name(of: owner)
        return "this runs as root in the library of \(name): files that it makes belong to root, and the commands of "
            + "\(name) may fail on them. Use: sudo -u \(name) sbfs …"
    }

    private static func owner(of path: String) -> uid_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_uid : nil
    }

    private static func name(of user: uid_t) -> String {
        getpwuid(user).flatMap { $0.pointee.pw_name }.map { String(cString: $0) } ?? "\(user)"
    }
}
