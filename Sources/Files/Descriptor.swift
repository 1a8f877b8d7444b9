internal import CSystem
internal import Glibc

/// An open regular file, closed when the value is released.
///
/// A short write or an interrupted call is continued where it stopped, never restarted.
package struct Descriptor: ~Copyable, Sendable {
    let number: Int32
    /// The path at opening; for messages.
    package let path: String

    init(number: Int32, path: String) {
        self.number = number
        self.path = path
    }

    deinit { Glibc.close(number) }

    /// Opens a regular file for reading by a person's path; symbolic links are followed.
    package static func open(path: String) throws(FileError) -> Descriptor {
        let number = try systemCall(.open, path) {
            csystem_openat(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0)
        }
        let file = Descriptor(number: number, path: path)
        let kind = try file.status().kind
        if kind != .regular { throw FileError(.open, path, .notRegular(kind)) }
        return file
    }

    /// Takes ownership of a descriptor that another process opened. Refuses one that is not a regular file.
    package static func adopt(_ number: Int32, path: String) throws(FileError) -> Descriptor {
        let file = Descriptor(number: number, path: path)
        let kind = try file.status().kind
        if kind != .regular { throw FileError(.open, path, .notRegular(kind)) }
        return file
    }

    /// The file's status.
    package func status() throws(FileError) -> FileStatus {
        var raw = stat()
        _ = try systemCall(.inspect, path) { fstat(number, &raw) }
        return FileStatus(raw)
    }

    /// When the file was made on its file system: nanoseconds since 1970, or 0 if the file system does not tell.
    package func birth() -> Int64 { csystem_birth(number) }

    /// Reads the file from start to end, even if it grows or shrinks meanwhile.
    ///
    /// - Parameter expected: the size in bytes a moment ago.
    /// - Throws: `FileError` `.tooLarge` as soon as there are more than `limit` bytes.
    package func readAll(expecting expected: Int, limit: Int) throws(FileError) -> [UInt8] {
        if expected > limit { throw FileError(.read, path, .tooLarge(byteCount: expected, limit: limit)) }
        // One byte more than expected, so that the end is found without a second call.
        var bytes: [UInt8] = []
        var capacity = expected + 1
        var offset = 0
        while true {
            let start = offset
            let wanted = capacity - start
            var failure: FileError?
            let chunk = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
                do throws(FileError) {
                    count = try systemCall(.read, path) { pread(number, buffer.baseAddress, wanted, off_t(start)) }
                } catch {
                    failure = error
                    count = 0
                }
            }
            if let failure { throw failure }
            offset += chunk.count
            if offset > limit { throw FileError(.read, path, .tooLarge(byteCount: offset, limit: limit)) }
            if start == 0 { bytes = chunk } else { bytes += chunk }
            if chunk.count < wanted, offset >= expected || chunk.isEmpty { return bytes }
            capacity = max(capacity, offset) + 65_536
        }
    }

    /// Reads at most `count` bytes from the end of the last read; an empty array means the end of the file.
    package func readChunk(_ count: Int) throws(FileError) -> [UInt8] {
        var failure: FileError?
        let chunk = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            do throws(FileError) {
                initialized = try systemCall(.read, path) { Glibc.read(number, buffer.baseAddress, count) }
            } catch {
                failure = error
                initialized = 0
            }
        }
        if let failure { throw failure }
        return chunk
    }

    /// Writes all bytes at the file's position.
    package func write(_ bytes: borrowing [UInt8]) throws(FileError) {
        var offset = 0
        while offset < bytes.count {
            offset += try systemCall(.write, path) {
                bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress.map { $0 + offset }, $0.count - offset) }
            }
        }
    }

    /// Writes all bytes at the file's position.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var offset = 0
        while offset < bytes.count {
            offset += try systemCall(.write, path) {
                Glibc.write(number, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
            }
        }
    }

    /// Writes all bytes from `start` on; the file's position stays.
    package func write(_ bytes: borrowing [UInt8], at start: Int) throws(FileError) {
        var offset = 0
        while offset < bytes.count {
            offset += try systemCall(.write, path) {
                bytes.withUnsafeBytes {
                    pwrite(number, $0.baseAddress.map { $0 + offset }, $0.count - offset, off_t(start + offset))
                }
            }
        }
    }

    /// Writes all bytes from `start` on; the file's position stays.
    package func write(_ bytes: UnsafeRawBufferPointer, at start: Int) throws(FileError) {
        var offset = 0
        while offset < bytes.count {
            offset += try systemCall(.write, path) {
                pwrite(number, bytes.baseAddress.map { $0 + offset }, bytes.count - offset, off_t(start + offset))
            }
        }
    }

    /// Reads at most `count` bytes from `start` on; fewer only at the end of the file.
    package func read(at start: Int, count: Int) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var failure: FileError?
            let offset = start + bytes.count
            let wanted = count - bytes.count
            let chunk = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, initialized in
                do throws(FileError) {
                    initialized = try systemCall(.read, path) {
                        pread(number, buffer.baseAddress, wanted, off_t(offset))
                    }
                } catch {
                    failure = error
                    initialized = 0
                }
            }
            if let failure { throw failure }
            if chunk.isEmpty { break }
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
        }
        return bytes
    }

    /// Syncs the file's bytes to the disk, without its times.
    package func syncData() throws(FileError) {
        _ = try systemCall(.sync, path) { fdatasync(number) }
    }

    /// Cuts or extends the file.
    package func truncate(to byteCount: Int) throws(FileError) {
        _ = try systemCall(.write, path) { ftruncate(number, off_t(byteCount)) }
    }

    /// Gives the file this size and allocates blocks on the disk for all of it.
    package func allocate(_ byteCount: Int) throws(FileError) {
        let failure = posix_fallocate(number, 0, off_t(byteCount))
        if failure != 0 { throw FileError(.write, path, .system(failure)) }
    }

    /// Sets the permission bits exactly, regardless of the process's umask.
    package func setPermissions(_ permissions: UInt32) throws(FileError) {
        _ = try systemCall(.write, path) { fchmod(number, mode_t(permissions)) }
    }

    /// Sets the time of the last modification, in nanoseconds since 1970-01-01 UTC.
    package func setModified(_ nanoseconds: Int64) throws(FileError) {
        let seconds = nanoseconds >= 0 ? nanoseconds / 1_000_000_000 : (nanoseconds - 999_999_999) / 1_000_000_000
        let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds - seconds * 1_000_000_000))
        let times = [time, time]
        _ = try systemCall(.write, path) { futimens(number, times) }
    }

    /// Syncs the file's bytes and size to the disk.
    package func sync() throws(FileError) {
        _ = try systemCall(.sync, path) { fsync(number) }
    }

    /// Has the system begin to write the file's bytes, and does not wait. ext4 then gives them their blocks, and no later commit of
    /// its journal names the file without them (data=ordered): a loss of power leaves no empty file. A file system that cannot
    /// do this writes them when it likes.
    package func beginWriting() { _ = csystem_begin_writing(number) }

    /// Shares the blocks of `source` with this empty file, if the file system can (FICLONE).
    ///
    /// - Returns: false if it cannot; then nothing is changed.
    package func clone(_ source: borrowing Descriptor) -> Bool {
        csystem_clone_file(number, source.number) == 0
    }
}
