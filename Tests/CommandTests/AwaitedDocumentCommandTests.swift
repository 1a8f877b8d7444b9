import TestSupport
import Testing

/// What commands say of a document of which the news came, and not the bytes: Documentation/Exchange.md § 7.
struct AwaitedDocumentCommandTests {
    private let a: Sandbox, b: Sandbox
    private let id: String
    private let exchange: String

    /// Device a replaced the document, and the exchange lacks the new one.
    init() throws {
        a = try Sandbox()
        exchange = a.scratch.full("exchange")
        try a.file("a.txt", "old\n")
        try a.file("b.txt", "the new one\n")
        id = try #require(try a.sbfs("add", "a.txt", "--title", "Doc").lines.first)
        try a.sbfs("remote", "add", "cloud", exchange)
        try a.sbfs("sync")
        b = try Sandbox(isLibraryMade: false)
        try b.sbfs("init", "--from", exchange)
        try b.sbfs("sync")
        try a.sbfs("attach", id, "b.txt", "--replace", "--yes")
        try a.sbfs("sync")
        try a.shell("mv \"$(grep -rl 'the new one' '\(exchange)/objects')\" away; ls away")
        try b.sbfs("sync", exits: 4)
    }

    @Test func `check says that it has not arrived, and repairs nothing`() throws {
        let before = try b.shell("cat \"$(dirname '\(b.path(id, "x"))')/item.json\"").out
        let words = ["check", "--read-data", "--repair", "--yes"]
        let run = try b.sbfs(words: words)
        #expect(
            run.out.contains("document/a.txt: is an earlier document, and the one that replaced it has not arrived"))
        #expect(!run.out.contains("documentSHA256"))
        #expect(try b.shell("cat \"$(dirname '\(b.path(id, "x"))')/item.json\"").out == before)
        try b.sbfs("sync", exits: 4)
        try deliver()
        for device in [a, b] {
            #expect(try device.sbfs("open", id, "--print").lines[0].hasSuffix("b.txt"))
            #expect(try device.sbfs("check", "--read-data", "--notes").out == "")
        }
    }

    @Test func `show, keep and export name it`() throws {
        #expect(try b.sbfs("show", id).out.contains("document/b.txt replaced it and has not arrived"))
        #expect(try b.sbfs("show", id, "--json").out.contains("\"unavailable\":[\"document/b.txt\"]"))
        #expect(try b.sbfs("open", id, "--print").err.contains("this opens the earlier document instead"))
        #expect(try b.sbfs("keep", id, exits: 4).err.contains("document/b.txt: it has not arrived yet"))
        let export = try b.sbfs("export", "--full", "all.tar", exits: 4)
        #expect(export.err.contains("document/b.txt: it was deleted, or has not arrived"))
        try deliver()
        #expect(try !b.sbfs("show", id).out.contains("not arrived"))
        #expect(try b.sbfs("export", "--full", "all2.tar").err.contains("exported"))
    }

    @Test
    func `what undo brings back after a document was taken out as lost comes from the exchange that has it again`()
        throws
    {
        try deliver()
        try b.sbfs("drop", id)
        try b.shell("mv '\(exchange)'/objects/cc/* away")
        try b.sbfs("detach", id, "document", "--lost", "--yes")
        try b.sbfs("sync")
        try b.shell("mv away \"$(ls -d '\(exchange)'/objects/cc)/$(sha256sum away | cut -c1-64)\"")
        try b.sbfs("undo")
        try b.sbfs("sync", exits: nil)
        #expect(try b.sbfs("show", id).out.contains("sbfs keep"))
        try b.sbfs("keep", id)
        let path = try b.sbfs("open", id, "--print").lines[0]
        #expect(try b.shell("cat '\(path)'").out == "the new one\n")
    }

    private func deliver() throws {
        try a.shell("mv away \"$(ls -d '\(exchange)'/objects/cc)/$(sha256sum away | cut -c1-64)\"")
        try b.sbfs("sync")
        try a.sbfs("sync")
    }
}
