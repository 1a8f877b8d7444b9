import Files
import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// Which file is the document while one is away, and what is never forgotten of it.
struct AwayDocumentTests {
    private let worker: CaptureWorker
    private let fleet: Fleet
    private let id: ItemID
    private var a: SyncDevice { fleet[0] }
    private static let plan = "document/plan.txt"
    private static let other = "document/plan.conflict-1acbf67f.txt"

    init() throws {
        worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        fleet = try Fleet(1)
        let a = fleet[0]
        id = try a.addPlan("The plan.")
        try a.sync()
    }

    private func rows() throws -> [Row] { try a.library.find(ItemRequest(a.library.parse("").query)).rows }

    private func drop() throws -> DropReport { try a.library.drop(rows(), to: [a.exchange], worker) }

    private func keep() throws -> DropReport { try a.library.keep(rows(), from: [a.exchange], worker) }

    private func reset() throws -> ExchangeReset { try a.library.empty(a.exchange, worker) }

    private func expectAway() throws {
        let stored = try a.stored(id)
        #expect(stored.document == nil && stored.isDocumentAway && stored.away?.documentPath == Self.plan)
        #expect(a.library.store.awayRecord(of: id)?.documentPath == Self.plan)
        let reset = try reset()
        #expect(reset.away == [id] && !reset.isDone)
    }

    @Test func `another file in the folder of a document that is away does not take its place`() throws {
        try a.save(id, Self.other, "Another plan.")
        try a.sync()
        #expect(try drop().done == [id])
        try expectAway()
        #expect(
            try a.library.check().run().findings.contains {
                if case .extraDocument = $0.kind { $0.path.hasSuffix(Self.other) } else { false }
            })
        try a.change(id) { $0.set(.title, .string("T")) }
        try a.sync()
        try expectAway()
        let b = try fleet.add()
        #expect(try b.scratch.text(b.path(id, Self.plan)) == "The plan.")
        #expect(try b.scratch.text(b.path(id, Self.other)) == "Another plan.")
        #expect(try keep().done == [id])
        try fleet.settle()
        try fleet.expectEqual()
        #expect(try a.scratch.text(a.path(id, Self.plan)) == "The plan.")
    }

    @Test(arguments: [true, false]) func `a file that comes after the document went does not take its place`(
        _ isNamed: Bool
    ) throws {
        if !isNamed { try a.change(id) { $0.remove(.documentRelativePath) } }
        try a.sync()
        #expect(try drop().done == [id])
        try a.save(id, "document/later.txt", "Later.")
        try a.sync()
        try expectAway()
        #expect(try keep().done == [id])
        #expect(try a.scratch.text(a.path(id, Self.plan)) == "The plan.")
    }

    @Test func `a document that is away and is an extra file now comes back, too`() throws {
        #expect(try drop().done == [id])
        try a.save(id, "document/new.txt", "New.")
        try a.change(id) { $0.set(.documentRelativePath, .string("document/new.txt")) }
        #expect(try a.stored(id).document?.path == "document/new.txt")
        try a.sync()
        let left = try drop().left
        #expect(left.count == 1)
        #expect(try reset().away == [id])
        #expect(try keep().done == [id])
        #expect(try a.scratch.text(a.path(id, Self.plan)) == "The plan.")
        #expect(try a.scratch.text(a.path(id, "document/new.txt")) == "New.")
        try a.sync()
        #expect(try drop().done == [id])
    }

    @Test(arguments: [true, false]) func `an exchange is not emptied of a document whose record is lost`(
        _ hasOther: Bool
    ) throws {
        if hasOther { try a.save(id, Self.other, "Another plan.") }
        try a.sync()
        #expect(try drop().done == [id])
        try a.scratch.removeFile("library/.sbfs/" + Layout.awayRecord(id))
        #expect(try reset().away == [id])
        try a.change(id) { $0.set(.title, .string("T")) }
        try a.sync()
        let reset = try reset()
        #expect(reset.away == [id] && !reset.isDone)
    }

    @Test func `a document whose record is lost comes back although another file is in its folder`() throws {
        try a.save(id, Self.other, "Another plan.")
        try a.sync()
        #expect(try drop().done == [id])
        try a.scratch.removeFile("library/.sbfs/" + Layout.awayRecord(id))
        #expect(try keep().done == [id])
        #expect(try a.scratch.text(a.path(id, Self.plan)) == "The plan.")
    }

    @Test func `an exchange is not emptied of an item whose folder is gone`() throws {
        try FileManager.default.removeItem(atPath: a.scratch.full("library/" + Layout.itemFolder(id)))
        #expect(try reset().away == [id])
    }

    @Test func `an exchange is emptied if everything is here, also a document with another name`() throws {
        try a.scratch.rename(a.path(id, Self.plan), to: a.path(id, "document/renamed.txt"))
        #expect(try reset().isDone)
    }

    @Test func `one that no exchange has any more is named by each sync until it is taken out`() throws {
        let b = try fleet.add()
        #expect(try drop().done == [id])
        let rows = try b.library.find(ItemRequest(b.library.parse("").query)).rows
        #expect(try b.library.drop(rows, to: [b.exchange], worker).done == [id])
        let digits = Items.ContentHash(of: Array("The plan.".utf8)).hex
        try fleet.scratch.removeFile("exchange/objects/\(digits.prefix(2))/\(digits)")
        for _ in 0..<2 {
            let left = try a.sync().left
            #expect(left.count == 1 && left[0].path.hasSuffix(digits) && left[0].reason == .notHereYet)
            #expect(left.first?.lacking?.item == id && left.first?.lacking?.file == Self.plan)
        }
        #expect(throws: ItemError.self) {
            try a.library.change("detach") { try $0.detachDocument(from: a.stored(id)) }
        }
        _ = try a.library.change("detach") { try $0.detachDocument(from: a.stored(id), isLost: true) }
        try fleet.settle()
        for device in fleet.devices {
            let stored = try device.stored(id)
            #expect(stored.document == nil && !stored.isDocumentAway && stored.item.documentRelativePath == nil)
            #expect(try device.sync().left.isEmpty)
        }
    }

    @Test(arguments: [false, true]) func `one that no exchange has any more comes back from another copy`(
        _ isDry: Bool
    ) throws {
        let copy = try ScratchDirectory()
        try a.shell("cp -a '\(a.scratch.full("library"))' '\(copy.full("copy"))'")
        #expect(try drop().done == [id])
        func repair() throws -> RepairReport {
            try a.library.repair(
                from: [.copy(copy.full("copy"))], besides: [a.exchange], worker, isDry ? .dry : .real)
        }
        #expect(try repair().repaired.isEmpty)
        let digits = Items.ContentHash(of: Array("The plan.".utf8)).hex
        try fleet.scratch.removeFile("exchange/objects/\(digits.prefix(2))/\(digits)")
        let report = try repair()
        try #require(report.repaired.count == 1)
        #expect(report.repaired[0].path.hasSuffix(Self.plan) && report.repaired[0].isMissing)
        #expect(try a.stored(id).isDocumentAway == isDry)
        if isDry { return }
        #expect(try a.scratch.text(a.path(id, Self.plan)) == "The plan.")
        #expect(a.library.store.awayRecord(of: id)?.document == nil)
        let b = try fleet.add()
        #expect(try a.sync().left.isEmpty)
        #expect(try b.sync().left.isEmpty && b.scratch.text(b.path(id, Self.plan)) == "The plan.")
        try copy.removeFile("copy/" + Layout.itemFolder(id) + "/" + Self.plan)
        #expect(try repair().lost.isEmpty)
    }
}
