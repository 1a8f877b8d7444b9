import Files
import TestSupport
import Testing

@testable import StuffBucket

/// What the next opening does with an interrupted removal: DeviceFiles.md § D3.
struct InboxRecoveryTests {
    private let inbox: InboxSample
    private let session = "library/.sbfs/staging/00112233445566aa"
    private let list = "inbox-0011223344556677"

    init() throws {
        inbox = try InboxSample()
        try inbox.scratch.makeDirectory(session)
    }

    /// The line of a file, relative to the scratch directory, that was at a path of the inbox.
    private func line(_ file: String, at path: String) throws -> String {
        let status = try #require(try Directory(path: inbox.scratch.path).statusIfPresent(of: file))
        let digits = Array(path.utf8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "\(status.byteCount) \(status.modified) \(status.changed) \(status.inode) \(digits)\n"
    }

    private func reopen(_ lines: String...) throws {
        try inbox.scratch.write(session + "/" + list, lines.joined())
        try inbox.sample.reopen()
    }

    @Test func `files that are still there are removed, and so are those in the session`() throws {
        try inbox.drop("Work/a.txt", "text")
        try inbox.drop("Work/a.txt.comment", "words")
        try inbox.scratch.write(session + "/\(list).2", "moved")
        try reopen(
            line("library/inbox/Work/a.txt", at: "Work/a.txt"),
            line("library/inbox/Work/a.txt.comment", at: "Work/a.txt.comment"),
            line(session + "/\(list).2", at: "b.txt"))
        #expect(try inbox.names("Work").isEmpty && inbox.names() == ["Work"])
        #expect(!inbox.scratch.exists(session))
    }

    @Test func `another version stays, and one in the session goes back`() throws {
        try inbox.drop("a.txt", "text")
        let a = try line("library/inbox/a.txt", at: "a.txt")
        try inbox.scratch.removeFile("library/inbox/a.txt")
        try inbox.drop("a.txt", "newer text")
        try inbox.drop("b.txt", "taken name")
        try inbox.scratch.write(session + "/\(list).1", "of somebody else")
        try inbox.scratch.write(session + "/\(list).2", "without a folder")
        try reopen(a, "1 1 1 1 622e747874\n", "1 1 1 1 676f6e652f632e747874\n")
        #expect(try inbox.names() == ["a.txt", "b (2).txt", "b.txt", "c.txt"])
        #expect(try inbox.scratch.text("library/inbox/a.txt") == "newer text")
        #expect(try inbox.scratch.text("library/inbox/b (2).txt") == "of somebody else")
        #expect(try inbox.scratch.text("library/inbox/c.txt") == "without a folder")
        #expect(!inbox.scratch.exists(session))
    }

    @Test(arguments: ["5 1 1 1 61", "5 1 1 61\n", "x 1 1 1 61\n", "5 1 1 1 6\n", "5 1 1 1 6g\n"])
    func `a torn list removes nothing and is left`(bytes: String) throws {
        try inbox.drop("a", "text")
        try inbox.scratch.write(session + "/\(list).0", "kept")
        try reopen(bytes)
        #expect(try inbox.names() == ["a"])
        #expect(try inbox.scratch.text(session + "/\(list).0") == "kept")
    }

    @Test(arguments: ["2e2e2f612e747874", "2f6574632f706173737764", "612f2e2e2f622e747874", ""])
    func `a path that leaves the inbox is not touched`(digits: String) throws {
        try inbox.scratch.write("library/a.txt", "text")
        try inbox.drop("b.txt", "text")
        let status = try #require(try Directory(path: inbox.scratch.path).statusIfPresent(of: "library/a.txt"))
        try reopen("\(status.byteCount) \(status.modified) \(status.changed) \(status.inode) \(digits)\n")
        #expect(try inbox.scratch.text("library/a.txt") == "text")
        #expect(try inbox.names() == ["b.txt"])
    }
}
