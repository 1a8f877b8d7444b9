import Files
import Testing

/// Programs that exchange lines.
struct ChildProcessTests {
    private func soon(_ milliseconds: Int = 300_000) -> ContinuousClock.Instant { .now + .milliseconds(milliseconds) }

    private func shell(_ script: String) throws -> ChildProcess {
        try ChildProcess(path: "/bin/sh", arguments: ["-c", script])
    }

    @Test func `lines of any length are written and read`() throws {
        let child = try shell("while read -r line; do printf '%s!\\n' \"$line\"; done")
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 50_000)
        for line in [Array("one".utf8), [], long, Array("two".utf8)] {
            try child.write(line + [0x0A])
            #expect(try child.line(before: soon()) == line + [UInt8(ascii: "!")])
        }
        child.closeInput()
        #expect(throws: ChildProcess.Silence.ended(status: 0)) { try child.line(before: soon()) }
    }

    @Test func `a program that says nothing is given up at the deadline and killed`() throws {
        let child = try shell("sleep 1000 & sleep 1000")
        #expect(throws: ChildProcess.Silence.deadline) { try child.line(before: soon(20)) }
        child.kill()
        #expect(child.wait() == 137)
    }

    @Test func `a program that never stops talking is given up at the deadline as well`() throws {
        let child = try shell("while :; do echo more; done")
        #expect(throws: ChildProcess.Silence.deadline) {
            let deadline = soon(50)
            while true { _ = try child.line(before: deadline) }
        }
    }

    @Test func `a program that must end has time to clean up, and is killed after it`() throws {
        let orderly = try shell("while read -r line; do :; done; exit 7")
        orderly.end(within: .seconds(300))
        #expect(orderly.wait() == 7)
        let stubborn = try shell("sleep 1000 & sleep 1000")
        stubborn.end(within: .milliseconds(20))
        #expect(stubborn.wait() == 137)
    }

    @Test func `the exit code of a program that ends is returned`() throws {
        let child = try shell("exit 3")
        #expect(throws: ChildProcess.Silence.ended(status: 3)) { try child.line(before: soon()) }
    }

    @Test func `writing to a program that has ended is an error and no signal`() throws {
        let child = try shell("exec <&-; exit 4")
        child.wait()
        #expect(throws: ChildProcess.Silence.ended(status: 4)) {
            try child.write([UInt8](repeating: 0x20, count: 1 << 20))
        }
    }

    @Test func `a line without an end is given up at its limit`() throws {
        let child = try shell("while :; do printf '%0100000d' 0; done")
        #expect(throws: ChildProcess.Silence.tooLong) { try child.line(before: soon(), limit: 1 << 20) }
    }

    @Test func `a program that is not there is an error with its path`() {
        #expect(throws: FileError(.open, "/nowhere/program", .system(2))) {
            try ChildProcess(path: "/nowhere/program", arguments: [])
        }
    }
}
