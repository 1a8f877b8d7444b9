import Files
import Glibc
import Items
import StuffBucket
import TestSupport
import Testing

/// A program renamed the document before the item had a version: Documentation/Merge.md § 2, rule 2.
struct RenamedBeforeFirstVersionTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        let first = try Replica()
        let hash = SHA256.hex(Array("Plan.".utf8))
        let fields = #""documentRelativePath": "document/plan.txt", "documentSHA256": "\#(hash)", "title""#
        let item = try first.scratch.text(first.folder + "/item.json")
        try first.save("item.json", item.replacingOccurrences(of: #""title""#, with: fields))
        try first.scratch.write(first.folder + "/document/plan.txt", "Plan.")
        // Neither device saw the item without the document.
        a = try Replica(copyOf: first)
        b = try Replica(copyOf: first)
        try a.look()
        try b.look()
    }

    private func rename(to name: String, in one: Replica) throws {
        try one.scratch.rename(one.folder + "/document/plan.txt", to: one.folder + "/document/" + name)
    }

    private func expectNewName() throws {
        for one in [a, b] {
            #expect(try one.names("document") == ["new.txt"] && document(one, "new.txt") == "Plan.")
            #expect(try one.stored.document?.name == "new.txt")
        }
    }

    @Test(arguments: ["a", "b"], [false, true])
    func `a new name comes to the other copy`(_ renamed: String, _ isIntoA: Bool) throws {
        try rename(to: "new.txt", in: renamed == "a" ? a : b)
        if isIntoA { try merge(b, into: a) } else { try merge(a, into: b) }
        try bothAreEqual()
        try expectNewName()
    }

    @Test func `item.json gets the new name without a version before it`() throws {
        try rename(to: "new.txt", in: a)
        try a.settle()
        usleep(2_100_000)
        try a.settle()
        #expect(try a.stored.item.documentRelativePath == "document/new.txt")
        try meetAll()
        try expectNewName()
        #expect(try b.stored.item.documentRelativePath == "document/new.txt" && a.files() == b.files())
        try a.scratch.write(a.folder + "/document/own.txt", "own")
        try a.settle()
        #expect(try a.stored.document?.name == "new.txt")
    }

    @Test func `a command does not take the new name back`() throws {
        try rename(to: "new.txt", in: a)
        try a.settle()
        try a.change { $0.addTag("new") }
        #expect(try a.versions.count(where: \.isCurrent) == 1)
        try b.change { $0.addTag("other") }
        try merge(b, into: a)
        try bothAreEqual()
        try expectNewName()
    }

    @Test func `an edit under the new name is the document in both copies`() throws {
        try a.save("document/plan.txt", "Edited.")
        try rename(to: "new.txt", in: a)
        try a.settle()
        usleep(2_100_000)
        try a.settle()
        try meetAll()
        try meetAll()
        for one in [a, b] {
            #expect(try one.stored.document?.name == "new.txt" && document(one, "new.txt") == "Edited.")
        }
        #expect(try a.files() == b.files())
    }

    /// The other copy has the document as sbfs stored it, which no version records.
    @Test(arguments: ["plan.txt", "other.txt"]) func `the first document does not come back over two newer ones`(
        _ name: String
    ) throws {
        try a.save("document/plan.txt", "Edited.")
        try a.settle()
        try attach("Attached.", named: name, to: a)
        try a.scratch.rename(a.folder + "/document/" + name, to: a.folder + "/document/new.txt")
        try a.settle()
        usleep(2_100_000)
        try a.settle()
        try merge(b, into: a)
        #expect(try a.names("document") == ["new.txt"] && document(a, "new.txt") == "Attached.")
        try bothAreEqual()
        #expect(try b.names("document") == ["new.txt"] && document(b, "new.txt") == "Attached.")
    }

    @Test func `a document that was deleted and then taken out before the first version stays away`() throws {
        try a.scratch.removeFile(a.folder + "/document/plan.txt")
        try a.library.change("detach") { try $0.detachDocument(from: a.stored) }
        try merge(a, into: b)
        try bothAreEqual()
        for one in [a, b] { #expect(try one.names("document").isEmpty && one.stored.document == nil) }
    }
}
