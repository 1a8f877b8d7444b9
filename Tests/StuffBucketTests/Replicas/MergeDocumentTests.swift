import Files
import Foundation
import Items
import JSONFormat
import StuffBucket
import TestSupport
import Testing
import Time

/// `Library.merge`: documents and saved pages of two copies.
struct MergeDocumentTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        (a, b) = try Replica.pair()
    }

    @Test func `a document that was taken out in one copy goes in the other, unless it was replaced there`() throws {
        try attach("Plan.", to: a)
        for isReplaced in [false, true] {
            if isReplaced { try attach("Plan.", to: a) }
            let copy = try Replica(copyOf: a)
            try copy.look()
            try a.library.change("detach") { try $0.detachDocument(from: a.stored) }
            if isReplaced { try attach("Another plan.", to: copy) }
            _ = try a.library.mergeBoth(path(copy))
            #expect(try a.files() == copy.files())
            #expect(try a.stored.document?.name == (isReplaced ? "plan.txt" : nil))
            if isReplaced { #expect(try document(a, "plan.txt") == "Another plan.") }
            #expect(try a.library.merge(path(copy)).hasNothing && copy.library.merge(path(a)).hasNothing)
        }
    }

    @Test(arguments: [false, true], ["a", "b", "both"])
    func `a document that is damaged in one copy is joined nowhere, and the good one stays`(
        isHere: Bool, edited: String
    ) throws {
        try attach("Plan of the house.", to: a)
        let b = try Replica(copyOf: a)
        try b.look()
        let path = a.folder + "/document/plan.txt"
        let file = try a.scratch.directory().fileForWriting(path)
        let modified = try file.status().modified
        try a.scratch.write(path, "Plan of the mouse.")
        try file.setModified(modified)
        for (name, one) in [("a", a), ("b", b)] where edited != (name == "a" ? "b" : "a") {
            try one.change { $0.set(.title, .string("By " + name)) }
        }
        let report = try isHere ? merge(b, into: a) : merge(a, into: b)
        #expect(report.hasNothing && report.left.count == 1, "\(report)")
        let isNamed = if case .damaged(isHere)? = report.left.first?.reason { true } else { false }
        #expect(isNamed && report.left.first?.path.hasSuffix("/document/plan.txt") == true, "\(report)")
        #expect(try document(b, "plan.txt") == "Plan of the house." && b.names("document") == ["plan.txt"])
        #expect(try (isHere ? a : b).library.mergePreview(self.path(isHere ? b : a)).left.count == 1)
    }

    @Test func `a dry run counts a document that lost in the other copy`() throws {
        try attach("Plan.", to: a)
        let one = try Replica(copyOf: a), two = try Replica(copyOf: a)
        for copy in [one, two] { try copy.look() }
        try attach("Plan of one.", to: one)
        try attach("Plan of two.", to: two)
        #expect(try merge(one, into: two).conflictCount == 1)
        for isTitled in [false, true] {
            // The document of the two stands in `a` then, and another one lies beside it there.
            if isTitled { try two.change { $0.set(.title, .string("Plans")) } }
            let dry = try a.library.mergePreview(path(two))
            let report = try merge(two, into: a)
            #expect(dry.conflictCount == 1 && report.conflictCount == 1, "\(dry) \(report)")
            #expect(dry.joined == report.joined && dry.kept == report.kept)
        }
        let file = try #require(try a.names("document").first { $0.contains("conflict") })
        try two.scratch.removeFile(two.folder + "/document/" + file)
        try two.settle()
        #expect(try a.library.mergePreview(path(two)).conflictCount == 0)
        #expect(try merge(two, into: a).conflictCount == 0)
        #expect(try !a.names("document").contains(file))
    }

    @Test func `a document that lost is named`() throws {
        try attach("Plan.", to: a)
        let copy = try Replica(copyOf: a)
        try copy.look()
        try attach("Plan of this one.", to: a)
        try attach("Plan of the copy.", to: copy)
        let report = try a.library.merge(path(copy))
        #expect(report.kept.count == 1 && report.kept[0].contains("document/plan.conflict-"))
        #expect(try a.scratch.text("library/" + report.kept[0]).hasPrefix("Plan of"))
        #expect(try a.library.merge(path(copy)).kept.isEmpty)
    }

    @Test func `a document that one copy replaced comes with the item`() throws {
        try attach("first", to: a)
        try bothAreEqual()
        try attach("second, longer", to: b)
        let report = try merge(b, into: a)
        #expect(try document(a, "plan.txt") == "second, longer")
        #expect(try a.names("document") == ["plan.txt"] && report.left.isEmpty)
        try bothAreEqual()
    }

    @Test func `of two documents the later stands, and the other one lies beside it in both copies`() throws {
        try attach("first", to: a)
        try bothAreEqual()
        try attach("by a", to: a)
        try attach("by b", to: b)
        try merge(b, into: a)
        #expect(try document(a, "plan.txt") == "by b")
        let kept = try a.names("document").filter { $0 != "plan.txt" }
        #expect(kept.count == 1 && kept[0].hasPrefix("plan.conflict-") && kept[0].hasSuffix(".txt"))
        #expect(try document(a, kept[0]) == "by a")
        try bothAreEqual()
        #expect(try document(b, kept[0]) == "by a")
    }

    @Test func `the document of the other copy that lost lies beside the one here`() throws {
        try attach("first", to: a)
        try bothAreEqual()
        try attach("by b", to: b)
        try attach("by a", to: a)
        try merge(b, into: a)
        #expect(try document(a, "plan.txt") == "by a")
        let kept = try a.names("document").filter { $0 != "plan.txt" }
        #expect(try kept.count == 1 && document(a, kept.first ?? "plan.txt") == "by b")
        try bothAreEqual()
    }

    @Test func `a document that was replaced by one of another name is gone in the other copy, too`() throws {
        try attach("first", to: a)
        try bothAreEqual()
        try attach("second", named: "notes.txt", to: b)
        try merge(b, into: a)
        #expect(try a.names("document") == ["notes.txt"] && document(a, "notes.txt") == "second")
        try bothAreEqual()
    }

    private func savePage(_ html: String, archivedAt: String, in one: Replica) throws {
        try one.save("page.html", html)
        try one.save("reader.html", "<p>reader of \(html)")
        try one.scratch.write(one.folder + "/assets/0123456789abcdef.css", "p{}")
        try one.change {
            $0.set(.archiveStatus, .string("full"))
            $0.set(.archivedAt, .string(archivedAt))
        }
    }

    @Test func `a page that only the other copy saved comes with its files`() throws {
        try savePage("<link href='assets/0123456789abcdef.css'>b", archivedAt: "2026-11-22T00:00:00.000Z", in: b)
        try merge(b, into: a)
        #expect(try a.scratch.text(a.folder + "/page.html").hasSuffix("b"))
        #expect(try a.names("assets") == ["0123456789abcdef.css"])
        try bothAreEqual()
    }

    @Test func `of two saved pages the newer stands, and the other one is a snapshot in both copies`() throws {
        try savePage("<p>by a", archivedAt: "2026-11-22T00:00:00.000Z", in: a)
        try savePage("<p>by b", archivedAt: "2026-11-23T00:00:00.000Z", in: b)
        try merge(b, into: a)
        #expect(try a.scratch.text(a.folder + "/page.html") == "<p>by b")
        #expect(try a.names("snapshots").count == 1)
        _ = try a.library.mergeBoth(path(b))
        #expect(try b.scratch.text(b.folder + "/page.html") == "<p>by b")
        for one in [a, b] {
            let name = try #require(try one.names("snapshots").first)
            #expect(try one.scratch.text(one.folder + "/snapshots/\(name)/page.html") == "<p>by a")
        }
    }

    @Test func `a page that one copy has as a snapshot is kept once`() throws {
        func save(_ text: String, _ day: Int, in one: Replica) throws {
            try one.save("page.html", text)
            try one.settle()
            try one.change {
                $0.set(.archiveStatus, .string("full"))
                $0.set(.archivedAt, .string("2026-11-2\(day)T00:00:00.000Z"))
            }
        }
        try save("<p>First.", 0, in: a)
        _ = try a.library.mergeBoth(path(b))
        let name = "20261121T000000Z-" + ContentHash(of: Array("<p>First.".utf8)).hex.prefix(8)
        try a.scratch.write(a.folder + "/snapshots/\(name)/page.html", "<p>First.")
        try save("<p>Second.", 1, in: a)
        _ = try a.library.mergeBoth(path(b))
        for one in [a, b] {
            #expect(try one.scratch.text(one.folder + "/page.html") == "<p>Second.")
            #expect(try one.names("snapshots") == [name])
        }
        try bothAreEqual()
    }

    @Test(arguments: [false, true]) func `both copies are equal at once though one keeps a page that lost once more`(
        _ isOther: Bool
    ) throws {
        let (one, two) = isOther ? (b, a) : (a, b)
        try savePage("<p>by both", archivedAt: "2026-11-21T00:00:00.000Z", in: one)
        try meetAll()
        try savePage("<p>by one", archivedAt: "2026-11-22T00:00:00.000Z", in: one)
        try savePage("<p>by two", archivedAt: "2026-11-23T00:00:00.000Z", in: two)
        for _ in 0..<2 { try meetAll() }
        for copy in [a, b] {
            #expect(try copy.scratch.text(copy.folder + "/page.html") == "<p>by two")
            // A person removes what lost. The device that has it under a second name keeps it again.
            if copy.scratch.exists(copy.folder + "/snapshots") {
                try FileManager.default.removeItem(atPath: copy.scratch.full(copy.folder + "/snapshots"))
            }
        }
        try a.change { $0.addTag("rye") }
        try bothAreEqual()
    }
}
