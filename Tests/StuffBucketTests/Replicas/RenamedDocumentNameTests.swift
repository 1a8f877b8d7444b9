import Files
import Glibc
import Items
import StuffBucket
import TestSupport
import Testing

/// item.json gets the name of a document that a program renamed, once the name has settled: Documentation/Merge.md § 2, rule 2.
struct RenamedDocumentNameTests: TwoCopies {
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

    /// A program may write a file under the former name for two seconds.
    private func waitForName(_ one: Replica) throws {
        usleep(2_100_000)
        try one.settle()
    }

    private func name(_ one: Replica) throws -> String? { try one.stored.item.documentRelativePath }

    @Test func `the document stays the document beside a second file`() throws {
        try rename("plan.txt", to: "new.txt", in: a)
        #expect(try name(a) == "document/plan.txt")
        try waitForName(a)
        #expect(try name(a) == "document/new.txt")
        try a.save("document/own.txt", "own")
        try meetAll()
        for one in [a, b] {
            #expect(try one.stored.document?.name == "new.txt" && document(one, "new.txt") == "first")
            #expect(try one.names("document") == ["new.txt", "own.txt"])
            #expect(try one.library.conflicts(of: one.stored).documents.isEmpty)
        }
        #expect(try a.files() == b.files())
        let count = try a.versions.count
        try a.settle()
        #expect(try a.versions.count == count)
    }

    @Test(arguments: [false, true])
    func `a second file that came before a look, or within two seconds, changes nothing`(_ isNoted: Bool) throws {
        if isNoted { try rename("plan.txt", to: "new.txt", in: a) }
        if !isNoted {
            try a.scratch.rename(a.folder + "/document/plan.txt", to: a.folder + "/document/new.txt")
        }
        try a.save("document/own.txt", "own")
        try a.settle()
        try waitForName(a)
        #expect(try name(a) == "document/new.txt" && a.stored.document?.name == "new.txt")
        try meetAll()
        #expect(try b.stored.document?.name == "new.txt" && a.files() == b.files())
    }

    @Test func `a file that lay beside the document and takes its place stays, though it is older`() throws {
        let time = try modified("document/plan.txt", a)
        try a.save("document/kept.txt", "first")
        try a.scratch.directory().file(a.folder + "/document/kept.txt").setModified(time)
        try a.save("document/plan.txt", "second")
        try a.settle()
        try a.scratch.removeFile(a.folder + "/document/plan.txt")
        try rename("kept.txt", to: "plan.txt", in: a)
        try a.change { $0.addTag("a") }
        #expect(try document(a, "plan.txt") == "first")
        try meetAll()
        #expect(try document(a, "plan.txt") == "first" && document(b, "plan.txt") == "first")
    }

    @Test func `an earlier document that a program brought makes way, is kept, and is said`() throws {
        let time = try modified("document/plan.txt", a)
        try a.save("document/plan.txt", "second")
        try a.settle()
        try a.save("document/plan.txt", "first")
        try a.scratch.directory().file(a.folder + "/document/plan.txt").setModified(time)
        try a.settle()
        #expect(try document(a, "plan.txt") == "second")
        let notice = a.library.takeNotices().first { $0.code == "earlier_file_replaced" }
        guard case .earlierFileReplaced(Replica.id, file: "document/plan.txt", let kept)? = notice else {
            Issue.record("nothing says that the document was replaced")
            return
        }
        #expect(try a.scratch.text("library/" + kept) == "first")
    }

    @Test func `a file that a program saved under the former name is the document`() throws {
        try rename("plan.txt", to: "plan.txt~", in: a)
        try a.save("document/plan.txt", "saved")
        try waitForName(a)
        #expect(try name(a) == "document/plan.txt")
        #expect(try a.stored.document?.name == "plan.txt" && document(a, "plan.txt") == "saved")
    }

    @Test func `both copies give the name, and are equal`() throws {
        try rename("plan.txt", to: "new.txt", in: a)
        try a.meet(b)
        try waitForName(b)
        try waitForName(a)
        #expect(try name(a) == "document/new.txt" && name(b) == "document/new.txt")
        try meetAll()
        #expect(try a.files() == b.files() && a.versions.count == b.versions.count)
    }

    @Test func `a document that was renamed while another copy changed a field gets its name, too`() throws {
        usleep(1_100_000)
        try rename("plan.txt", to: "new.txt", in: a)
        try b.change { $0.addTag("b") }
        try b.settle()
        try a.meet(b)
        try b.settle()
        // The new name is not old enough at the look that joins.
        try a.scratch.rename(a.folder + "/document/new.txt", to: a.folder + "/document/new2.txt")
        try a.scratch.rename(a.folder + "/document/new2.txt", to: a.folder + "/document/new.txt")
        try a.settle()
        for one in [a, b] { try waitForName(one) }
        #expect(try name(a) == "document/new.txt" && name(b) == "document/new.txt")
        try meetAll()
        #expect(try a.files() == b.files())
        #expect(a.library.takeNotices().isEmpty && b.library.takeNotices().isEmpty)
    }

    @Test func `a name in item.json that no version's document had stays`() throws {
        let item = try a.scratch.text(a.folder + "/item.json")
        try a.save("item.json", item.replacingOccurrences(of: "document/plan.txt", with: "document/other.txt"))
        try waitForName(a)
        #expect(try name(a) == "document/other.txt")
    }

    @Test(arguments: [false, true], [false, true])
    func `an edit of a document that was renamed elsewhere stands without a conflict`(
        _ isNamed: Bool, _ isMerged: Bool
    ) throws {
        try rename("plan.txt", to: "new.txt", in: a)
        if isNamed { try waitForName(a) }
        try b.save("document/plan.txt", "by b")
        try b.settle()
        if isMerged { try bothAreEqual() } else { try meetAll() }
        for one in [a, b] {
            #expect(try one.names("document") == ["plan.txt"] && document(one, "plan.txt") == "by b")
            #expect(try name(one) == "document/plan.txt")
            #expect(try one.library.conflicts(of: one.stored).documents.isEmpty)
        }
        #expect(try a.files() == b.files())
        #expect(
            a.library.takeNotices() == [
                .renamedElsewhere(Replica.id, own: "new.txt", standing: "plan.txt")
            ])
    }
}
