import Files
import Glibc
import TestSupport
import Testing

/// Who has a file open for writing.
struct OpenWritersTests {
    private let scratch: ScratchDirectory

    init() throws {
        scratch = try ScratchDirectory()
        try scratch.write("a", "text")
    }

    private func look() throws -> (lease: Descriptor.WriterLook, proc: Bool) {
        let file = try Directory(path: scratch.path).file(named: FileName("a"))
        let identity = try file.status().identity
        return (file.writerLook(), OpenWriters(of: [identity]).written.contains(identity))
    }

    @Test(arguments: [O_RDONLY, O_WRONLY, O_RDWR, O_WRONLY | O_APPEND])
    func `an open file is written if it is open for that`(flags: Int32) throws {
        let number = open(scratch.full("a"), flags | O_CLOEXEC)
        try #require(number >= 0)
        let isWriter = flags & O_ACCMODE != O_RDONLY
        let found = try look()
        #expect(found.proc == isWriter)
        if case .written = found.lease { #expect(isWriter) } else { #expect(!isWriter) }
        close(number)
        var after = try look()
        // A child of another test has the file open until it runs its program.
        for _ in 0..<500 {
            if case .free = after.lease { break }
            usleep(10_000)
            after = try look()
        }
        #expect(!after.proc)
        guard case .free = after.lease else {
            Issue.record("\(after)")
            return
        }
    }

    @Test func `another process is seen too, and no file is nobody's`() throws {
        #expect(OpenWriters(of: []).written.isEmpty)
        try scratch.makeFIFO("opened")
        let a = scratch.full("a"), opened = scratch.full("opened")
        // Ends when its input does.
        let pipe = try #require(popen("exec 9>>'\(a)'; echo > '\(opened)'; cat > /dev/null", "w"))
        // Waits until the shell has come that far.
        let number = open(opened, O_RDONLY | O_CLOEXEC)
        var byte: UInt8 = 0
        _ = read(number, &byte, 1)
        close(number)
        #expect(try look().proc)
        pclose(pipe)
    }

    @Test func `a lease that is tried does not stay`() throws {
        let file = try Directory(path: scratch.path).file(named: FileName("a"))
        for _ in 0..<3 { _ = file.writerLook() }
        // A writer would wait for a lease to be given back, for 45 s.
        let number = open(scratch.full("a"), O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        #expect(number >= 0)
        close(number)
    }
}
