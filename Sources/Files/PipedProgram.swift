internal import CSystem
internal import Glibc

/// Another program that reads a stream of bytes and writes one, both of any length.
///
/// It leads a process group of its own and is killed with it when the object is released. For use by one thread.
package final class PipedProgram {
    package let path: String
    private var group: ProcessGroup
    /// What it reads, not blocking; -1 if it reads a file, or nothing more.
    private var input: Int32 = -1
    private let output: Int32
    private static let pieceByteCount = 1 << 18

    /// Starts a program.
    ///
    /// - Parameter file: its standard input, from its beginning; `nil` for what `write` gives.
    /// - Throws: `FileError` if it cannot be started.
    package init(path: String, arguments: [String], reading file: SharedFile? = nil) throws(FileError) {
        var toChild: [Int32] = [-1, -1]
        var fromChild: [Int32] = [-1, -1]
        if file == nil { _ = try systemCall(.open, path) { csystem_pipe(&toChild) } }
        do throws(FileError) {
            _ = try systemCall(.open, path) { csystem_pipe(&fromChild) }
        } catch {
            for number in toChild where number >= 0 { close(number) }
            throw error
        }
        defer {
            if toChild[0] >= 0 { close(toChild[0]) }
            close(fromChild[1])
        }
        var start = ProgramStart([path] + arguments)
        start.input = .descriptor(file?.descriptor.number ?? toChild[0])
        start.output = .descriptor(fromChild[1])
        start.family = .ownGroup
        start.signals = .all
        if let file { _ = lseek(file.descriptor.number, 0, SEEK_SET) }
        do throws(ProgramStart.Failure) {
            group = ProcessGroup(leader: try start.run())
        } catch {
            if toChild[1] >= 0 { close(toChild[1]) }
            close(fromChild[0])
            throw FileError(.open, path, .system(error.number))
        }
        self.path = path
        input = toChild[1]
        output = fromChild[0]
        if input >= 0 {
            _ = fcntl(input, F_SETFL, O_NONBLOCK)
            csystem_set_pipe_size(input, Int32(Self.pieceByteCount))
        }
        csystem_set_pipe_size(output, Int32(Self.pieceByteCount))
    }

    deinit {
        group.kill()
        if input >= 0 { close(input) }
        close(output)
    }

    /// Writes bytes to its standard input, and meanwhile takes what it writes.
    ///
    /// - Parameter take: called with each piece of its output.
    /// - Throws: `ChildProcess.Silence.ended` if it no longer reads; the errors of `take`.
    package func write(_ bytes: [UInt8], _ take: ([UInt8]) throws -> Void) throws {
        var offset = 0
        while offset < bytes.count {
            var wanted = [
                pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            ]
            if uninterrupted({ poll(&wanted, 2, -1) }) < 0 { throw ended() }
            if wanted[1].revents != 0 {
                let piece = received()
                if piece.isEmpty { throw ended() }
                try take(piece)
            }
            if wanted[0].revents == 0 { continue }
            let count = bytes.withUnsafeBytes { bytes in
                uninterrupted {
                    csystem_write_without_signal(input, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
                }
            }
            if count < 0, errno != EAGAIN { throw ended() }
            offset += max(0, count)
        }
    }

    /// Ends its input and waits for the program's end: it would wait for more input for ever, or for somebody who reads its output.
    private func ended() -> ChildProcess.Silence {
        if input >= 0 { close(input) }
        input = -1
        while !received().isEmpty {}
        return .ended(status: group.wait())
    }

    /// Ends its input and takes the rest of its output.
    ///
    /// - Throws: `ChildProcess.Silence.ended` if it did not end with 0; the errors of `take`.
    package func finish(_ take: ([UInt8]) throws -> Void) throws {
        if input >= 0 { close(input) }
        input = -1
        while true {
            let piece = received()
            if piece.isEmpty { break }
            try take(piece)
        }
        let status = group.wait()
        if status != 0 { throw ChildProcess.Silence.ended(status: status) }
    }

    /// The next bytes that it writes; none at the end.
    ///
    /// - Parameter check: called ten times a second while there are none; what it throws ends the wait.
    package func read(_ check: () throws -> Void) throws -> [UInt8] {
        while true {
            var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            if uninterrupted({ poll(&wanted, 1, 100) }) != 0 { return received() }
            try check()
        }
    }

    private func received() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.pieceByteCount) { bytes, initialized in
            initialized = max(0, uninterrupted { Glibc.read(output, bytes.baseAddress, bytes.count) })
        }
    }
}
