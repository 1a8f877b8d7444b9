import Files
import Glibc
import TestSupport
import Testing

/// flock(2) belongs to the open file, so two acquisitions in one process exclude each other as two processes do.
final class FileLockTests {
    let scratch: ScratchDirectory
    let directory: Directory

    init() throws {
        scratch = try ScratchDirectory()
        directory = try scratch.directory()
    }

    private func canLock(_ name: String = "lock", patience: Duration = .zero) throws -> Bool {
        let lock = try FileLock.acquire(name, in: directory, patience: patience)
        switch consume lock {
        case .some(let lock):
            withExtendedLifetime(lock) {}
            return true
        case .none: return false
        }
    }

    private func canLockFolder(_ name: String) throws -> Bool {
        let lock = try FileLock.acquireFolder(name, in: directory)
        switch consume lock {
        case .some(let lock):
            withExtendedLifetime(lock) {}
            return true
        case .none: return false
        }
    }

    /// A process that is just starting has copies of all descriptors until its program runs.
    @Test func `a copy of the descriptor does not keep the lock`() throws {
        var copies: [Int32] = []
        defer { copies.forEach { close($0) } }
        do {
            let lock = try FileLock.acquire("lock", in: directory, patience: .zero)
            let held = (Int32(0)..<1024).filter { number in
                var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
                let count = readlink("/proc/self/fd/\(number)", &target, target.count)
                return count > 0 && String(decoding: target[..<count], as: UTF8.self) == scratch.full("lock")
            }
            copies = held.map { dup($0) }
            withExtendedLifetime(lock) {}
        }
        #expect(copies.count == 1)
        #expect(try canLock())
    }

    @Test func `a second holder is excluded until the first lets go`() throws {
        do {
            let first = try FileLock.acquire("lock", in: directory, patience: .zero)
            #expect(try !canLock())
            withExtendedLifetime(first) {}
        }
        #expect(try canLock())
        #expect(try scratch.names() == ["lock"])
    }

    @Test func `patience ends`() throws {
        let first = try FileLock.acquire("lock", in: directory, patience: .zero)
        #expect(try !canLock(patience: .milliseconds(30)))
        withExtendedLifetime(first) {}
    }

    @Test func `locks of two names do not meet`() throws {
        let first = try FileLock.acquire("lock", in: directory, patience: .zero)
        #expect(try canLock("other"))
        withExtendedLifetime(first) {}
    }

    @Test func `after the file was deleted the lock is one on the new file`() throws {
        let first = try FileLock.acquire("lock", in: directory, patience: .zero)
        try scratch.removeFile("lock")
        let second = try FileLock.acquire("lock", in: directory, patience: .zero)
        #expect(scratch.exists("lock"))
        #expect(try !canLock())
        withExtendedLifetime(first) {}
        withExtendedLifetime(second) {}
    }

    @Test func `a lock's file that is deleted again and again still lets in one at a time`() throws {
        try scratch.write("counter", "0")
        let path = scratch.path
        try Workers.run(60, threads: 4) { piece in
            let directory = try Directory(path: path)
            let lock = try FileLock.acquire("lock", in: directory, patience: .seconds(300))
            let counter = String(decoding: try directory.contents(of: "counter", limit: 100).bytes, as: UTF8.self)
            try directory.writeFile("counter", Array(String((Int(counter) ?? -1000) + 1).utf8))
            // Deleted while others wait for it: they lock a file that is gone, and must notice.
            if piece % 3 == 0 { try directory.removeFile("lock") }
            withExtendedLifetime(lock) {}
        }
        #expect(try scratch.text("counter") == "60")
    }

    @Test func `a link in the lock's place is not followed`() throws {
        try scratch.write("target", "x")
        try scratch.link("lock", to: "target")
        #expect(throws: FileError.self) { _ = try canLock() }
    }

    @Test func `a folder is locked by one holder`() throws {
        try scratch.makeDirectory("folder")
        do {
            let first = try FileLock.acquireFolder("folder", in: directory)
            #expect(try !canLockFolder("folder"))
            withExtendedLifetime(first) {}
        }
        #expect(try canLockFolder("folder"))
    }

    @Test func `a folder that is gone, or is a file, has no lock`() throws {
        #expect(try !canLockFolder("absent"))
        try scratch.write("file", "x")
        #expect(try !canLockFolder("file"))
        #expect(try scratch.names() == ["file"])
    }

    @Test func `a folder that was removed and made again is another folder`() throws {
        try scratch.makeDirectory("folder")
        let first = try FileLock.acquireFolder("folder", in: directory)
        try scratch.removeEmptyDirectory("folder")
        #expect(try !canLockFolder("folder"))
        try scratch.makeDirectory("folder")
        #expect(try canLockFolder("folder"))
        withExtendedLifetime(first) {}
    }
}
