internal import CSystem
internal import Glibc

/// The entries of one folder by the bytes of their names, which need not be UTF-8. A link is never followed.
extension Directory {
    /// Opens a folder in this one.
    package func directory(named name: FileName) throws(FileError) -> Directory {
        Directory(
            number: try open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), path: full(name.repaired))
    }

    /// Opens a regular file in this folder for reading. A FIFO or a device is neither waited for nor read.
    package func file(named name: FileName) throws(FileError) -> Descriptor {
        let number = try open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        return try Descriptor.adopt(number, path: full(name.repaired))
    }

    private func open(_ name: FileName, _ flags: Int32) throws(FileError) -> Int32 {
        try check(.open, name)
        return try systemCall(.open, full(name.repaired)) { csystem_openat(number, name.cString, flags, 0) }
    }

    private func check(_ operation: FileError.Operation, _ name: FileName) throws(FileError) {
        let isSafe = !name.bytes.isEmpty && name.bytes != [0x2E] && name.bytes != [0x2E, 0x2E]
        if !isSafe || name.bytes.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") }) {
            throw FileError(operation, full(name.repaired), .unsafePath)
        }
    }

    /// Status of an entry itself; `nil` if it is absent.
    package func status(named name: FileName) throws(FileError) -> FileStatus? { try status(at: name.cString) }

    /// Renames an entry to a name that must not exist in `target`, as `move` does. A folder is never copied.
    package func move(
        named name: FileName, to target: borrowing Directory, as newName: FileName
    ) throws(FileError) {
        try check(.rename, name)
        try check(.rename, newName)
        do throws(FileError) {
            _ = try systemCall(.rename, full(name.repaired)) {
                csystem_rename_noreplace(number, name.cString, target.number, newName.cString)
            }
        } catch let error where error.number == EINVAL || error.number == ENOSYS {
            if try target.status(named: newName) != nil {
                throw FileError(.rename, target.full(newName.repaired), .system(EEXIST))
            }
            _ = try systemCall(.rename, full(name.repaired)) {
                renameat(number, name.cString, target.number, newName.cString)
            }
        }
    }

    /// Removes a file; it must exist.
    package func removeFile(named name: FileName) throws(FileError) {
        try check(.remove, name)
        _ = try systemCall(.remove, full(name.repaired)) { unlinkat(number, name.cString, 0) }
    }

    /// Removes an empty folder.
    package func removeDirectory(named name: FileName) throws(FileError) {
        try check(.remove, name)
        _ = try systemCall(.remove, full(name.repaired)) { unlinkat(number, name.cString, AT_REMOVEDIR) }
    }
}

extension FileName {
    /// The name with a number before its extension, for a name that is taken: `a (2).txt`.
    ///
    /// - Parameter mark: what goes before the extension. The rest is cut so that at most 255 bytes remain.
    package func marked(_ mark: String) -> FileName {
        let dot = bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 && bytes.count - $0 <= 20 ? $0 : nil }
        let (stem, suffix) = (bytes[..<(dot ?? bytes.count)], bytes[(dot ?? bytes.count)...])
        var kept = Array(stem.prefix(255 - suffix.count - mark.utf8.count))
        // A character that the cut split goes as a whole.
        if kept.count < stem.count { while let last = kept.last, last & 0xC0 == 0x80 { kept.removeLast() } }
        if kept.count < stem.count, let last = kept.last, last >= 0xC0 { kept.removeLast() }
        return FileName(bytes: kept + Array(mark.utf8) + Array(suffix))
    }
}
