internal import CSystem
internal import Glibc

/// Another program, to which lines are written and from which lines are read.
///
/// It leads a process group of its own and inherits nothing but its three streams; standard error stays ours. It is
/// killed with its group when its owner goes away. For use by one thread.
package final class ChildProcess {
    /// Why no line came.
    package enum Silence: Error, Equatable, Sendable {
        /// The deadline passed.
        case deadline
        /// The program ended; its exit code, or 128 and the number of the signal that killed it.
        case ended(status: Int32)
        /// More than the limit of bytes without a line's end.
        case tooLong
    }

    package let path: String
    private let process: pid_t
    private var input: Int32
    private let output: Int32
    private var status: Int32?
    private var buffer: [UInt8] = []
    /// Where in `buffer` the next line begins, and how far it was searched for its end.
    private var start = 0
    private var searched = 0

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - isQuiet: whether its standard error goes nowhere.
    /// - Throws: `FileError` if it cannot be started.
    package init(path: String, arguments: [String], isQuiet: Bool = false) throws(FileError) {
        var toChild: [Int32] = [-1, -1]
        var fromChild: [Int32] = [-1, -1]
        _ = try systemCall(.open, path) { csystem_pipe(&toChild) }
        do throws(FileError) {
            _ = try systemCall(.open, path) { csystem_pipe(&fromChild) }
        } catch {
            for number in toChild { close(number) }
            throw error
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
        if isQuiet { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGDEF))
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, path, &actions, &attributes, &words, Glibc.environ)
        close(toChild[0])
        close(fromChild[1])
        if failure != 0 {
            close(toChild[1])
            close(fromChild[0])
            throw FileError(.open, path, .system(failure))
        }
        self.path = path
        self.process = process
        input = toChild[1]
        output = fromChild[0]
    }

    deinit {
        kill()
        closeInput()
        close(output)
    }

    /// Writes bytes to its standard input.
    ///
    /// - Throws: `Silence.ended` if it no longer reads.
    package func write(_ bytes: [UInt8]) throws(Silence) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                csystem_write_without_signal(input, $0.baseAddress.map { $0 + offset }, $0.count - offset)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw .ended(status: wait())
            }
            offset += count
        }
    }

    /// Tells it that nothing more will be written.
    package func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Tells it that nothing more will be written, and kills it if it has not ended by then.
    package func end(within time: Duration) {
        closeInput()
        let deadline = ContinuousClock.now + time
        do throws(Silence) {
            while true { _ = try line(before: deadline) }
        } catch {
            kill()
        }
    }

    /// The next line of its standard output, without its end.
    ///
    /// - Parameter limit: bytes that a line may have.
    package func line(before deadline: ContinuousClock.Instant, limit: Int = 16 << 20) throws(Silence) -> [UInt8] {
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                let line = Array(buffer[start..<end])
                start = end + 1
                searched = start
                if start == buffer.count || start > 1 << 20 {
                    buffer.removeSubrange(..<start)
                    start = 0
                    searched = 0
                }
                return line
            }
            searched = buffer.count
            if buffer.count - start > limit { throw .tooLong }
            try read(before: deadline)
        }
    }

    private func read(before deadline: ContinuousClock.Instant) throws(Silence) {
        while true {
            let left = deadline - ContinuousClock.now
            // Also where more and more comes.
            if left <= .zero { throw .deadline }
            let (seconds, attoseconds) = left.components
            let milliseconds = max(0, min(seconds, 3600) * 1000 + attoseconds / 1_000_000_000_000_000)
            var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let ready = poll(&wanted, 1, Int32(milliseconds))
            if ready == 0 { throw .deadline }
            if ready < 0 {
                if errno == EINTR { continue }
                throw .ended(status: wait())
            }
            let size = 65_536
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: size) { bytes, initialized in
                count = Glibc.read(output, bytes.baseAddress, size)
                initialized = max(0, count)
            }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { throw .ended(status: wait()) }
            buffer += chunk
            return
        }
    }

    /// Kills it and its process group; nothing happens to one that has ended.
    package func kill() {
        if status != nil { return }
        Glibc.kill(-process, SIGKILL)
        Glibc.kill(process, SIGKILL)
        _ = wait()
    }

    /// Waits until it has ended.
    ///
    /// - Returns: its exit code, or 128 and the number of the signal that killed it.
    @discardableResult
    package func wait() -> Int32 {
        if let status { return status }
        var raw: Int32 = 0
        while waitpid(process, &raw, 0) == -1, errno == EINTR {}
        let ended = raw & 0x7F == 0 ? raw >> 8 & 0xFF : 128 + raw & 0x7F
        status = ended
        return ended
    }
}
