import Files
import Glibc
import Items
import StuffBucket
import TestSupport
import Testing

/// Documents that were in document/ before the present one: Documentation/Merge.md § 2, rule 4, and § 3.
struct FormerDocumentTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        let copies = try CopiesWithDocument()
        (a, b) = (copies.a, copies.b)
    }

    private func names(_ replica: Replica) throws -> [String] {
        try replica.scratch.names(replica.folder + "/document").sorted()
    }

    private func texts(_ replica: Replica) throws -> [String] {
        try names(replica).map { try document(replica, $0) }.sorted()
    }

    /// - Parameter isCopied: whether a program copies a file with its time over the document, and sweeps look right after that.
    @Test(arguments: [false, true])
    func `an edit of the document that stays until another one comes keeps that`(isCopied: Bool) throws {
        try b.save("document/plan.txt", "By b.")
        try b.settle()
        usleep(1_100_000)
        try attach("By a, later.", to: a)
        // The other copy has the version, and not the document.
        let away = a.scratch.full(a.folder + "/document/plan.txt")
        #expect(rename(away, a.scratch.full("away")) == 0)
        try a.meet(b)
        try b.settle()
        #expect(try document(b, "plan.txt") == "By b.")
        if isCopied {
            try b.scratch.write("copied", "By b, again.")
            try b.scratch.setModified("copied", seconds: time(nil) - 1)
            usleep(20_000)
            try b.scratch.rename("copied", to: b.folder + "/document/plan.txt")
            try b.settle()
            usleep(2_100_000)
        } else {
            try b.save("document/plan.txt", "By b, again.")
        }
        try b.settle()
        #expect(rename(a.scratch.full("away"), away) == 0)
        try meetAll()
        for replica in [a, b] { #expect(Set(try texts(replica)).isSuperset(of: ["By a, later.", "By b, again."])) }
        #expect(try a.files() == b.files())
    }

    @Test func `one that lost against a document of another name has its conflict name alone`() throws {
        try a.save("document/plan.txt", "By a.")
        try a.settle()
        usleep(1_100_000)
        try b.change { $0.addTag("plans") }
        try b.scratch.removeFile(b.folder + "/document/plan.txt")
        _ = try b.library.change("detach") { try $0.detachDocument(from: b.stored, isLost: true) }
        try attach("By b.", named: "notes.txt", to: b)
        try meetAll()
        #expect(try a.files() == b.files())
        #expect(try names(a).count == 2)
        #expect(try names(a).contains("notes.txt"))
        #expect(try !names(a).contains("plan.txt"))
        #expect(try texts(a) == ["By a.", "By b."])
    }

    /// Takes plan.txt out and puts notes.txt into its place, and brings plan.txt again.
    private func bringAgain(isCarried: Bool) throws {
        let plan = a.folder + "/document/plan.txt"
        try a.scratch.write("kept", a.scratch.bytes(plan))
        var status = stat()
        #expect(stat(a.scratch.full(plan), &status) == 0)
        _ = try a.library.change("detach") { try $0.detachDocument(from: a.stored) }
        usleep(1_100_000)
        try attach("Notes.", named: "notes.txt", to: a)
        try a.settle()
        usleep(20_000)
        try a.scratch.rename("kept", to: plan)
        _ = utimensat(AT_FDCWD, a.scratch.full(plan), [status.st_mtim, status.st_mtim], 0)
        if isCarried { try a.scratch.setModified(a.folder + "/document", seconds: 1_600_000_000) }
        _ = a.library.takeNotices()
        try a.settle()
    }

    @Test func `one that was taken out and that a tool brings again goes, and the program says where it is`() throws {
        try bringAgain(isCarried: true)
        #expect(try names(a) == ["notes.txt"])
        let kept = a.library.takeNotices().compactMap { notice -> String? in
            if case .detachedReturned(Replica.id, let kept) = notice { kept } else { nil }
        }
        #expect(try kept.map { try a.scratch.text("library/" + $0) } == ["Plan 0."])
    }

    @Test func `one that a person puts there again stays`() throws {
        try bringAgain(isCarried: false)
        // Another tool may touch the folder later.
        try a.scratch.setModified(a.folder + "/document", seconds: 1_600_000_000)
        try a.change { $0.addTag("plans") }
        try a.saveTitle("Rye", for: "Bread")
        try a.settle()
        #expect(try names(a) == ["notes.txt", "plan.txt"])
        #expect(try a.stored.item.documentRelativePath == "document/notes.txt")
    }

    @Test func `one that another copy took out has its conflict name alone, also beside another file`() throws {
        try a.scratch.write(a.folder + "/document/mine.txt", "Mine.")
        try a.save("document/plan.txt", "By a.")
        try a.settle()
        usleep(1_100_000)
        try b.change { $0.addTag("plans") }
        _ = try b.library.change("detach") { try $0.detachDocument(from: b.stored) }
        try meetAll()
        #expect(try a.files() == b.files())
        #expect(try names(a).count == 2)
        #expect(try !names(a).contains("plan.txt"))
        #expect(try texts(a) == ["By a.", "Mine."])
    }

    @Test func `one that lies there while its successor is not here goes once that comes`() throws {
        usleep(1_100_000)
        try attach("Notes.", named: "notes.txt", to: b)
        let notes = b.scratch.full(b.folder + "/document/notes.txt")
        #expect(rename(notes, b.scratch.full("away")) == 0)
        try a.meet(b)
        // A tool brought something else under its name.
        try a.scratch.write("other", "Other.")
        try a.scratch.setModified("other", seconds: 1_700_000_000)
        usleep(20_000)
        try a.scratch.rename("other", to: a.folder + "/document/notes.txt")
        try a.scratch.setModified(a.folder + "/document", seconds: 1_600_000_000)
        _ = try a.library.takeInBackground()
        #expect(try names(a).contains("plan.txt"))
        #expect(rename(b.scratch.full("away"), notes) == 0)
        try a.meet(b)
        try a.scratch.setModified(a.folder + "/document", seconds: 1_600_000_000)
        try meetAll()
        for replica in [a, b] {
            #expect(try document(replica, "notes.txt") == "Notes.")
            #expect(try !names(replica).contains("plan.txt"))
        }
        #expect(try a.files() == b.files())
    }

    @Test func `of two documents of two names the loser lies under its conflict name alone, in both copies`() throws {
        let one = try Replica(isAsWritten: true), two = try Replica(copyOf: one)
        try two.settle()
        usleep(1_100_000)
        try attach("By one.", named: "one.txt", to: one)
        usleep(1_100_000)
        try attach("By two.", named: "two.txt", to: two)
        try one.meet(two)
        try two.settle()
        // rsync leaves a folder its time within one second: nothing tells there that a tool brought the file.
        for replica in [one, two] {
            try replica.settle()
            #expect(
                try replica.names("document").filter { $0 != "two.txt" }.allSatisfy { $0.hasPrefix("one.conflict-") })
            #expect(try replica.library.conflicts(of: replica.stored).documents.count == 1)
        }
        for _ in 0..<2 {
            try one.meet(two)
            for replica in [one, two] {
                utimensat(AT_FDCWD, replica.scratch.full(replica.folder + "/document"), nil, 0)
                try replica.settle()
            }
        }
        #expect(try one.names("document").count == 2)
        #expect(try one.files() == two.files())
    }
}
