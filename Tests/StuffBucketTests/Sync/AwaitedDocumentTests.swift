import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// A document that a sync waits for: its item came, and its object did not. Documentation/Exchange.md § 7.
struct AwaitedDocumentTests {
    private let fleet: Fleet
    private let id: ItemID
    private let object: String

    init() throws {
        fleet = try Fleet(1)
        let a = fleet[0]
        id = try a.addPlan("The plan.")
        try a.sync()
        let place = try #require(try a.library.syncFolder(a.exchange))
        let file = try #require(place.states(id.shard)[id]?.files.first)
        object = "exchange/" + ExchangeLayout.object(file.sha256, .raw)
        try fleet.scratch.rename(object, to: "hidden")
        try fleet.add()
        try fleet[1].scratch.write("new.txt", "Other.")
    }

    private func show() throws { try fleet.scratch.rename("hidden", to: object) }

    private func attach(_ existing: Step.ExistingDocument) throws {
        let b = fleet[1]
        _ = try b.library.change("attach") { try $0.attach(b.scratch.full("new.txt"), to: b.stored(id), existing) }
    }

    private func expectRefusal(_ work: () throws -> Void) {
        do {
            try work()
            Issue.record("nothing was refused")
        } catch ItemError.refused(.notArrived(id, path: "document/plan.txt")) {
        } catch {
            Issue.record(error)
        }
    }

    @Test func `no command replaces it before it is here, and the item stays as it is`() throws {
        let b = fleet[1]
        let before = try b.files()
        expectRefusal { try attach(.replace) }
        expectRefusal { try attach(.refuse) }
        expectRefusal {
            _ = try b.library.change("detach") { try $0.detachDocument(from: b.stored(id)) }
        }
        #expect(try b.files() == before)
        try show()
        try fleet.settle()
        try fleet.expectEqual()
        #expect(try b.scratch.text(b.path(id, "document/plan.txt")) == "The plan.")
        try attach(.replace)
        try fleet.settle()
        try fleet.expectEqual()
        #expect(try fleet[0].scratch.text(fleet[0].path(id, "document/new.txt")) == "Other.")
    }

    @Test func `what never comes can be taken out`() throws {
        let b = fleet[1]
        _ = try b.library.change("detach") { try $0.detachDocument(from: b.stored(id), isLost: true) }
        try attach(.refuse)
        #expect(try b.scratch.text(b.path(id, "document/new.txt")) == "Other.")
    }
}
