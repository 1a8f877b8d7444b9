internal import Glibc

/// An exclusive flock(2) on a file or folder, released with the value or at the end of the process.
package struct FileLock: ~Copyable, Sendable {
    private let number: Int32

    private init(number: Int32) { self.number = number }

    /// Unlocks before it closes: a process that another thread is just starting has a copy of the descriptor until its
    /// program runs, and with the copy it would hold the lock.
    deinit {
        flock(number, LOCK_UN)
        Glibc.close(number)
    }

    /// Takes the lock on `name`, which is created for its owner only if absent.
    ///
    /// After taking the lock, the path is looked up again: if another process removed or replaced the file, the lock
    /// on the old one protects nothing and is taken again.
    ///
    /// - Parameter patience: how long to wait for another holder; zero tries once.
    /// - Returns: `nil` if another process held it all the time.
    package static func acquire(
        _ name: String, in directory: borrowing Directory, patience: Duration
    ) throws(FileError) -> FileLock? {
        let deadline = ContinuousClock.now + patience
        while true {
            let number = try systemCall(.lock, directory.full(name)) {
                openat(directory.number, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            }
            guard let lock = try wait(number, directory.full(name), until: deadline) else { return nil }
            if try lock.still(is: name, in: directory) { return lock }
        }
    }

    /// Takes the lock on a folder.
    ///
    /// - Returns: `nil` if another process holds it, or the folder is gone.
    package static func acquireFolder(
        _ name: String, in directory: borrowing Directory
    ) throws(FileError) -> FileLock? {
        let number: Int32
        do throws(FileError) {
            number = try systemCall(.lock, directory.full(name)) {
                openat(directory.number, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW, 0)
            }
        } catch let error where error.isAbsent {
            return nil
        }
        guard let lock = try wait(number, directory.full(name), until: .now) else { return nil }
        if try lock.still(is: name, in: directory) { return lock }
        return nil
    }

    private static func wait(
        _ number: Int32, _ path: String, until deadline: ContinuousClock.Instant
    ) throws(FileError) -> FileLock? {
        let lock = FileLock(number: number)
        var pause: useconds_t = 500
        while true {
            do throws(FileError) {
                _ = try systemCall(.lock, path) { flock(number, LOCK_EX | LOCK_NB) }
                return lock
            } catch let error where error.number == EWOULDBLOCK {
                if ContinuousClock.now >= deadline { return nil }
                usleep(pause)
                pause = min(pause * 2, 10_000)
            }
        }
    }

    private func still(is name: String, in directory: borrowing Directory) throws(FileError) -> Bool {
        var held = stat()
        _ = try systemCall(.inspect, directory.full(name)) { fstat(number, &held) }
        guard let named = try directory.statusIfPresent(of: name) else { return false }
        return FileStatus(held).isSameFile(as: named)
    }
}

extension Descriptor {
    /// Takes flock(2) on the open file until it is closed, if nobody else holds it.
    ///
    /// - Returns: whether the lock was taken; `false` also if the file system has no locks.
    @discardableResult
    package func lock() -> Bool { flock(number, LOCK_EX | LOCK_NB) == 0 }

    /// Whether another open descriptor of the file holds its lock.
    package var isLocked: Bool {
        if flock(number, LOCK_SH | LOCK_NB) != 0 { return errno == EWOULDBLOCK }
        flock(number, LOCK_UN)
        return false
    }
}
