internal import CSystem
internal import Glibc

/// Runs another program to its end and collects what it writes.
///
/// It reads nothing, leads a process group of its own, and is killed with it when it writes nothing for too long.
package struct WatchedProgram {
    /// Why it did not come to its end.
    package enum Failure: Error {
        /// It could not be started: an errno.
        case notStarted(Int32)
        /// It wrote nothing for the longest time that it may.
        case silent
        /// It wrote more to its standard output than is read.
        case tooMuch
    }

    /// What it wrote, and how it ended.
    package struct Outcome {
        /// Its exit code, or 128 and the number of the signal that killed it.
        package var status: Int32 = 0
        package var output: [UInt8] = []
        /// The end of what it wrote to its standard error.
        package var errors: [UInt8] = []
    }

    /// The program, found on PATH if it has no slash, and its arguments.
    package let words: [String]
    /// It is killed when it wrote to neither stream for so long.
    package let patience: Duration
    /// The most that is read of its standard output, in bytes.
    package var outputLimit = 256 << 20
    private static let errorLimit = 1 << 16

    package init(_ words: [String], patience: Duration) {
        self.words = words
        self.patience = patience
    }

    /// - Parameter check: called ten times a second; what it throws ends the program.
    /// - Throws: `Failure`; the errors of `check`.
    package func run(_ check: () throws -> Void) throws -> Outcome {
        var pipes: [Int32] = [-1, -1, -1, -1]
        defer { for number in pipes where number >= 0 { close(number) } }
        for place in [0, 2] {
            var pair: [Int32] = [-1, -1]
            if csystem_pipe(&pair) != 0 { throw Failure.notStarted(errno) }
            (pipes[place], pipes[place + 1]) = (pair[0], pair[1])
        }
        var start = ProgramStart(words)
        start.isOnPath = true
        start.input = .file("/dev/null", O_RDONLY)
        start.output = .descriptor(pipes[1])
        start.errors = .descriptor(pipes[3])
        start.family = .ownGroup
        start.signals = .all
        var group: ProcessGroup
        do throws(ProgramStart.Failure) {
            group = ProcessGroup(leader: try start.run())
        } catch {
            throw Failure.notStarted(error.number)
        }
        for place in [1, 3] {
            close(pipes[place])
            pipes[place] = -1
        }
        do {
            var outcome = try collect(pipes[0], pipes[2], check)
            outcome.status = group.wait()
            return outcome
        } catch {
            group.kill()
            throw error
        }
    }

    private func collect(_ output: Int32, _ errors: Int32, _ check: () throws -> Void) throws -> Outcome {
        var outcome = Outcome()
        var last = ContinuousClock.now
        var isOpen = (output: true, errors: true)
        while isOpen.output || isOpen.errors {
            var wanted = [
                pollfd(fd: isOpen.output ? output : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isOpen.errors ? errors : -1, events: Int16(POLLIN), revents: 0),
            ]
            if uninterrupted({ poll(&wanted, 2, 100) }) > 0 {
                last = .now
                if wanted[0].revents != 0 {
                    let piece = Self.read(output)
                    isOpen.output = !piece.isEmpty
                    outcome.output += piece
                    if outcome.output.count > outputLimit { throw Failure.tooMuch }
                }
                if wanted[1].revents != 0 {
                    let piece = Self.read(errors)
                    isOpen.errors = !piece.isEmpty
                    outcome.errors += piece
                    if outcome.errors.count > 2 * Self.errorLimit {
                        outcome.errors.removeFirst(outcome.errors.count - Self.errorLimit)
                    }
                }
            } else if ContinuousClock.now - last > patience {
                throw Failure.silent
            }
            try check()
        }
        return outcome
    }

    private static func read(_ descriptor: Int32) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 1 << 16) { bytes, initialized in
            initialized = max(0, uninterrupted { Glibc.read(descriptor, bytes.baseAddress, bytes.count) })
        }
    }
}
