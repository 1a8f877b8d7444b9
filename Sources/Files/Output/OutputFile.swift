internal import CSystem
internal import Glibc

/// Writes a file that a person named. Every command uses only this type for such files.
///
/// A regular file gets its name when it is complete. Before, it has none (O_TMPFILE), or a temporary one if the file
/// system cannot do that; if the process is killed, the next output to that name removes it. Until then the old file
/// stays, and it gives the new one its permissions, owner, extended attributes and access lists. Symbolic links are
/// followed. If the owner cannot be kept, or the file has several names, its bytes are replaced in place as soon as
/// all of them exist. Anything but a regular file (a device, a FIFO, a socket, `/dev/stdout`) is written in place.
///
/// Call `write`, then `finish`. Without `finish`, a regular file stays unchanged.
public final class OutputFile {
    /// What is special about a new file.
    public struct Options: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: Int

        /// Makes options of bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Only the owner may read it.
        public static let `private` = Options(rawValue: 1)
        /// The caller syncs, and leftovers of killed processes stay.
        package static let oneOfMany = Options(rawValue: 2)
    }

    private let path: String
    private let target: Target
    private var buffer: [UInt8] = []

    private enum Target {
        case stream(Stream)
        case file(Replacement)
    }

    private final class Stream {
        let file: Descriptor
        init(_ file: consuming Descriptor) { self.file = file }
    }

    /// - Parameters:
    ///   - path: as the person gave it; `-` is standard output.
    ///   - options: of the new file.
    /// - Throws: `FileError`, also for a folder.
    public init(_ path: String, _ options: Options = []) throws(FileError) {
        self.path = path
        switch try OutputTarget.find(path == "-" ? "/dev/stdout" : path) {
        case .stream(let file): target = .stream(Stream(file))
        case .file(let folder, let name, let old):
            target = .file(
                try Replacement(
                    folder, name, old, path, permissions: options.contains(.private) ? 0o600 : 0o666,
                    options.contains(.oneOfMany)))
        }
    }

    /// Writes the next bytes.
    ///
    /// - Throws: `FileError`, for example if the disk is full.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        buffer += bytes
        if buffer.count >= 1 << 18 { try flush() }
    }

    private func flush() throws(FileError) {
        switch target {
        case .stream(let stream): try stream.file.writeToStream(buffer)
        case .file(let file): try file.write(buffer)
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Puts the whole file in place. It is durable when this returns.
    ///
    /// - Throws: `FileError`; a regular file then stays unchanged.
    public func finish() throws(FileError) {
        try flush()
        if case .file(let file) = target { try file.place() }
    }
}

/// A regular file under construction, and the file that it replaces.
private final class Replacement {
    private let folder: Directory
    private let name: String
    private let path: String
    private let old: stat?
    private let file: Descriptor
    private let isOneOfMany: Bool
    /// The temporary name; `nil` if the file has none.
    private var temporary: String?

    init(
        _ folder: consuming Directory, _ name: String, _ old: stat?, _ path: String, permissions: mode_t,
        _ isOneOfMany: Bool
    ) throws(FileError) {
        self.isOneOfMany = isOneOfMany
        if !isOneOfMany { Self.sweep(folder, name) }
        // Until it is known whether the owner can be kept, nobody else may read the bytes.
        let mode = old == nil ? permissions : 0o600
        var number = access("/proc/self/fd", F_OK) == 0 ? csystem_unnamed_file(folder.number, mode) : -1
        if number < 0 {
            let temporary = Self.temporaryName(name)
            do throws(FileError) {
                number = try systemCall(.create, path) {
                    csystem_openat(folder.number, temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
                }
                self.temporary = temporary
            } catch {
                // A writable file in a read-only folder: its bytes are collected elsewhere until they are complete.
                if old != nil, error.isReadOnly { number = Self.fileElsewhere() }
                if number < 0 { throw error }
            }
        }
        file = Descriptor(number: number, path: path)
        // As long as the process lives, its temporary name does not count as a leftover.
        _ = flock(number, LOCK_EX | LOCK_NB)
        self.folder = folder
        self.name = name
        self.old = old
        self.path = path
    }

    deinit { if let temporary { try? folder.removeFile(temporary) } }

    func write(_ bytes: [UInt8]) throws(FileError) { try file.write(bytes) }

    func place() throws(FileError) {
        if let old, try !takeOver(old) { return try copyInPlace() }
        if !isOneOfMany { try file.sync() }
        if temporary == nil {
            if old == nil, try link(as: name) { return try syncFolder() }
            let temporary = Self.temporaryName(name)
            guard try link(as: temporary) else { throw FileError(.create, path, .system(EEXIST)) }
            self.temporary = temporary
        }
        if let temporary {
            try folder.replace(temporary, to: folder, as: name)
            self.temporary = nil
        }
        try syncFolder()
    }

    private func syncFolder() throws(FileError) { if !isOneOfMany { try folder.sync() } }

    // MARK: The old file

    /// Gives the new file the attributes of the old one.
    ///
    /// - Returns: false if a new file cannot have them.
    private func takeOver(_ old: stat) throws(FileError) -> Bool {
        if old.st_nlink > 1 || !isInFolder(old) { return false }
        var new = stat()
        _ = try systemCall(.inspect, path) { fstat(file.number, &new) }
        if new.st_uid != old.st_uid || new.st_gid != old.st_gid {
            if fchown(file.number, old.st_uid, old.st_gid) != 0 { return false }
        }
        try file.setPermissions(UInt32(old.st_mode & 0o777))
        let source = csystem_openat(folder.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0)
        if source >= 0 {
            csystem_copy_attributes(source, file.number)
            close(source)
        }
        return true
    }

    /// Whether the new file is in the folder where it can get the name.
    private func isInFolder(_ old: stat) -> Bool {
        var new = stat()
        return faccessat(folder.number, ".", W_OK | X_OK, AT_EACCESS) == 0 && fstat(file.number, &new) == 0
            && new.st_dev == old.st_dev
    }

    private func copyInPlace() throws(FileError) {
        let number = try systemCall(.write, path) {
            csystem_openat(folder.number, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0)
        }
        let target = Descriptor(number: number, path: path)
        try target.truncate(to: 0)
        var offset = 0
        while true {
            let chunk = try file.read(at: offset, count: 1 << 18)
            if chunk.isEmpty { break }
            try target.write(chunk)
            offset += chunk.count
        }
        try target.sync()
    }

    // MARK: Names

    /// - Returns: false if the name is taken.
    private func link(as name: String) throws(FileError) -> Bool {
        do throws(FileError) {
            _ = try systemCall(.create, path) {
                linkat(AT_FDCWD, "/proc/self/fd/\(file.number)", folder.number, name, AT_SYMLINK_FOLLOW)
            }
            return true
        } catch let error where error.isTaken {
            return false
        }
    }

    private static func fileElsewhere() -> Int32 {
        let folder = csystem_openat(AT_FDCWD, "/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        if folder < 0 { return -1 }
        defer { close(folder) }
        return csystem_unnamed_file(folder, 0o600)
    }

    private static func prefix(_ name: String) -> String { ".\(name.prefix(40))-sbfs-" }
    private static let suffix = ".part"

    private static func temporaryName(_ name: String) -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return prefix(name) + String(repeating: "0", count: 16 - digits.count) + digits + suffix
    }

    /// Removes leftovers of killed processes that wrote to this name.
    private static func sweep(_ folder: borrowing Directory, _ name: String) {
        let start = Array(prefix(name).utf8), end = Array(suffix.utf8)
        var left: [String] = []
        try? folder.forEachName { bytes, _ in
            if bytes.count == start.count + 16 + end.count, bytes.starts(with: start),
                bytes.suffix(end.count).elementsEqual(end)
            {
                left.append(String(decoding: bytes, as: UTF8.self))
            }
        }
        for name in left {
            let number = csystem_openat(folder.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0)
            if number < 0 { continue }
            // The writer of a live file holds the lock.
            if flock(number, LOCK_EX | LOCK_NB) == 0 { try? folder.removeFile(name) }
            close(number)
        }
    }
}

extension Descriptor {
    /// Writes all bytes to a descriptor that may be a pipe. If nobody reads any more, it is an error and not a
    /// signal.
    fileprivate func writeToStream(_ bytes: [UInt8]) throws(FileError) {
        var offset = 0
        while offset < bytes.count {
            offset += try systemCall(.write, path) {
                bytes.withUnsafeBytes {
                    csystem_write_without_signal(number, $0.baseAddress.map { $0 + offset }, $0.count - offset)
                }
            }
        }
    }
}
