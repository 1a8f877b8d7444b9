internal import Glibc

/// Looks at many entries without a string for each: what a sweep over a whole library needs.
extension Directory {
    /// Status of an entry by the bytes of its path below this folder, ended by NUL; links are not followed at the end.
    ///
    /// - Returns: `nil` if it is absent.
    package func status(at path: UnsafePointer<CChar>) throws(FileError) -> FileStatus? {
        var raw = stat()
        if fstatat(number, path, &raw, AT_SYMLINK_NOFOLLOW) == 0 { return FileStatus(raw) }
        let error = errno
        if error == ENOENT || error == ENOTDIR { return nil }
        throw FileError(.inspect, full(String(cString: path)), .system(error))
    }

    /// Calls `body` with the name and the kind of every entry but `.` and `..`, in the file system's order.
    ///
    /// The kind is `unknown` where the file system does not list it.
    package func forEachName(_ body: (UnsafeBufferPointer<UInt8>, FileKind) -> Void) throws(FileError) {
        let copy = try systemCall(.list, path) { openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard let stream = fdopendir(copy) else {
            let error = errno
            Glibc.close(copy)
            throw FileError(.list, path, .system(error))
        }
        defer { closedir(stream) }
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw FileError(.list, path, .system(errno)) }
                return
            }
            // The name is NUL-ended inside of the record, which may be shorter than the type says.
            let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: UInt8.self)
            var count = 0
            while name[count] != 0 { count += 1 }
            if count <= 2, name[0] == 0x2E, count == 1 || name[1] == 0x2E { continue }
            body(
                UnsafeBufferPointer(start: name, count: count), FileKind(directoryEntryType: entry.pointee.d_type))
        }
    }

    /// Whether names can be made in it, by its permissions and by those of its mount.
    package var isWritable: Bool { faccessat(number, ".", W_OK | X_OK, AT_EACCESS) == 0 }

    /// Bytes that an ordinary user can still write to the folder's file system.
    package func freeByteCount() throws(FileError) -> Int {
        var raw = statvfs()
        _ = try systemCall(.inspect, path) { fstatvfs(number, &raw) }
        let (bytes, isTooLarge) = Int(clamping: raw.f_bavail).multipliedReportingOverflow(by: Int(raw.f_frsize))
        return isTooLarge ? .max : bytes
    }

    /// Replaces a file without waiting for the disk; a reader sees the old one or the new one.
    package func replaceFile(_ name: String, with bytes: [UInt8]) throws(FileError) {
        let temporary = ".\(name)-\(UInt64.random(in: 1...UInt64.max))"
        let file = try createFile(temporary)
        do throws(FileError) {
            try file.write(bytes)
            try replace(temporary, to: self, as: name)
        } catch {
            try? removeFile(temporary)
            throw error
        }
    }
}
