import Files
import Glibc
import JSONFormat
import TestSupport
import Testing

@testable import Items

/// `.sbfs` and its owner.
struct DeviceFolderTests {
    let library: TestLibrary

    init() throws { library = try TestLibrary() }

    private func owner() throws -> JSONDocument { try JSONDocument(parsing: try library.scratch.bytes(".sbfs/owner")) }

    private func member(_ key: String) throws -> String? {
        let owner = try owner()
        return owner.member(key, of: owner.root).flatMap { owner.string($0) }
    }

    @Test func `the folder is tagged as a cache and tied to itself`() throws {
        #expect(
            try library.scratch.text(".sbfs/CACHEDIR.TAG").hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
        let status = try #require(try library.scratch.directory().statusIfPresent(of: ".sbfs"))
        #expect(try member("inode") == String(status.inode))
        #expect(try library.scratch.names(".sbfs") == ["CACHEDIR.TAG", "lock", "owner", "reserve", "staging"])
    }

    @Test func `opening again changes nothing`() throws {
        try library.scratch.write(".sbfs/index/segment", "x")
        let before = try library.scratch.bytes(".sbfs/owner")
        let store = try library.reopened()
        #expect(try library.scratch.bytes(".sbfs/owner") == before)
        #expect(store.device?.adoptedAt == library.store.device?.adoptedAt)
        #expect(library.scratch.exists(".sbfs/index/segment"))
    }

    @Test(arguments: ["machine", "inode", "birth"])
    func `files of another machine or folder are not trusted`(_ key: String) throws {
        let stored = try library.add { $0.text = Array("base".utf8) }
        let json = try owner()
        try library.scratch.write(".sbfs/owner", try json.rewriting([(key, .string("12345"))]) { _ in nil })
        // A staged version that would become live if it were ours.
        let staged = StagedName(.item(stored.id), file: "text.md", new: Array("base".utf8), base: Array("x".utf8)).name
        try library.scratch.write(".sbfs/staging/0123456789abcdef/" + staged, "foreign")
        try library.scratch.write(".sbfs/index/segment", "x")
        // The journal of a folder that may be copied back.
        try library.scratch.write(".sbfs/log-0123456789abcdef/00000001", "x")
        try library.scratch.write(".sbfs/log-0123/00000001", "x")
        try library.scratch.write(".sbfs/trash", "\(stored.id) 2000-01-01T00:00:00Z\n")
        let store = try library.reopened()
        #expect(try library.text(stored, "text.md") == "base")
        #expect(try library.conflicts(stored).isEmpty)
        #expect(!library.scratch.exists(".sbfs/index") && !library.scratch.exists(".sbfs/log-0123"))
        #expect(library.scratch.exists(".sbfs/log-0123456789abcdef/00000001"))
        #expect(TrashLog(in: store).due(stored.item, days: 0) == nil)
        #expect(try library.scratch.names(".sbfs/staging").isEmpty)
        #expect(try member(key) != "12345")
    }

