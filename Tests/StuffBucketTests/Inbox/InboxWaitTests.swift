import Files
import Glibc
import Items
import TestSupport
import Testing
import Time

@testable import StuffBucket

/// When a file is complete.
struct InboxWaitTests {
    private let inbox: InboxSample

    init() throws { inbox = try InboxSample() }

    @Test func `a file settles for two seconds, and the report says when to look again`() throws {
        try inbox.drop("a.txt", "text")
        inbox.ahead = 0
        let report = try inbox.take()
        #expect(report.entries.isEmpty)
        guard case .settling(let until)? = report.waiting.first?.state else {
            Issue.record("\(report.waiting)")
            return
        }
        #expect(report.nextLook == until)
        let changed = try FileStatusOf.changed(inbox.scratch.full("library/inbox/a.txt"))
        #expect(until.milliseconds == changed + 2000)
        let clock = inbox.options
        for (time, lines) in [(until.milliseconds - 1, []), (until.milliseconds, ["added a.txt"])] {
            var options = clock
            options.clock = { Timestamp(milliseconds: time) }
            #expect(try inbox.library.takeInbox(using: nil, options).lines == lines)
        }
    }

    @Test func `a file with a time that has not come yet settles two seconds after it was first seen`() throws {
        try inbox.drop("a.txt", "text")
        try inbox.scratch.setModified("library/inbox/a.txt", seconds: 4_000_000_000)
        let start = Timestamp.now.milliseconds
        var lines: [[String]] = []
        for time in [start, start + 1999, start + 2000] {
            var options = InboxOptions()
            options.clock = { Timestamp(milliseconds: time) }
            lines.append(try inbox.library.takeInbox(using: nil, options).lines)
        }
        #expect(lines == [[], [], ["added a.txt"]])
        #expect(try inbox.item().item.createdAt == Timestamp(milliseconds: (start + 2000) / 1000 * 1000))
    }

    @Test func `a file that changes all the time waits, and the others do not`() throws {
        try inbox.drop("a.txt", "text")
        try inbox.drop("log.txt", "line\n")
        #expect(try Set(inbox.waiting().keys) == ["a.txt", "log.txt"])
        let now = Timestamp.now.milliseconds
        // Touched one second before the look.
        try inbox.scratch.setModified("library/inbox/log.txt", seconds: Int(now / 1000) + 9)
        #expect(try inbox.take().lines == ["added a.txt"])
        #expect(try inbox.names() == ["log.txt"])
    }

    @Test(arguments: [O_WRONLY, O_RDWR]) func `a file that a program has open for writing waits`(flags: Int32) throws {
        try inbox.drop("a.txt", "text")
        try inbox.drop("b.txt", "text")
        let writer = open(inbox.scratch.full("library/inbox/a.txt"), flags | O_CLOEXEC)
        #expect(writer >= 0)
        let report = try inbox.take()
        #expect(report.lines == ["added b.txt"])
        guard case .openForWriting? = report.waiting.first?.state else {
            Issue.record("\(report.waiting)")
            return
        }
        #expect(report.nextLook != nil)
        close(writer)
        #expect(try inbox.take().lines == ["added a.txt"])
    }

    @Test func `a file that is mapped for writing waits, although its descriptor is closed`() throws {
        try inbox.drop("a.txt", "text")
        let writer = open(inbox.scratch.full("library/inbox/a.txt"), O_RDWR | O_CLOEXEC)
        let memory = mmap(nil, 4, PROT_READ | PROT_WRITE, MAP_SHARED, writer, 0)
        close(writer)
        #expect(try inbox.take().lines.isEmpty)
        munmap(memory, 4)
        #expect(try inbox.take().lines == ["added a.txt"])
    }

    @Test func `a name that begins with a dot stays and is counted`() throws {
        try inbox.drop("a.txt", "text")
        try inbox.drop(".hidden.txt", "text")
        try inbox.drop(".git/config", "text")
        try inbox.drop("Work/.stfolder/x", "text")
        let report = try inbox.take()
        #expect(report.lines == ["added a.txt"] && report.nextLook == nil)
        #expect(report.waiting.map(\.path) == [".git", ".hidden.txt", "Work/.stfolder"])
        for file in report.waiting {
            guard case .hidden = file.state else {
                Issue.record("\(file)")
                continue
            }
        }
        #expect(inbox.scratch.exists("library/inbox/.hidden.txt"))
    }

