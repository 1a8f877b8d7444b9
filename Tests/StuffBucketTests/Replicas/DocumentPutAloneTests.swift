import Files
import Glibc
import Items
import StuffBucket
import TestSupport
import Testing

/// A document over which a program copies another file with its times: Documentation/Merge.md § 2, rule 4.
struct DocumentPutAloneTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        let copies = try CopiesWithDocument()
        (a, b) = (copies.a, copies.b)
    }

    /// Puts a file with a time of before in the place of the document.
    ///
    /// - Parameter isRenamed: whether the file is a new one, as `rsync` makes it; else the bytes go into the old one, as with `cp -p`, and
    ///   have a time of long before.
    private func put(_ text: String, isRenamed: Bool = true) throws {
        usleep(2_100_000)
        let path = a.folder + "/document/plan.txt"
        let written = isRenamed ? a.folder + "/document/.plan.txt.part" : path
        try a.scratch.write(written, text)
        try a.scratch.setModified(written, seconds: isRenamed ? time(nil) - 1 : 1_600_000_000)
        if isRenamed { try a.scratch.rename(written, to: path) }
    }

    @Test(arguments: [true, false])
    func `each copy is an edit of the document before it`(isRenamed: Bool) throws {
        for text in ["Plan 1.", "Plan 20.", "Plan 300."] {
            try put(text, isRenamed: isRenamed)
            usleep(2_100_000)
            try a.settle()
            #expect(try document(a, "plan.txt") == text)
            #expect(try a.scratch.names(a.folder + "/document") == ["plan.txt"])
        }
        // rsync brings no file that is older than the one there.
        if !isRenamed { return }
        try meetAll()
        #expect(try a.files() == b.files())
        #expect(try document(b, "plan.txt") == "Plan 300.")
    }

    @Test func `so is each copy over one that a person put there by hand`() throws {
        let c = try Replica(isAsWritten: true)
        try c.scratch.makeDirectory(c.folder + "/document")
        try c.save("document/plan.txt", "Plan 1.")
        try c.settle()
        for text in ["Plan 20.", "Plan 300."] {
            try c.scratch.write("brought", text)
            try c.scratch.setModified("brought", seconds: time(nil) - 1)
            usleep(20_000)
            try c.scratch.rename("brought", to: c.folder + "/document/plan.txt")
            try c.change { $0.addTag(text) }
            try c.settle()
            #expect(try c.scratch.names(c.folder + "/document") == ["plan.txt"])
            #expect(try document(c, "plan.txt") == text)
        }
    }

    @Test func `a program that writes into a document which a tool carried here edits it`() throws {
        for text in ["Plan 1.", "Plan 20."] {
            usleep(20_000)
            try b.scratch.write(b.folder + "/document/plan.txt", text)
            try b.scratch.setModified(b.folder + "/document/plan.txt", seconds: 1_600_000_000)
            try b.change { $0.addTag("plans") }
            try b.settle()
            #expect(try b.scratch.names(b.folder + "/document") == ["plan.txt"])
            #expect(try document(b, "plan.txt") == text)
        }
    }

    @Test func `a folder with a time from elsewhere was carried, and both documents stay`() throws {
        try put("Plan 1.")
        usleep(2_100_000)
        try a.settle()
        try put("Plan 20.")
        try a.scratch.setModified(a.folder + "/document", seconds: 1_600_000_000)
        try a.change { $0.addTag("plans") }
        let texts = try a.scratch.names(a.folder + "/document").map { try document(a, $0) }
        #expect(Set(texts) == ["Plan 1.", "Plan 20."])
    }

    @Test func `a tool may have carried a document that was saved in this second, and both stay`() throws {
        try a.save("document/plan.txt", "By a.")
        try a.settle()
        let path = a.folder + "/document/plan.txt", written = a.folder + "/document/.plan.txt.part"
        var status = stat()
        repeat {
            // The time of its save elsewhere.
            try a.scratch.write("elsewhere", "By b.")
            #expect(stat(a.scratch.full("elsewhere"), &status) == 0)
            usleep(300_000)
            try a.scratch.write(written, "By b.")
            #expect(utimensat(AT_FDCWD, a.scratch.full(written), [status.st_mtim, status.st_mtim], 0) == 0)
            try a.scratch.rename(written, to: path)
            #expect(stat(a.scratch.full(path), &status) == 0)
        } while status.st_mtim.tv_sec != status.st_ctim.tv_sec
        usleep(2_100_000)
        try a.change { $0.addTag("plans") }
        let texts = try a.scratch.names(a.folder + "/document").map { try document(a, $0) }
        #expect(Set(texts) == ["By a.", "By b."])
    }

    @Test func `a folder may still get its time within two seconds`() throws {
        try put("Plan 1.")
        usleep(2_100_000)
        try a.settle()
        let before = try a.scratch.names(a.folder + "/history")
        try put("Plan 20.")
        try a.settle()
        #expect(try a.scratch.names(a.folder + "/history") == before)
        usleep(2_100_000)
        try a.settle()
        #expect(try a.scratch.names(a.folder + "/history").count == before.count + 1)
        #expect(try a.scratch.names(a.folder + "/document") == ["plan.txt"])
    }

    @Test func `what a program replaces before the next look is edited, one after the other`() throws {
        for text in ["Plan 1.", "Plan 20.", "Plan 300."] {
            try put(text)
            // The look comes within two seconds, and no other comes.
            try a.settle()
            #expect(try document(a, "plan.txt") == text)
        }
        try a.save("document/plan.txt", "Plan 4000.")
        try a.settle()
        #expect(try a.scratch.names(a.folder + "/document") == ["plan.txt"])
        try meetAll()
        #expect(try a.files() == b.files())
        #expect(try document(b, "plan.txt") == "Plan 4000.")
    }

    @Test func `one that a tool carried, and that is replaced before the next look, stays`() throws {
        try put("Plan 1.")
        try a.settle()
        try a.scratch.setModified(a.folder + "/document", seconds: 1_600_000_000)
        try a.save("document/plan.txt", "Plan 20.")
        try a.scratch.setModified(a.folder + "/document", seconds: 1_600_000_000)
        try a.settle()
        let texts = try a.scratch.names(a.folder + "/document").map { try document(a, $0) }
        #expect(Set(texts) == ["Plan 1.", "Plan 20."])
    }
}
