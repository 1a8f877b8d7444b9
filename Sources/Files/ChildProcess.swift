internal import CSystem
internal import Glibc

/// Another program to which lines are written and from which lines are read.
///
/// It leads a new process group and inherits only its three streams; standard error stays ours. It is killed with its
/// group when the object is released. For use by one thread.
package final class ChildProcess {
    /// Why no line came.
    package enum Silence: Error, Equatable, Sendable {
        /// The deadline has passed.
        case deadline
        /// The program ended; its exit code, or 128 and the number of the signal that killed it.
        case ended(status: Int32)
        /// A line longer than the limit.
        case tooLong
    }

    package let path: String
    private var group: ProcessGroup
    private var input: Int32
    private let output: Int32
    private var buffer: [UInt8] = []
    /// The start of the next line in `buffer`, and how far the search for its end has come.
    private var start = 0
    private var searched = 0

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - isQuiet: whether to discard its standard error.
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
        var start = ProgramStart([path] + arguments)
        start.input = .descriptor(toChild[0])
        start.output = .descriptor(fromChild[1])
        if isQuiet { start.errors = .file("/dev/null", O_WRONLY) }
        start.family = .ownGroup
        start.signals = .all
        defer {
            close(toChild[0])
            close(fromChild[1])
        }
        do throws(ProgramStart.Failure) {
            group = ProcessGroup(leader: try start.run())
        } catch {
            close(toChild[1])
            close(fromChild[0])
            throw FileError(.open, path, .system(error.number))
        }
        self.path = path
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
            let count = bytes.withUnsafeBytes { bytes in
                uninterrupted {
                    csystem_write_without_signal(input, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
                }
            }
            if count < 0 { throw .ended(status: wait()) }
            offset += count
        }
    }

    /// Closes its standard input: nothing more will be written.
    package func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Closes its standard input, and kills it if it does not end in time.
    package func end(within time: Duration) {
        closeInput()
        let deadline = ContinuousClock.now + time
        do throws(Silence) {
            while true { _ = try line(before: deadline) }
        } catch {
            kill()
        }
    }

    /// The next line of its standard output, without the line end.
    ///
    /// - Parameter limit: the longest line in bytes.
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
            // Even if data keeps coming.
            if left <= .zero { throw .deadline }
            let (seconds, attoseconds) = left.components
            let milliseconds = max(0, min(seconds, 3600) * 1000 + attoseconds / 1_000_000_000_000_000)
            var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let ready = uninterrupted { poll(&wanted, 1, Int32(milliseconds)) }
            if ready == 0 { throw .deadline }
            if ready < 0 { throw .ended(status: wait()) }
            let size = 65_536
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: size) { bytes, initialized in
                count = uninterrupted { Glibc.read(output, bytes.baseAddress, size) }
                initialized = max(0, count)
            }
            if count <= 0 { throw .ended(status: wait()) }
            buffer += chunk
            return
        }
    }

    /// Kills it and its process group; does nothing if it has ended.
    package func kill() { group.kill() }

    /// Waits until it ends.
    ///
    /// - Returns: its exit code, or 128 and the number of the signal that killed it.
    @discardableResult
    package func wait() -> Int32 { group.wait() }
}
