import Foundation
import Items
import StuffBucket
import TestSupport
import Testing

/// A tool brings a document that was taken out of an item: Documentation/Merge.md § 2, rule 8.
struct DetachedReturnsTests: TwoCopies {
    let a: Replica, b: Replica
    private static let name = "plan.txt"

    init() throws {
        (a, b) = try Replica.pair()
        try attach("Plan.", to: a)
        try meetAll()
        try a.library.change("detach") { try $0.detachDocument(from: a.stored) }
    }

    private var hasDocuments: [Bool] {
        get throws { try [a, b].map { try $0.stored.document != nil || !$0.names("document").isEmpty } }
    }

    @Test func `it does not come back where copies meet in both directions, and is kept`() throws {
        try meetAll()
        #expect(try hasDocuments == [false, false])
        let notice = a.library.takeNotices().first { $0.code == "detached_returned" }
        guard case .detachedReturned(Replica.id, let kept)? = notice else {
            Issue.record("nothing says that the document came back")
            return
        }
        #expect(try a.scratch.text("library/" + kept) == "Plan.")
        #expect(b.library.takeNotices().allSatisfy { $0.code != "detached_returned" })
    }

    @Test func `one that was edited elsewhere meanwhile is kept as a lost document`() throws {
        try b.save("document/" + Self.name, "Plan of b.")
        try b.settle()
        try meetAll()
        for one in [a, b] {
            #expect(try one.stored.document == nil)
            let names = try one.names("document")
            try #require(names.count == 1 && names[0].contains(".conflict-"), "\(names)")
            #expect(try document(one, names[0]) == "Plan of b.")
        }
    }

    @Test func `one that a person saves again is the document everywhere`() throws {
        try meetAll()
        try a.save("document/" + Self.name, "Plan.")
        try a.settle()
        try meetAll()
        for one in [a, b] { #expect(try one.stored.document?.name == Self.name && document(one, Self.name) == "Plan.") }
    }

    @Test func `it stays where a device reads the item for the first time`() throws {
        try a.save("document/" + Self.name, "Plan.")
        let time = try #require(try a.stored.item.createdAt ?? a.stored.item.updatedAt).milliseconds / 1000
        try a.scratch.setModified(a.folder + "/document/" + Self.name, seconds: Int(time))
        let copy = try Replica(copyOf: a)
        try copy.settle()
        #expect(try document(copy, Self.name) == "Plan.")
    }

    @Test(arguments: [false, true]) func `one that was deleted first stays away`(_ isSettled: Bool) throws {
        try attach("Another.", to: a)
        try meetAll()
        #expect(try hasDocuments == [true, true])
        try a.scratch.removeFile(a.folder + "/document/" + Self.name)
        if isSettled { try a.settle() }
        try a.library.change("detach") { try $0.detachDocument(from: a.stored) }
        try meetAll()
        #expect(try hasDocuments == [false, false])
        #expect(try a.files() == b.files())
    }
}
