import Glibc
import Items
import StuffBucket
import TestSupport
import Testing

/// A document that programs renamed, or saved in one second with one size, where copying programs carry the files: they
/// leave the old name, and take the two for the same.
struct RenamedDocumentTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        (a, b) = try Replica.pair()
        try attach("first", to: a)
        try a.meet(b)
        try b.settle()
    }

    private func rename(_ old: String, to new: String, in one: Replica) throws {
        try one.scratch.rename(one.folder + "/document/" + old, to: one.folder + "/document/" + new)
        try one.settle()
    }

    private func documents(_ one: Replica) throws -> [String: String] {
        var found: [String: String] = [:]
        for name in try one.names("document") { found[name] = try document(one, name) }
        return found
    }

    private func modified(_ one: Replica) throws -> Int64 {
        try #require(try one.stored.document?.status.modified)
    }

    @Test func `a new name is carried, and the old one goes`() throws {
        try rename("plan.txt", to: "a.txt", in: a)
        try meetAll()
        for one in [a, b] {
            #expect(try documents(one) == ["a.txt": "first"])
            #expect(try one.stored.document?.name == "a.txt")
        }
        #expect(try a.files() == b.files())
    }

    @Test func `a new name that another file has in the other copy is the document's there, too`() throws {
        // rsync does not replace what is newer.
        try b.save("document/a.txt", "beside")
        try b.settle()
        try rename("plan.txt", to: "a.txt", in: a)
        try a.meet(b, without: "document")
        try b.settle()
        #expect(try document(b, "a.txt") == "first")
        let others = try documents(b).filter { $0.key != "a.txt" }
        #expect(Array(others.values) == ["beside"] && others["plan.txt"] == nil, "\(others)")
        try meetAll()
        #expect(try a.files() == b.files())
    }

    @Test(arguments: [false, true]) func `of two new names one stands`(_ isMerged: Bool) throws {
        try rename("plan.txt", to: "a.txt", in: a)
        try a.change { $0.addTag("a") }
        try rename("plan.txt", to: "b.txt", in: b)
        try b.change { $0.addTag("b") }
        if isMerged { try bothAreEqual() } else { try meetAll() }
        let found = try documents(a), name = try a.stored.document?.name
        #expect(found == ["a.txt": "first"] || found == ["b.txt": "first"], "\(found)")
        #expect(try name != nil && b.stored.document?.name == name && a.files() == b.files())
        for one in [a, b] { #expect(try one.stored.item.documentRelativePath == "document/" + (name ?? "")) }
        // The person of the copy whose name does not stand is told.
        let (winner, loser) = name == "a.txt" ? (a, b) : (b, a)
        #expect(winner.library.takeNotices().isEmpty)
        #expect(
            loser.library.takeNotices() == [
                .renamedElsewhere(Replica.id, own: name == "a.txt" ? "b.txt" : "a.txt", standing: name ?? "")
            ])
    }

    @Test(arguments: [false, true]) func `a document that lost under another name lies beside the one that stands`(
        _ isMerged: Bool
    ) throws {
        for (one, name) in [(a, "a"), (b, "b")] {
            try rename("plan.txt", to: name + ".txt", in: one)
            try one.save("document/\(name).txt", "by \(name)")
            try one.change { $0.addTag(name) }
        }
        if isMerged { try bothAreEqual() } else { try meetAll() }
        let found = try documents(a), name = try #require(try a.stored.document?.name)
        let loser = name == "a.txt" ? "b" : "a"
        let lost = Layout.conflictName(of: loser + ".txt", ContentHash(of: Array("by \(loser)".utf8)))
        #expect(found == [name: "by \(name.prefix(1))", lost: "by \(loser)"], "\(found)")
        for one in [a, b] {
            #expect(try one.stored.document?.name == name)
            #expect(try one.library.conflicts(of: one.stored).documents.map { $0.hasSuffix("/" + lost) } == [true])
        }
        #expect(try a.files() == b.files())
    }

    @Test(arguments: [false, true]) func `documents of one size that both saved in one second meet`(
        _ isMerged: Bool
    ) throws {
        (a.comparesSeconds, b.comparesSeconds) = (true, true)
        try saveInOneSecond("document/plan.txt", "by a!", "by b!")
        try a.change { $0.addTag("a") }
        usleep(20_000)
        try b.change { $0.addTag("b") }
        if isMerged {
            // rsync carries all but the document.
            try a.meet(b)
            try a.settle()
            try b.settle()
            try bothAreEqual()
        } else {
            try meetAll()
        }
        let found = try documents(a)
        #expect(Set(found.values) == ["by a!", "by b!"] && found.count == 2, "\(found)")
        #expect(found["plan.txt"] != nil)
        #expect(try a.files() == b.files() && modified(a) == modified(b))
    }
}
