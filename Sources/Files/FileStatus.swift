internal import Glibc

/// The kind of a directory entry.
public enum FileKind: Sendable {
    case regular, directory, symbolicLink, fifo, socket, device, unknown

    /// The kind with its article, for messages.
    public var phrase: String {
        switch self {
        case .regular: "a regular file"
        case .directory: "a folder"
        case .symbolicLink: "a symbolic link"
        case .fifo: "a FIFO"
        case .socket: "a socket"
        case .device: "a device"
        case .unknown: "of an unknown kind"
        }
    }

    init(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .regular
        case S_IFDIR: self = .directory
        case S_IFLNK: self = .symbolicLink
        case S_IFIFO: self = .fifo
        case S_IFSOCK: self = .socket
        case S_IFBLK, S_IFCHR: self = .device
        default: self = .unknown
        }
    }

    init(directoryEntryType type: UInt8) {
        switch Int(type) {
        case Int(DT_REG): self = .regular
        case Int(DT_DIR): self = .directory
        case Int(DT_LNK): self = .symbolicLink
        case Int(DT_FIFO): self = .fifo
        case Int(DT_SOCK): self = .socket
        case Int(DT_BLK), Int(DT_CHR): self = .device
        default: self = .unknown
        }
    }
}

/// The result of stat(2): kind, size, times and identity.
public struct FileStatus: Equatable, Sendable {
    /// Whether it is a file, a folder, a link or of another kind.
    public let kind: FileKind
    /// Size in bytes.
    public let byteCount: Int
    /// Last modification, nanoseconds since 1970-01-01 UTC.
    public let modified: Int64
    /// Last change of the inode, nanoseconds since 1970-01-01 UTC.
    package let changed: Int64
    /// The number of the device that stores the file; with `inode` it identifies the file.
    package let device: UInt64
    /// The file's number on its device.
    package let inode: UInt64
    /// Permission bits, without the kind.
    package let permissions: UInt32
    /// The number of names of the file (hard links).
    package let linkCount: Int
    private let user: UInt32

    /// Whether the file belongs to the person who runs this process.
    public var isOwn: Bool { user == geteuid() }

    init(_ raw: stat) {
        kind = FileKind(mode: raw.st_mode)
        byteCount = Int(raw.st_size)
        modified = Self.nanoseconds(raw.st_mtim)
        changed = Self.nanoseconds(raw.st_ctim)
        device = UInt64(raw.st_dev)
        inode = UInt64(raw.st_ino)
        permissions = UInt32(raw.st_mode & 0o7777)
        linkCount = Int(raw.st_nlink)
        user = UInt32(raw.st_uid)
    }

    /// The status of a regular file that is not here: its inode is that of no file.
    package init(absentOf byteCount: Int, modified: Int64) {
        var raw = stat()
        raw.st_mode = S_IFREG | 0o644
        raw.st_size = off_t(byteCount)
        let second: Int64 = 1_000_000_000
        let rest = (modified % second + second) % second
        raw.st_mtim = timespec(tv_sec: Int((modified - rest) / second), tv_nsec: Int(rest))
        raw.st_ctim = raw.st_mtim
        self.init(raw)
    }

    /// Whether both are the same file with the same content, as far as stat shows.
    package func isSameVersion(as other: FileStatus) -> Bool {
        isSameFile(as: other) && modified == other.modified && byteCount == other.byteCount
    }

    /// Times outside the years 1823 to 2116 are limited to these: ext4 stores years up to 2446, which do not fit.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        let bound = Int64.max / 2
        let (product, isTooLarge) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        if isTooLarge { return time.tv_sec > 0 ? bound : -bound }
        return max(-bound, min(bound, product)) + Int64(time.tv_nsec)
    }

    /// Whether both are the same file of the same file system.
    package func isSameFile(as other: FileStatus) -> Bool {
        device == other.device && inode == other.inode
    }
}
