import Foundation
import TestSupport
import Testing

/// Objects that an exchange loses, and documents that a device takes out because it believes them lost.
struct LostObjectTests {
    private let a: Sandbox
    private let exchange: String
    private static let words = "keep me, I am the only one\n"

    init() throws {
        a = try Sandbox()
        exchange = a.scratch.full("exchange")
        try a.sbfs("remote", "add", "cloud", exchange)
    }

    private func add(_ name: String, _ text: String) throws -> String {
        try a.file(name, text)
        return try #require(try a.sbfs("add", name).lines.first)
    }

    private func second(_ words: String...) throws -> Sandbox {
        let b = try Sandbox(isLibraryMade: false)
        try b.sbfs(words: ["init", "--from", exchange] + words)
        try b.sbfs("sync")
        return b
    }

    private func object() throws -> String {
        try #require(try a.shell("grep -rlF 'keep me' '\(exchange)/objects'").lines.first)
    }

    private func document(_ device: Sandbox, _ id: String) throws -> String {
        try device.shell("cat \"$(ls -d '\(device.library)'/items/*/\(id))\"/document/*", exits: nil).out
    }

    @Test func `a document that another device takes out as lost is kept here, and repair brings it back`() throws {
        let id = try add("k.txt", Self.words)
        try a.sbfs("sync")
        let b = try second("--thin")
        try a.shell("rm '\(object())'")
        try b.sbfs("detach", id, "document", "--lost", "--yes")
        try b.sbfs("sync")
        let told = try a.sbfs("sync").err
        #expect(
            told.contains("was taken out in another copy, and so it was here; it is kept for 30 days as"), "\(told)")
        #expect(try document(a, id).isEmpty)
        let kept = try #require(told.firstMatch(of: /as (\.sbfs\/known\/.*)\. To take/)).1
        #expect(try a.shell("cat '\(a.library)/\(kept)'").out == Self.words)
        try b.sbfs("undo")
        try b.sbfs("sync")
        try a.sbfs("sync", exits: nil)
        let run = try a.sbfs("repair")
        #expect(run.out.contains("brought back") && run.out.contains("k.txt"), "\(run)")
        #expect(try document(a, id) == Self.words)
        try a.sbfs("sync")
        try b.sbfs("sync")
        try b.sbfs("keep", id)
        #expect(try document(b, id) == Self.words)
    }

    @Test(arguments: ["rm", "printf X | dd bs=1 seek=2 conv=notrunc 2>&1 of="])
    func `an object that is lost twice is written again twice`(_ loss: String) throws {
        let id = try add("k.txt", Self.words)
        try a.sbfs("sync")
        let b = try second()
        try b.sbfs("drop", id)
        let object = try object()
        for _ in 0..<2 {
            try a.shell(loss.hasSuffix("=") ? "\(loss)'\(object)'" : "\(loss) '\(object)'")
            try b.sbfs("check", "--read-data", exits: 1)
            try b.sbfs("sync", exits: 4)
            try a.sbfs("sync")
            #expect(try a.shell("cat '\(object)'").out == Self.words)
        }
        try b.sbfs("keep", id)
        #expect(try document(b, id) == Self.words)
    }

    @Test func `an object that only an earlier state names is needed no more`() throws {
        let id = try add("k.txt", Self.words)
        try a.sbfs("sync")
        let object = try object()
        try a.file("new.txt", "other words")
        try a.sbfs("attach", id, "new.txt", "--replace", "--yes")
        try a.sbfs("sync")
        try a.shell("rm '\(object)'")
        let run = try a.sbfs("remote", "check", "cloud")
        #expect(run.err.contains("so nothing needs it") && run.err.contains("all that is needed is whole"), "\(run)")
        // A new device does without it, and asks for nothing.
        let b = try second()
        #expect(try document(b, id) == "other words")
        #expect(try !a.shell("cat '\(exchange)'/heads/*").out.contains("needs"))
        // That of the last state is needed.
        try a.shell("rm \"$(grep -rlF 'other words' '\(exchange)/objects')\"")
        let lost = try a.sbfs("remote", "check", "cloud", exits: 4).err
        #expect(lost.contains("1 missing or damaged") && lost.contains("so nothing needs it"), "\(lost)")
        try a.sbfs("sync")
        try a.sbfs("remote", "check", "cloud")
    }

    @Test func `drop leaves the last copy of a document that was taken out elsewhere`() throws {
        let id = try add("k.txt", Self.words)
        try a.sbfs("sync")
        let b = try second()
        try a.sbfs("drop", id)
        try a.shell("rm '\(object())'")
        try a.sbfs("detach", id, "document", "--lost", "--yes")
        try a.file("z.txt", "another")
        try a.sbfs("attach", id, "z.txt")
        try a.sbfs("sync")
        try b.sbfs("sync")
        try b.sbfs("drop", id)
        #expect(try b.shell("grep -rl 'keep me' '\(b.library)/.sbfs/known'").lines.count == 1)
    }

    @Test func `a document that a person removed and that a remote has is not lost`() throws {
        let id = try add("k.txt", Self.words)
        try a.sbfs("sync")
        let path = try a.shell("ls '\(a.library)'/items/*/\(id)/document/k.txt").lines[0]
        try a.shell("rm '\(path)'")
        let run = try a.sbfs("detach", id, "document", "--lost", "--yes", exits: 1)
        #expect(run.err.contains("is not lost, a remote has it"), "\(run)")
        try a.shell("mv '\(exchange)' '\(exchange).away'")
        #expect(
            try a.sbfs("detach", id, "document", "--lost", "--yes", exits: 1).err.contains("cannot be read now"))
        try a.shell("mv '\(exchange).away' '\(exchange)'")
        try a.shell("rm '\(object())'")
        try a.sbfs("detach", id, "document", "--lost", "--yes")
    }

    @Test func `a merge ends where a document was taken out that may be damaged in the other copy`() throws {
        let id = try add("k.txt", Self.words)
        try a.sbfs("sync")
        let b = try second()
        let path = try b.shell("ls '\(b.library)'/items/*/\(id)/document/k.txt").lines[0]
        try b.shell("cp -p '\(path)' time; sed -i s/keep/kept/ '\(path)'; touch -r time '\(path)'")
        try a.sbfs("detach", id, "document", "--yes")
        try a.sbfs("merge", b.library, "--both", exits: nil)
        let again = try a.sbfs("merge", b.library, "--both", exits: nil)
        #expect(again.out.contains("1 equal"), "\(again)")
        // What it had is in a second name, or beside.
        #expect(try !b.shell("grep -rl 'kept me' '\(b.library)'").lines.isEmpty)
        #expect(try b.sbfs("sync", exits: nil).status == 0)
    }

    @Test func `keep says that it brought an empty document`() throws {
        let id = try add("e.txt", "")
        try a.sbfs("sync")
        let b = try second("--thin")
        #expect(try b.sbfs("keep", id).err.contains("brought files of 1 item"))
        #expect(try b.sbfs("list", "--ids", "status:away", exits: 3).out.isEmpty)
        #expect(try b.sbfs("keep", id).err.contains("there is nothing to do"))
    }

    @Test func `a document that is away and gone is named once`() throws {
        let id = try add("k.txt", Self.words)
        try a.sbfs("sync")
        let b = try second("--thin")
        try a.shell("rm '\(object())'")
        let remote = try b.sbfs("remote", "list").out.split(separator: "\t")[0]
        let told = try b.sbfs("repair", "--from", String(remote), exits: 4).err
        #expect(told.components(separatedBy: "k.txt is missing").count == 2, "\(told)")
        let list = try b.sbfs("list").out
        #expect(list.contains(id) && list.contains("k.txt"), "\(list)")
    }

    @Test(arguments: [false, true]) func `an empty document that is edited comes to other devices`(_ isThin: Bool)
        throws
    {
        let id = try add("e.txt", "")
        try a.sbfs("sync")
        let b = try isThin ? second("--thin") : second()
        let path = try a.shell("ls -d '\(a.library)'/items/*/\(id)/document/e.txt").lines[0]
        // A time of its own: nobody can save a file in the moment in which it was stored.
        try a.shell("printf full > '\(path)' && touch -d '5 seconds' '\(path)'")
        try a.sbfs("sync")
        let run = try b.sbfs("sync")
        #expect(run.err.isEmpty && run.out.contains("1 joined"), "\(run)")
        if isThin { try b.sbfs("keep", id) }
        #expect(try document(b, id) == "full")
        // It lost its bytes; both say so, and mend it.
        try a.shell(": > '\(path)'")
        #expect(try a.sbfs("sync", exits: 4).err.contains("damaged"))
        #expect(try a.sbfs("repair", "--from", "cloud").out.contains("e.txt (it was damaged)"))
        #expect(try document(a, id) == "full")
    }

    @Test func `an empty document that was edited in another copy is joined by a merge`() throws {
        let id = try add("e.txt", "")
        try a.shell("cp -a '\(a.library)' copy && rm -r copy/.sbfs")
        try a.shell("for f in copy/items/*/\(id)/document/e.txt; do printf full > $f; touch -d '5 seconds' $f; done")
        let run = try a.sbfs("merge", "copy")
        #expect(!run.err.contains("damaged"), "\(run)")
        #expect(try document(a, id) == "full")
    }
}
