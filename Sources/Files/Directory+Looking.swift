internal import CSystem
internal import Glibc

/// Examines many entries without making strings, for a sweep over a whole library.
extension Directory {
    /// Status of an entry, by the bytes of its path below this folder, ended by NUL; a link at the end is not
    /// followed.
    ///
    /// - Returns: `nil` if it is absent.
    package func status(at path: UnsafePointer<CChar>) throws(FileError) -> FileStatus? {
        var raw = stat()
        if fstatat(number, path, &raw, AT_SYMLINK_NOFOLLOW) == 0 { return FileStatus(raw) }
        let error = errno
        if error == ENOENT || error == ENOTDIR { return nil }
        throw FileError(.inspect, full(String(cString: path)), .system(error))
    }

    /// Calls `body` with the name and the kind of every entry except `.` and `..`, in the file system's order.
    ///
    /// The kind is `unknown` if the file system does not list it.
    package func forEachName(_ body: (UnsafeBufferPointer<UInt8>, FileKind) -> Void) throws(FileError) {
        // A descriptor of its own has a position of its own.
        let copy = try systemCall(.list, path) { openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        defer { Glibc.close(copy) }
        try list(copy, capacity: 32 << 10, body)
    }

    /// As `forEachName`, for a folder that was just opened and has few entries: it is listed once, with this
    /// descriptor's own position.
    package func forEachNameOnce(_ body: (UnsafeBufferPointer<UInt8>, FileKind) -> Void) throws(FileError) {
        try list(number, capacity: 4 << 10, body)
    }

    /// - Parameter capacity: bytes of entries that one call of the system returns.
    private func list(
        _ number: Int32, capacity: Int, _ body: (UnsafeBufferPointer<UInt8>, FileKind) -> Void
    ) throws(FileError) {
        // linux_dirent64: inode u64, offset i64, length of the record u16, kind u8, the name ended by NUL.
        let (lengthOffset, kindOffset, nameOffset) = (16, 18, 19)
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
        defer { buffer.deallocate() }
        while true {
            let count = try systemCall(.list, path) { csystem_getdents(number, buffer, capacity) }
            if count == 0 { return }
            var record = UnsafeRawPointer(buffer)
            let end = record + count
            while record < end {
                let length = Int(record.load(fromByteOffset: lengthOffset, as: UInt16.self))
                let kind = FileKind(directoryEntryType: record.load(fromByteOffset: kindOffset, as: UInt8.self))
                let name = (record + nameOffset).assumingMemoryBound(to: UInt8.self)
                let nameCount = strnlen(
                    UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self), max(0, length - nameOffset))
                record += max(length, nameOffset)
                if nameCount <= 2, name[0] == 0x2E, nameCount == 1 || name[1] == 0x2E { continue }
                body(UnsafeBufferPointer(start: name, count: nameCount), kind)
            }
        }
    }

    /// Whether its permissions and its mount allow making names in it.
    package var isWritable: Bool { faccessat(number, ".", W_OK | X_OK, AT_EACCESS) == 0 }

    /// Whether the permissions of an entry allow this process to read it. A link counts as itself.
    package func isReadable(_ name: FileName) -> Bool {
        faccessat(number, name.cString, R_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW) == 0 || errno != EACCES
    }

    /// Bytes that an ordinary user can still write to the folder's file system.
    package func freeByteCount() throws(FileError) -> Int {
        var raw = statvfs()
        _ = try systemCall(.inspect, path) { fstatvfs(number, &raw) }
        let (bytes, isTooLarge) = Int(clamping: raw.f_bavail).multipliedReportingOverflow(by: Int(raw.f_frsize))
        return isTooLarge ? .max : bytes
    }

    /// Replaces a file without a sync; a reader sees the old one or the new one.
    package func replaceFile(_ name: String, with bytes: [UInt8]) throws(FileError) {
        let temporary = ".\(name)-\(UInt64.random(in: 1...UInt64.max))"
        let file = try createFile(temporary, permissions: 0o600)
        // Locked until it has its name: an unlocked one is a leftover (`removeLeftFiles`).
        file.lock()
        do throws(FileError) {
            try file.write(bytes)
            try replace(temporary, to: self, as: name)
        } catch {
            try? removeFile(temporary)
            throw error
        }
    }

    /// Removes leftovers of killed processes in `replaceFile`.
    package func removeLeftFiles() {
        guard let entries = try? entries() else { return }
        for entry in entries where entry.kind == .regular {
            guard let name = entry.name.string, name.hasPrefix("."), let dash = name.lastIndex(of: "-"),
                UInt64(name[name.index(after: dash)...]) != nil, let file = try? file(name), !file.isLocked
            else { continue }
            try? removeFile(name)
        }
    }
}
