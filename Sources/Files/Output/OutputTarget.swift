internal import CSystem
internal import Glibc

/// The target of a person's path for output, after all symbolic links.
enum OutputTarget: ~Copyable {
    /// A regular file, or a free name.
    case file(folder: Directory, name: String, old: stat?)
    /// An open descriptor of this process (`/dev/stdout`), a device, a FIFO or a socket: written in place.
    case stream(Descriptor)

    /// The number of links that the kernel follows.
    private static let linkLimit = 40

    /// Finds the target. Waits until somebody reads from a FIFO.
    ///
    /// - Throws: `FileError.notRegular` for a folder.
    static func find(_ path: String) throws(FileError) -> OutputTarget {
        if path.isEmpty { throw FileError(.write, path, .system(ENOENT)) }
        var place = path
        for _ in 0..<linkLimit {
            let (parent, name) = split(place)
            if name.isEmpty || name == "." || name == ".." { throw FileError(.write, path, .notRegular(.directory)) }
            let folder = try Directory(path: parent)
            if let number = folder.ownDescriptor(name) { return .stream(try duplicate(number, path)) }
            var status = stat()
            do throws(FileError) {
                _ = try systemCall(.write, path) { fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) }
            } catch let error where error.number == ENOENT {
                return .file(folder: folder, name: name, old: nil)
            }
            switch FileKind(mode: status.st_mode) {
            case .regular:
                if faccessat(folder.number, name, W_OK, AT_EACCESS) != 0 {
                    throw FileError(.write, path, .system(errno))
                }
                return .file(folder: folder, name: name, old: status)
            case .symbolicLink:
                // The targets of links in /proc are no paths: only the kernel can follow them.
                if folder.isOfProcess { return .stream(try open(folder, name, path)) }
                let next = try folder.target(of: name)
                place = next.hasPrefix("/") ? next : parent + "/" + next
            case .directory: throw FileError(.write, path, .notRegular(.directory))
            case .socket: return .stream(try connect(folder, name, path))
            case .fifo, .device, .unknown: return .stream(try open(folder, name, path))
            }
        }
        throw FileError(.write, path, .system(ELOOP))
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        let bytes = Array(path.utf8)
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = String(decoding: bytes[(slash + 1)...], as: UTF8.self)
        return (slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self), name)
    }

    private static func duplicate(_ number: Int32, _ path: String) throws(FileError) -> Descriptor {
        // Not opened again by its name: that would start at the first byte of a file to which others write too.
        let copy = try systemCall(.write, path) { fcntl(number, F_DUPFD_CLOEXEC, 0) }
        return Descriptor(number: copy, path: path)
    }

    private static func open(
        _ folder: borrowing Directory, _ name: String, _ path: String
    ) throws(FileError) -> Descriptor {
        let number = try systemCall(.write, path) {
            csystem_openat(folder.number, name, O_WRONLY | O_NOCTTY | O_CLOEXEC, 0)
        }
        return Descriptor(number: number, path: path)
    }

    private static func connect(
        _ folder: borrowing Directory, _ name: String, _ path: String
    ) throws(FileError) -> Descriptor {
        // Short, even for a long path; without /proc the path itself.
        let number = folder.number
        let near = "/proc/self/fd/\(number)/\(name)"
        let connection = try systemCall(.write, path) {
            access(near, F_OK) == 0 ? LocalAddress.connect(near) : LocalAddress.connect(path)
        }
        return Descriptor(number: connection, path: path)
    }
}

extension Directory {
    /// Whether the folder is in /proc.
    fileprivate var isOfProcess: Bool { csystem_file_system(number) == 0x9FA0 }

    /// The descriptor of this process that a name in `/proc/self/fd` means.
    fileprivate borrowing func ownDescriptor(_ name: String) -> Int32? {
        guard let wanted = Int32(name), wanted >= 0, isOfProcess else { return nil }
        let place = (try? Directory(path: "/proc/self/fd").target(of: String(number))) ?? ""
        let parts = place.split(separator: "/")
        let isOwn =
            parts.count >= 3 && parts[0] == "proc" && parts[1] == "\(getpid())" && parts[parts.count - 1] == "fd"
        return isOwn ? wanted : nil
    }
}
