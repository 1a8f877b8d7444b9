import Files
import Glibc

/// One run of another program, timed from outside.
struct ProcessRun {
    let seconds: Double
    /// Largest resident set in KiB.
    let residentKiB: Int
    let status: Int32

    /// Runs a program and waits for it; discards its standard output.
    ///
    /// - Parameter input: a file for standard input.
    init(_ words: [String], input: String = "/dev/null") throws {
        var program = ProgramStart(words)
        program.input = .file(input, O_RDONLY)
        program.output = .file("/dev/null", O_WRONLY)
        program.errors = .file("/dev/null", O_WRONLY)
        let start = ContinuousClock.now
        let process: pid_t
        do throws(ProgramStart.Failure) {
            process = try program.run()
        } catch {
            throw BenchmarkError(description: "cannot start \(words[0]): \(error)")
        }
        var status: Int32 = 0
        var usage = rusage()
        _ = uninterrupted { wait4(process, &status, 0, &usage) }
        let elapsed = ContinuousClock.now - start
        seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        residentKiB = Int(usage.ru_maxrss)
        self.status = status
    }
}