    @Test func `a comment is waited for, and a comment without its file stays`() throws {
        try inbox.drop("a.txt", "text")
        try inbox.drop("a.txt.comment", "one")
        try inbox.drop("alone.txt.comment", "two")
        let writer = open(inbox.scratch.full("library/inbox/a.txt.comment"), O_WRONLY | O_CLOEXEC)
        var report = try inbox.take()
        #expect(report.entries.isEmpty && report.waiting.map(\.path) == ["a.txt", "alone.txt.comment"])
        guard case .waitsForComment = report.waiting[0].state, case .waitsForFile = report.waiting[1].state else {
            Issue.record("\(report.waiting)")
            return
        }
        close(writer)
        try inbox.scratch.setModified(
            "library/inbox/a.txt.comment", seconds: Int(Timestamp.now.milliseconds / 1000) + 9)
        #expect(try inbox.take().entries.isEmpty)
        try inbox.scratch.setModified("library/inbox/a.txt.comment", seconds: 1_700_000_000)
        report = try inbox.take()
        #expect(report.lines == ["added a.txt"] && report.nextLook == nil)
        #expect(try inbox.names() == ["alone.txt.comment"])
        try inbox.drop("alone.txt", "text")
        #expect(try inbox.take().lines == ["added alone.txt"])
        #expect(try inbox.items().map(\.item.tags) == [["one"], ["two"]])
    }

    @Test(arguments: ["page.html", "PAGE.HTM", "page.xhtml", "page.mhtml", "page.mht", "page.webarchive"])
    func `a saved page waits for a worker`(name: String) throws {
        try inbox.drop(name, "<!doctype html><p>text")
        try inbox.drop("a.txt", "text")
        let report = try inbox.take()
        #expect(report.lines == ["added a.txt"])
        guard case .needsWorker? = report.waiting.first?.state else {
            Issue.record("\(report.waiting)")
            return
        }
        #expect(try inbox.names() == [name])
    }

    @Test(arguments: [
        "a.tmp", "a.part", "a.crdownload", "a~", "a.sync-conflict-20261121-101500-ABCDEFG.txt",
        "a (Ada's conflicted copy 2026-11-21).txt",
    ])
    func `unfinished files and conflict copies stay, and are named`(name: String) throws {
        try inbox.drop(name, "text")
        let report = try inbox.take()
        #expect(report.entries.isEmpty && report.nextLook == nil)
        guard case .unfinished? = report.waiting.first?.state else {
            Issue.record("\(report.waiting)")
            return
        }
        #expect(try inbox.names() == [name])
    }

    @Test func `the limit leaves the rest for the next call, which is due at once`() throws {
        for name in ["a", "b", "c"] { try inbox.drop(name + ".txt", name) }
        let report = try inbox.take(limit: 2)
        #expect(report.lines == ["added a.txt", "added b.txt"] && report.nextLook != nil)
        #expect(try inbox.take(limit: 2).lines == ["added c.txt"])
    }

    @Test func `another process that takes in the inbox is left to it`() throws {
        try inbox.drop("a.txt", "text")
        let folder = try Directory(path: inbox.scratch.full("library/.sbfs"))
        guard let lock = try FileLock.acquire("inbox.lock", in: folder, patience: .zero) else {
            Issue.record("the lock is taken")
            return
        }
        let report = try inbox.take()
        #expect(report.isBusy && report.entries.isEmpty && report.nextLook != nil)
        #expect(try inbox.names() == ["a.txt"])
        withExtendedLifetime(lock) {}
    }

    @Test func `a library without an inbox has nothing in it`() throws {
        try inbox.scratch.removeEmptyDirectory("library/inbox/rejected")
        try inbox.scratch.removeEmptyDirectory("library/inbox")
        #expect(try inbox.take().entries.isEmpty)
        #expect(try inbox.library.rejectedInboxFiles().isEmpty)
    }
}

/// Times of a file, in milliseconds.
enum FileStatusOf {
    static func changed(_ path: String) throws -> Int64 {
        var raw = stat()
        try #require(lstat(path, &raw) == 0)
        return Int64(raw.st_ctim.tv_sec) * 1000 + Int64(raw.st_ctim.tv_nsec) / 1_000_000
    }
}
