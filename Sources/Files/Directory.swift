internal import CSystem
internal import Glibc

/// An open folder. The kernel resolves every path below it without symbolic links and without `..`.
///
/// All relative paths are opened by `openat2` with `RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS`; on kernels or sandboxes
/// without it, component by component with `O_NOFOLLOW`. Files are opened with `O_NONBLOCK` and checked to be regular
/// before a byte is read, so that a FIFO or a device can neither hang nor be read.
package struct Directory: ~Copyable, Sendable {
    let number: Int32
    /// The path at opening; for messages.
    package let path: String

    init(number: Int32, path: String) {
        self.number = number
        self.path = path
    }

    deinit { Glibc.close(number) }

    /// Opens a folder by a person's path; symbolic links are followed.
    package init(path: String) throws(FileError) {
        let number = try systemCall(.open, path) {
            csystem_openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        }
        self.init(number: number, path: path)
    }

    /// Makes a folder, and those above it, by a person's path; an existing folder is no error.
    package static func make(path: String, permissions: UInt32 = 0o777) throws(FileError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for component in path.utf8.split(separator: UInt8(ascii: "/")) {
            made += Substring(component)
            do throws(FileError) {
                _ = try systemCall(.makeDirectory, made) { mkdir(made, mode_t(permissions)) }
            } catch let error where error.number == EEXIST {}
            made += "/"
        }
    }

    /// Opens a folder below this one.
    package func directory(_ relative: String) throws(FileError) -> Directory {
        let number = try openBeneath(.open, relative, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        return Directory(number: number, path: full(relative))
    }

    /// Another descriptor of the same folder.
    package func duplicate() throws(FileError) -> Directory {
        let number = try systemCall(.open, path) { fcntl(self.number, F_DUPFD_CLOEXEC, 0) }
        return Directory(number: number, path: path)
    }

    /// The folder's status.
    package func status() throws(FileError) -> FileStatus {
        var raw = stat()
        _ = try systemCall(.inspect, path) { fstat(number, &raw) }
        return FileStatus(raw)
    }

    /// When the folder was made, in nanoseconds since 1970 UTC; 0 if the file system does not record it.
    package func birth() -> Int64 { csystem_birth(number) }

    // MARK: Files

    /// Opens a regular file for reading.
    package func file(_ relative: String) throws(FileError) -> Descriptor {
        let number = try openBeneath(.open, relative, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        let file = Descriptor(number: number, path: full(relative))
        _ = try Self.checkRegular(file)
        return file
    }

    /// As `file`; `nil` if it is absent.
    package func fileIfPresent(_ relative: String) throws(FileError) -> Descriptor? {
        do throws(FileError) {
            return try file(relative)
        } catch let error where error.isAbsent {
            return nil
        }
    }

    private static func checkRegular(_ file: borrowing Descriptor) throws(FileError) -> FileStatus {
        let status = try file.status()
        if status.kind != .regular { throw FileError(.open, file.path, .notRegular(status.kind)) }
        return status
    }

    /// Creates a file that must not exist yet.
    ///
    /// - Parameter permissions: the mode before the process's umask.
    package func createFile(_ relative: String, permissions: UInt32 = 0o666) throws(FileError) -> Descriptor {
        let number = try openBeneath(
            .create, relative, O_RDWR | O_CREAT | O_EXCL | O_NOCTTY | O_CLOEXEC, mode_t(permissions))
        return Descriptor(number: number, path: full(relative))
    }

    /// A new file without a name, which is removed when its descriptor is closed.
    package func temporaryFile(_ name: String) throws(FileError) -> Descriptor {
        let file = try createFile(name, permissions: 0o600)
        try removeFile(name)
        return file
    }

    /// Opens an existing regular file for reading and writing.
    package func fileForWriting(_ relative: String) throws(FileError) -> Descriptor {
        let number = try openBeneath(.write, relative, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        let file = Descriptor(number: number, path: full(relative))
        _ = try Self.checkRegular(file)
        return file
    }

    /// Writes a new file and syncs its bytes. A leftover with the name is removed first; after a failure no file is
    /// left.
    ///
    /// - Parameters:
    ///   - permissions: the exact permission bits; `nil` for those of the process's umask.
    ///   - isSynced: whether the bytes are durable when this returns; else the caller syncs.
    package func writeFile(
        _ name: String, _ bytes: [UInt8], permissions: UInt32? = nil, isSynced: Bool = true
    ) throws(FileError) {
        let file: Descriptor
        do throws(FileError) {
            file = try createFile(name, permissions: permissions ?? 0o666)
        } catch let error where error.isTaken {
            try removeFile(name)
            file = try createFile(name, permissions: permissions ?? 0o666)
        }
        do throws(FileError) {
            if let permissions { try file.setPermissions(permissions) }
            try file.write(bytes)
            if isSynced { try file.sync() }
        } catch {
            try? removeFile(name)
            throw error
        }
    }

    /// Appends bytes to a regular file in one write; not synced. Makes a missing file, for its owner only.
    package func append(_ bytes: [UInt8], to name: String) throws(FileError) {
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let file = Descriptor(number: try openBeneath(.write, name, flags, 0o600), path: full(name))
        _ = try Self.checkRegular(file)
        try file.write(bytes)
    }

    /// Reads a whole regular file, with its status at opening.
    package func contents(of relative: String, limit: Int) throws(FileError) -> FileContents {
        let number = try openBeneath(.open, relative, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        let file = Descriptor(number: number, path: full(relative))
        let status = try Self.checkRegular(file)
        return FileContents(bytes: try file.readAll(expecting: status.byteCount, limit: limit), status: status)
    }

    /// Reads a whole regular file; `nil` if it is absent.
    package func contentsIfPresent(of relative: String, limit: Int) throws(FileError) -> FileContents? {
        do throws(FileError) {
            return try contents(of: relative, limit: limit)
        } catch let error where error.isAbsent {
            return nil
        }
    }

    /// The first bytes of a regular file, at most `count`; `nil` if it is absent.
    package func prefixIfPresent(of relative: String, count: Int) throws(FileError) -> [UInt8]? {
        do throws(FileError) {
            return try file(relative).readChunk(count)
        } catch let error where error.isAbsent {
            return nil
        }
    }

    /// Status of an entry itself, not of a symbolic link's target; `nil` if it is absent.
    package func statusIfPresent(of relative: String) throws(FileError) -> FileStatus? {
        if let (parent, name) = Self.split(relative) {
            do throws(FileError) {
                return try directory(parent).statusIfPresent(of: name)
            } catch let error where error.isAbsent {
                return nil
            }
        }
        return try statusOfKnownPath(relative)
    }

    /// As `statusIfPresent`, for a path whose folders were just seen to be folders: one call, which would follow a
    /// link put there since.
    package func statusOfKnownPath(_ relative: String) throws(FileError) -> FileStatus? {
        var raw = stat()
        do throws(FileError) {
            _ = try systemCall(.inspect, full(relative)) { fstatat(number, relative, &raw, AT_SYMLINK_NOFOLLOW) }
        } catch let error where error.isAbsent {
            return nil
        }
        return FileStatus(raw)
    }

    /// Whether nothing has this name. `false` also if nobody can tell, because of an error.
    package func isKnownAbsent(_ relative: String) -> Bool {
        do throws(FileError) { return try statusIfPresent(of: relative) == nil } catch { return false }
    }

    // MARK: Changing names

    /// Makes a folder; an existing one is no error.
    ///
    /// - Returns: whether this call made it.
    @discardableResult
    package func makeDirectory(_ relative: String, permissions: UInt32 = 0o777) throws(FileError) -> Bool {
        if let (parent, name) = Self.split(relative) {
            return try directory(parent).makeDirectory(name, permissions: permissions)
        }
        do throws(FileError) {
            _ = try systemCall(.makeDirectory, full(relative)) { mkdirat(number, relative, mode_t(permissions)) }
            return true
        } catch let error where error.number == EEXIST {
            return false
        }
    }

    /// What becomes of a folder that the file system cannot rename.
    package enum UnmovableFolder: Sendable {
        /// It is copied, and the original removed.
        case copy
        /// The error EXDEV is thrown.
        case refuse
    }

    /// Renames an entry to a name that must not exist in `target`.
    ///
    /// If the file system has no RENAME_NOREPLACE, the name is checked just before a plain rename. If it cannot
    /// rename a folder (one of a lower layer of overlayfs: EXDEV), the folder is copied, the copy renamed, and the
    /// original removed, so a partial folder never has the new name.
    ///
    /// - Parameter unmovable: what becomes of a folder that the file system cannot rename.
    package func move(
        _ name: String, to target: borrowing Directory, as newName: String, _ unmovable: UnmovableFolder = .copy
    ) throws(FileError) {
        do throws(FileError) {
            _ = try systemCall(.rename, full(name)) {
                csystem_rename_noreplace(number, name, target.number, newName)
            }
        } catch let error where error.isDenied {
            throw target.refusal(error, of: newName)
        } catch let error where error.number == EXDEV && unmovable == .copy {
            guard try statusIfPresent(of: name)?.kind == .directory else { throw error }
            try moveByCopying(name, to: target, as: newName)
        } catch let error where error.number == EINVAL || error.number == ENOSYS {
            if try target.statusIfPresent(of: newName) != nil {
                throw FileError(.rename, target.full(newName), .system(EEXIST))
            }
            try replace(name, to: target, as: newName)
        }
    }

    /// Renames an entry and replaces any entry with the new name. Both are names without `/`, as in all calls that
    /// change names.
    package func replace(_ name: String, to target: borrowing Directory, as newName: String) throws(FileError) {
        do throws(FileError) {
            _ = try systemCall(.rename, full(name)) { renameat(number, name, target.number, newName) }
        } catch let error where error.isDenied {
            throw target.refusal(error, of: newName)
        }
    }

    /// The error with the name that it is about, if this folder, into which something moves, cannot be written.
    private func refusal(_ error: FileError, of name: String) -> FileError {
        isWritable ? error : FileError(.rename, full(name), error.reason)
    }

    /// Swaps two entries atomically.
    ///
    /// - Returns: false if the file system cannot (EINVAL, ENOSYS); then nothing is changed.
    package func swap(
        _ name: String, with other: borrowing Directory, _ otherName: String
    ) throws(FileError) -> Bool {
        do throws(FileError) {
            _ = try systemCall(.swap, other.full(otherName)) {
                csystem_rename_exchange(number, name, other.number, otherName)
            }
            return true
        } catch let error where error.number == EINVAL || error.number == ENOSYS {
            return false
        }
    }

    /// Sets the folder's permission bits exactly, regardless of the process's umask.
    package func setPermissions(_ permissions: UInt32) throws(FileError) {
        _ = try systemCall(.write, path) { fchmod(number, mode_t(permissions)) }
    }

    /// Sets the times of a file to now, also that of its last change. The path is the program's own: no part of it is a link.
    package func touch(_ relative: String) throws(FileError) {
        _ = try systemCall(.write, full(relative)) { utimensat(number, relative, nil, AT_SYMLINK_NOFOLLOW) }
    }

    /// Syncs the folder's names to the disk.
    package func sync() throws(FileError) {
        _ = try systemCall(.sync, path) { fsync(number) }
    }

    /// Syncs everything written to this folder's file system, including other programs' data.
    package func syncFileSystem() throws(FileError) {
        _ = try systemCall(.sync, path) { csystem_syncfs(number) }
    }

    // MARK: Listing

    /// All entries except `.` and `..`, in the file system's order.
    package func entries() throws(FileError) -> [DirectoryEntry] {
        // A separate descriptor: the stream owns it, and its position is not shared with ours.
        let copy = try systemCall(.list, path) { csystem_openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) }
        guard let stream = fdopendir(copy) else {
            let number = errno
            Glibc.close(copy)
            throw FileError(.list, path, .system(number))
        }
        defer { closedir(stream) }
        var entries: [DirectoryEntry] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw FileError(.list, path, .system(errno)) }
                return entries
            }
            let name = FileName(bytes: Self.nameBytes(entry))
            if name.bytes == [0x2E] || name.bytes == [0x2E, 0x2E] { continue }
            var kind = FileKind(directoryEntryType: entry.pointee.d_type)
            if kind == .unknown, let status = try statusIfPresent(of: name.repaired) { kind = status.kind }
            entries.append(DirectoryEntry(name: name, kind: kind))
        }
    }

    private static func nameBytes(_ entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
        // d_name ends with NUL inside the record, whose length is d_reclen.
        withUnsafeBytes(of: &entry.pointee.d_name) { field in
            Array(field.prefix { $0 != 0 })
        }
    }

    // MARK: Paths

    /// The folder and the name of a path of several components; `nil` for a single name.
    private static func split(_ relative: String) -> (parent: String, name: String)? {
        guard let slash = relative.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return (String(relative[..<slash]), String(relative[relative.utf8.index(after: slash)...]))
    }

    /// The full path of an entry below this folder, for messages.
    package func full(_ relative: String) -> String { path == "/" ? "/" + relative : path + "/" + relative }

    /// Whether a relative path stays below its folder, judged by its spelling.
    package static func isSafe(_ relative: String) -> Bool {
        if relative.isEmpty || relative.utf8.contains(0) { return false }
        return relative.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
            !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
        }
    }

    private func openBeneath(
        _ operation: FileError.Operation, _ relative: String, _ flags: Int32, _ mode: mode_t = 0
    ) throws(FileError) -> Int32 {
        guard Self.isSafe(relative) else { throw FileError(operation, full(relative), .unsafePath) }
        do throws(FileError) {
            return try systemCall(operation, full(relative)) {
                csystem_openat2_beneath(number, relative, flags, mode)
            }
        } catch let error where [ENOSYS, EPERM, EAGAIN, EXDEV].contains(error.number) {
            // EAGAIN: a rename elsewhere made the kernel unsure about `..`; our paths have none. EXDEV: a rename moved the file out
            // of this folder while it was opened, as when a writer exchanges item.json; our paths and links lead nowhere else.
            return try openByComponents(operation, relative, flags, mode)
        }
    }

    private func openByComponents(
        _ operation: FileError.Operation, _ relative: String, _ flags: Int32, _ mode: mode_t
    ) throws(FileError) -> Int32 {
        let components = relative.pathComponents
        var parent = number
        defer { if parent != number { Glibc.close(parent) } }
        for component in components.dropLast() {
            let next = try systemCall(operation, full(relative)) {
                csystem_openat(parent, component, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
            }
            if parent != number { Glibc.close(parent) }
            parent = next
        }
        return try systemCall(operation, full(relative)) {
            csystem_openat(parent, components[components.count - 1], flags | O_NOFOLLOW, mode)
        }
    }
}