    @Test(arguments: ["", "{", "{}", "[]", #"{"machine": 5}"#])
    func `an owner that cannot be read is foreign`(_ text: String) throws {
        try library.scratch.write(".sbfs/index/segment", "x")
        try library.scratch.write(".sbfs/owner", text)
        try library.reopened()
        #expect(!library.scratch.exists(".sbfs/index"))
        #expect(try member("inode") != nil)
    }

    @Test func `links in a foreign folder are removed, their targets stay`() throws {
        try library.scratch.removeFile(".sbfs/owner")
        try library.scratch.write("outside/file", "x")
        try library.scratch.link(".sbfs/index", to: "../outside")
        try library.reopened()
        #expect(try library.scratch.text("outside/file") == "x")
        #expect(!library.scratch.exists(".sbfs/index"))
    }

    @Test func `a deleted folder comes back`() throws {
        try library.scratch.directory().removeTree(".sbfs")
        let store = try library.reopened()
        #expect(store.device != nil)
        try WriteSession(store).add([NewItem(kind: .snippet)])
        #expect(try library.scratch.names(".sbfs").contains("owner"))
    }

    @Test func `a folder that is a link is not followed`() throws {
        try library.scratch.rename(".sbfs", to: "elsewhere")
        try library.scratch.link(".sbfs", to: "elsewhere")
        // Items can be read without it; nothing is written through the link.
        let store = try library.reopened()
        #expect(store.device == nil)
        #expect(throws: ItemError.self) { try WriteSession(store).add([NewItem(kind: .snippet)]) }
    }

    @Test func `several processes that find a foreign folder agree on its owner`() throws {
        try library.scratch.removeFile(".sbfs/owner")
        let path = library.path
        try Workers.run(8, threads: 4) { _ in
            try WriteSession(ItemStore(path: path)).add([NewItem(kind: .snippet)])
        }
        let report = try Check(try library.reopened()).run()
        #expect(report.itemCount == 8)
        #expect(report.findings.isEmpty)
    }

    // MARK: Privacy

    /// Paths of `.sbfs` and below it on which the group or others have any right.
    private func open() throws -> [String] {
        var found: [String] = []
        func look(_ path: String) throws {
            let status = try #require(try library.scratch.directory().statusIfPresent(of: path))
            if status.permissions & 0o077 != 0 { found.append(path) }
            if status.kind != .directory { return }
            for name in try library.scratch.names(path) { try look(path + "/" + name) }
        }
        try look(".sbfs")
        return found
    }

    @Test func `nobody else may read the folder, whatever is made in it`() throws {
        library.session.keepJournal(StepHeader(command: "sbfs add https://me:secret@example.org/"))
        let stored = try library.add { $0.text = Array("a".utf8) }
        try TrashLog.note([stored.id], at: .now, in: library.store)
        library.session.clockDoubt()
        library.session.endStep()
        #expect(try open() == [])
        // Staged files get the permissions of the person's own files.
        let text = try #require(try library.scratch.directory().statusIfPresent(of: stored.folder + "/text.md"))
        #expect(text.permissions & 0o400 != 0)
    }

    @Test
    func `an open folder becomes private at the next opening, except documents kept by a second name`()
        throws
    {
        let stored = try library.add()
        try library.scratch.write(stored.folder + "/document/paper.txt", "x")
        try library.scratch.write(".sbfs/log/00000001", "secret")
        try library.scratch.write(".sbfs/index/segment", "secret")
        try library.scratch.write(".sbfs/log/00000001.files/keep", "x")
        let document = library.scratch.full(stored.folder + "/document/paper.txt")
        let kept = library.scratch.full(".sbfs/log/00000001.files/1")
        try #require(link(document, kept) == 0)
        for path in ["", "/index", "/index/segment", "/log", "/log/00000001", "/log/00000001.files"] {
            let full = library.scratch.full(".sbfs" + path)
            try #require(chmod(full, path.hasSuffix("t") || path.hasSuffix("1") ? 0o644 : 0o755) == 0)
        }
        try #require(chmod(document, 0o644) == 0)
        try library.reopened()
        #expect(try open() == [".sbfs/log/00000001.files/1"])
        let status = try #require(
            try library.scratch.directory().statusIfPresent(of: stored.folder + "/document/paper.txt"))
        #expect(status.permissions == 0o644)
    }

    // MARK: What is left

    @Test func `leftovers of a killed process beside the sessions are removed, files of a living one stay`() throws {
        try library.scratch.write(".sbfs/.sweep-12345", "{")
        try library.scratch.write(".sbfs/.sweep-67890", "{")
        try library.scratch.write(".sbfs/.of-somebody", "x")
        let living = try library.scratch.directory().file(".sbfs/.sweep-67890")
        let isHeld = living.lock()
        #expect(isHeld)
        try library.reopened()
        #expect(!library.scratch.exists(".sbfs/.sweep-12345"))
        #expect(library.scratch.exists(".sbfs/.sweep-67890"))
        #expect(library.scratch.exists(".sbfs/.of-somebody"))
        _ = consume living
    }

    @Test func `the reserve is given free, and made again by the next opening`() throws {
        #expect(try library.scratch.bytes(".sbfs/reserve").count == 1 << 20)
        library.session.releaseReserve()
        #expect(!library.scratch.exists(".sbfs/reserve"))
        try library.reopened()
        #expect(library.scratch.exists(".sbfs/reserve"))
    }
}
