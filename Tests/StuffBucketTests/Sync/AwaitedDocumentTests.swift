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
        try a.save(id, "page.html", "<p>A page.")
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

    /// The other device replaces the document, and this one waits for it and edits the item.
    private func waitForReplaced() throws -> String {
        let (a, b) = (fleet[0], fleet[1])
        try show()
        try fleet.settle()
        try a.scratch.write("new.txt", "The new plan.")
        _ = try a.library.change("attach") { try $0.attach(a.scratch.full("new.txt"), to: a.stored(id), .replace) }
        try a.sync()
        let hash = ContentHash(of: Array("The new plan.".utf8))
        let replaced = "exchange/" + ExchangeLayout.object(hash, .raw)
        try fleet.scratch.rename(replaced, to: "hidden")
        try b.sync()
        try b.change(id) { $0.addTag("later") }
        try b.sync()
        return replaced
    }

    private func expectNewPlan() throws {
        try fleet.expectEqual()
        for device in fleet.devices {
            let folder = device.path(id, "document")
            #expect(
                try device.scratch.names(folder).map { try device.scratch.text(folder + "/" + $0) } == ["The new plan."]
            )
            #expect(try device.stored(id).item.tags == ["later"])
        }
    }

    @Test(arguments: [true, false])
    func `a device that joins later has the one that another device waits for`(isThere: Bool) throws {
        let object = try waitForReplaced()
        if isThere { try fleet.scratch.rename("hidden", to: object) }
        let c = try fleet.add()
        if !isThere {
            try c.sync()
            try fleet.scratch.rename("hidden", to: object)
        }
        // The device that wrote it comes last.
        for device in [c, fleet[1], c] { try device.sync() }
        #expect(try c.scratch.names(c.path(id, "document")) == ["new.txt"])
        try fleet.settle()
        try expectNewPlan()
    }

    /// Each of them takes the earlier document from the device that waits, and says what it waits for.
    @Test(arguments: [true, false])
    func `the earlier one gives way also on a device that only reads`(isReadOnly: Bool) throws {
        let c = isReadOnly ? try fleet.addReading() : try fleet.add()
        let object = try waitForReplaced()
        try c.sync()
        #expect(try c.status().unfinished.contains { object.hasSuffix($0) })
        #expect(try documents(c) == ["The plan."])
        try fleet.scratch.rename("hidden", to: object)
        try c.sync()
        try fleet.settle()
        try expectNewPlan()
        #expect(try c.status().unfinished.isEmpty)
    }

    @Test func `a third device knows that it waits for a document that won a join`() throws {
        let fleet = try Fleet(3)
        let (a, b, c) = (fleet[0], fleet[1], fleet[2])
        let id = try a.library.change("add") { try $0.addSnippet("Text.") }
        try fleet.settle()
        for (device, text) in [(b, "By b."), (c, "By c.")] {
            try device.scratch.write("plan.txt", text)
            _ = try device.library.change("attach") {
                try $0.attach(device.scratch.full("plan.txt"), to: device.stored(id), .refuse)
            }
            usleep(20_000)
        }
        try c.sync()
        let object = "exchange/" + ExchangeLayout.object(ContentHash(of: Array("By c.".utf8)), .raw)
        try fleet.scratch.rename(object, to: "hidden")
        for device in [b, a] {
            #expect(try device.sync().left.contains { object.hasSuffix($0.path) })
        }
        #expect(throws: ItemError.self) {
            _ = try a.library.change("detach") { try $0.detachDocument(from: a.stored(id)) }
        }
        try a.save(id, "document/plan.txt", "By a.")
        try a.sync()
        try fleet.scratch.rename("hidden", to: object)
        try fleet.settle()
        try fleet.expectEqual()
        let folder = a.path(id, "document")
        let texts = try a.scratch.names(folder).map { try a.scratch.text(folder + "/" + $0) }
        #expect(Set(texts) == ["By a.", "By b.", "By c."])
    }

    private func documents(_ device: SyncDevice) throws -> [String] {
        let folder = device.path(id, "document")
        return try device.scratch.names(folder).map { try device.scratch.text(folder + "/" + $0) }.sorted()
    }

    @Test(arguments: ["Mine.", "Yours.", "Ours.", "Theirs."])
    func `a file that a person puts in its place stands beside it`(_ text: String) throws {
        try fleet[1].save(id, "document/own.txt", text)
        try fleet[1].sync()
        try fleet[0].sync()
        try show()
        try fleet.settle()
        try fleet.expectEqual()
        for device in fleet.devices { #expect(try documents(device) == [text, "The plan."].sorted()) }
        // No version names a file twice.
        let history = fleet[0].path(id, "history")
        let versions = try fleet[0].scratch.names(history).map { try fleet[0].scratch.text(history + "/" + $0) }
        #expect(versions.contains { $0.contains("page.html") })
        #expect(versions.allSatisfy { $0.components(separatedBy: "\"page.html\"").count <= 2 })
    }

    @Test(arguments: ["Mine.", "Yours.", "Ours.", "Theirs."])
    func `so does an edit of the earlier one`(_ text: String) throws {
        let object = try waitForReplaced()
        try fleet[1].save(id, "document/plan.txt", text)
        try fleet[1].sync()
        try fleet[0].sync()
        try fleet.scratch.rename("hidden", to: object)
        try fleet.settle()
        try fleet.expectEqual()
        for device in fleet.devices { #expect(try documents(device) == [text, "The new plan."].sorted()) }
    }

    @Test func `what never comes can be taken out`() throws {
        let b = fleet[1]
        _ = try b.library.change("detach") { try $0.detachDocument(from: b.stored(id), isLost: true) }
        #expect(try b.sync().left.isEmpty)
        try attach(.refuse)
        #expect(try b.scratch.text(b.path(id, "document/new.txt")) == "Other.")
    }
}
