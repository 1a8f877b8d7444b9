import Files
import Glibc
import Items
import StuffBucket
import TestSupport
import Testing

/// Documents that another copy brought, and that look like an edit of the present one: Documentation/Merge.md § 2, rules 4 and 5.
struct BroughtDocumentTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        let copies = try CopiesWithDocument()
        (a, b) = (copies.a, copies.b)
    }

    private func texts(_ replica: Replica) throws -> Set<String> {
        Set(try replica.scratch.names(replica.folder + "/document").map { try document(replica, $0) })
    }

    /// The other copy gets the version of "Plan 1.", whose file lies in "away" outside of the library.
    private func bringVersionWithoutDocument() throws {
        usleep(1_100_000)
        try attach("Plan 1.", to: a)
        try a.scratch.rename(a.folder + "/document/plan.txt", to: "away")
        try a.meet(b)
        try b.settle()
    }

    private func sha256(_ text: String) -> String {
        var hash = SHA256()
        hash.update(Array(text.utf8))
        return hash.finish()
    }

    @Test func `an earlier document that a program renamed replaces no later one`() throws {
        var status = stat()
        let path = b.scratch.full(b.folder + "/document/plan.txt")
        #expect(stat(path, &status) == 0)
        usleep(1_100_000)
        try attach("Plan 1.", to: a)
        try meetAll()
        // A tool brings the earlier one, which a person then gives another name.
        let renamed = b.folder + "/document/notes.txt"
        try b.scratch.write("earlier", "Plan 0.")
        usleep(20_000)
        #expect(rename(b.scratch.full("earlier"), b.scratch.full(renamed)) == 0)
        #expect(unlink(path) == 0)
        #expect(utimensat(AT_FDCWD, b.scratch.full(renamed), [status.st_mtim, status.st_mtim], 0) == 0)
        try b.scratch.setModified(b.folder + "/document", seconds: 1_600_000_000)
        try b.settle()
        // The other copy has the later one under this name.
        try a.scratch.rename(a.folder + "/document/plan.txt", to: a.folder + "/document/notes.txt")
        try a.settle()
        try meetAll()
        for replica in [a, b] { #expect(try texts(replica) == ["Plan 1."]) }
        #expect(try a.files() == b.files())
    }

    @Test func `a file beside the document that another copy's item names is not the choice of a person`() throws {
        _ = try b.library.change("detach") { try $0.detachDocument(from: b.stored) }
        try attach("By b.", named: "notes.txt", to: b)
        usleep(1_100_000)
        try a.save("document/notes.txt", "Beside.")
        try a.save("document/plan.txt", "By a.")
        try a.settle()
        try b.change { $0.addTag("plans") }
        try a.meet(b)
        // rsync gives folders their times, too.
        for replica in [a, b] { try replica.scratch.setModified(replica.folder + "/document", seconds: 1_600_000_000) }
        _ = try a.library.takeInBackground()
        // Nothing was made of the document that is here.
        let history = try a.scratch.names(a.folder + "/history").filter { $0.hasSuffix(".json") }
        #expect(try !history.contains { try a.scratch.text(a.folder + "/history/" + $0).contains(sha256("Beside.")) })
        try meetAll()
        // A change waits for nothing.
        try a.change { $0.addTag("rye") }
        try meetAll()
        for replica in [a, b] { #expect(try texts(replica) == ["By a.", "By b.", "Beside."]) }
        #expect(try a.files() == b.files())
    }

    @Test func `a document is not replaced or taken out while its successor is not here`() throws {
        try bringVersionWithoutDocument()
        let before = try b.files()
        for isReplacing in [true, false] {
            let error = #expect(throws: ItemError.self) {
                if isReplacing {
                    try attach("By b.", to: b)
                } else {
                    _ = try b.library.change("detach") { try $0.detachDocument(from: b.stored) }
                }
            }
            guard case .refused(.notArrived(Replica.id, "document/plan.txt"))? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(try b.files() == before)
        try a.scratch.rename("away", to: a.folder + "/document/plan.txt")
        try meetAll()
        #expect(try document(b, "plan.txt") == "Plan 1.")
        // Now it was seen.
        usleep(1_100_000)
        try attach("By b.", to: b)
        try meetAll()
        for replica in [a, b] { #expect(try texts(replica) == ["By b."]) }
    }

    /// - Parameter isRenamed: whether the program writes a new file; else into the one that came.
    @Test(arguments: [false, true])
    func `an edit of a document that a tool brought before the first look comes from that one`(isRenamed: Bool) throws {
        try b.save("document/plan.txt", "By b.")
        try b.settle()
        usleep(1_100_000)
        try attach("By a, later.", to: a)
        // rsync brings it, and a person edits it before b looks.
        try a.meet(b)
        #expect(try document(b, "plan.txt") == "By a, later.")
        usleep(100_000)
        if isRenamed {
            try b.save("document/plan.txt", "By a, edited by b.")
        } else {
            try b.scratch.write(b.folder + "/document/plan.txt", "By a, edited by b.")
        }
        try b.settle()
        try meetAll()
        for replica in [a, b] { #expect(try texts(replica) == ["By b.", "By a, edited by b."]) }
        #expect(try a.files() == b.files())
    }

    @Test func `a document of another version with the time of the one before it is not damaged`() throws {
        let c = try Replica(copyOf: a)
        try c.settle()
        try bringVersionWithoutDocument()
        // A program puts it there first, with the same nanosecond.
        let time = try modified("document/plan.txt", b)
        let spec = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
        try b.scratch.write("brought", "Plan 1.")
        #expect(utimensat(AT_FDCWD, b.scratch.full("brought"), [spec, spec], 0) == 0)
        usleep(20_000)
        try b.scratch.rename("brought", to: b.folder + "/document/plan.txt")
        try b.settle()
        #expect(try document(b, "plan.txt") == "Plan 1.")
        // It loses, and is here alone.
        usleep(1_100_000)
        try attach("By c.", to: c)
        try b.meet(c)
        try b.settle()
        #expect(try texts(b) == ["Plan 1.", "By c."])
        #expect(try document(b, "plan.txt") == "By c.")
    }

    @Test func `an earlier document over one that this device recorded is taken out`() throws {
        usleep(1_100_000)
        try attach("Plan 1.", to: a)
        usleep(2_100_000)
        // As `cp -p` does, which writes into the second name, too: nothing is left to come back.
        try a.scratch.write(a.folder + "/document/plan.txt", "Plan 0.")
        try a.scratch.setModified(a.folder + "/document/plan.txt", seconds: 1_600_000_000)
        try a.settle()
        _ = try a.library.change("detach") { try $0.detachDocument(from: a.stored) }
        #expect(try a.stored.item.documentRelativePath == nil)
        #expect(try texts(a).isEmpty)
    }

    @Test func `a document that waits, and is here still, replaces none that a join brought meanwhile`() throws {
        usleep(2_100_000)
        let path = b.folder + "/document/plan.txt"
        // A copying program puts one file here, and the next look comes within two seconds.
        try b.scratch.write("brought", "By b.")
        try b.scratch.setModified("brought", seconds: time(nil) - 1)
        try b.scratch.rename("brought", to: path)
        _ = try b.library.takeInBackground()
        // The version of a comes without its document, which is older.
        try attach("By a.", to: a)
        try a.scratch.rename(a.folder + "/document/plan.txt", to: "away")
        try a.meet(b, without: "document")
        _ = try b.library.takeInBackground()
        usleep(2_100_000)
        try b.settle()
        try a.scratch.rename("away", to: a.folder + "/document/plan.txt")
        try meetAll()
        for replica in [a, b] { #expect(try texts(replica) == ["By a.", "By b."]) }
        #expect(try a.files() == b.files())
    }
}
