internal import CSystem
internal import Glibc

extension Directory {
    /// Makes a file that has its name only once all bytes are in it; not synced, but being written
    /// (`Descriptor.beginWriting`). A program that is killed meanwhile leaves nothing.
    ///
    /// - Returns: false if the name is taken, or the file system cannot make a file without a name (open(2), O_TMPFILE).
    package func makeWholeFile(_ name: String, _ bytes: [UInt8]) throws(FileError) -> Bool {
        // glibc's O_TMPFILE is a macro that is not imported: __O_TMPFILE | O_DIRECTORY.
        let flags = 0o20_000_000 | O_DIRECTORY | O_WRONLY | O_CLOEXEC
        let opened: Int32
        do throws(FileError) {
            opened = try systemCall(.create, full(name)) { csystem_openat(number, ".", flags, 0o666) }
        } catch let error where [EOPNOTSUPP, EISDIR, ENOENT, EINVAL].contains(error.number) {
            return false
        }
        let file = Descriptor(number: opened, path: full(name))
        try file.write(bytes)
        file.beginWriting()
        do throws(FileError) {
            _ = try systemCall(.create, full(name)) {
                linkat(AT_FDCWD, "/proc/self/fd/\(opened)", number, name, AT_SYMLINK_FOLLOW)
            }
            return true
        } catch let error where [EEXIST, ENOENT, EXDEV, EPERM, EOPNOTSUPP].contains(error.number) {
            return false
        }
    }

    /// Gives a file a second name in another folder, where it must be free. Without hard links, copies the file and
    /// shares its blocks if possible.
    package func keep(_ name: String, in target: borrowing Directory, as newName: String) throws(FileError) {
        do throws(FileError) {
            _ = try systemCall(.copy, full(name)) { linkat(number, name, target.number, newName, 0) }
            return
        } catch let error where [EPERM, EOPNOTSUPP, ENOSYS, EMLINK, EXDEV, EACCES, EINVAL].contains(error.number) {}
        let source = try file(name)
        let copy = try target.createFile(newName)
        do throws(FileError) {
            var isDone = copy.clone(source)
            while !isDone {
                let chunk = try source.readChunk(1 << 20)
                if !chunk.isEmpty { try copy.write(chunk) }
                isDone = chunk.isEmpty
            }
            // As a link has.
            try copy.setModified(source.status().modified)
        } catch {
            try? target.removeFile(newName)
            throw error
        }
    }
}
