import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// Files in document/ beside the document: Documentation/Exchange.md § 7.
struct ExtraFileTests {
    private let fleet: Fleet
    private let id: ItemID
    private var a: SyncDevice { fleet[0] }
    private var b: SyncDevice { fleet[1] }
    private static let extra = "document/extra.txt"

    init() throws {
        fleet = try Fleet(1)
        id = try fleet[0].addPlan("Sow in May.")
        try fleet[0].sync()
        try fleet.add()
    }

    private func text(_ device: SyncDevice, _ name: String = extra) throws -> String? {
        device.scratch.exists(device.path(id, name)) ? try device.scratch.text(device.path(id, name)) : nil
    }

    /// All devices have a file with these words, or none has it, and no sync says more.
    private func expect(_ wanted: String?, _ name: String = extra, _ place: SourceLocation = #_sourceLocation) throws {
        try fleet.settle()
        for device in fleet.devices { #expect(try text(device, name) == wanted, sourceLocation: place) }
        try fleet.expectEqual(place)
        for device in fleet.devices {
            let report = try device.sync()
            #expect(report.hasNothing && report.left.isEmpty && report.taken.left.isEmpty, sourceLocation: place)
        }
    }

    @Test(arguments: [extra, "document/deep/er/extra.txt"], [false, true])
    func `edits and removals travel, also of one that two devices made alike`(_ name: String, _ isTwice: Bool) throws {
        try a.save(id, name, "First.")
        if isTwice { try b.save(id, name, "First.") }
        try expect("First.", name)
        try a.save(id, name, "Second.")
        try expect("Second.", name)
        try b.save(id, name, "Third.")
        try expect("Third.", name)
        try b.scratch.removeFile(b.path(id, name))
        try expect(nil, name)
        #expect(!a.scratch.exists(a.path(id, "document/deep")))
        try fleet.add()
        try a.save(id, name, "First.")
        try expect("First.", name)
        #expect(try text(b, "document/plan.txt") == "Sow in May.")
    }

    @Test(arguments: [false, true])
    func `one that comes before its document does not take its place`(_ isReplaced: Bool) throws {
        let words = isReplaced ? "Sow in June." : "Sow in May."
        if isReplaced { try a.save(id, "document/plan.txt", words) }
        try a.save(id, Self.extra, "Notes.")
        try a.sync()
        let digits = Items.ContentHash(of: Array(words.utf8)).hex
        let object = "exchange/objects/\(digits.prefix(2))/\(digits)"
        try fleet.scratch.rename(object, to: "held")
        let device = isReplaced ? b : try fleet.add()
        let report = try device.sync()
        #expect(
            report.left.contains { $0.path.hasSuffix(digits) } && report.left.contains { $0.path.hasSuffix(Self.extra) }
        )
        #expect(try text(device) == nil)
        #expect(try text(device, "document/plan.txt") == (isReplaced ? "Sow in May." : nil))
        try device.change(id) { $0.addTag("garden") }
        try device.sync()
        try a.sync()
        try fleet.scratch.rename("held", to: object)
        try expect("Notes.")
        try expect(words, "document/plan.txt")
        #expect(try device.scratch.names(device.path(id, "document")).count == 2)
        #expect(try a.stored(id).item.plainTags == ["garden"])
    }

    @Test func `of two edits both are kept, and the second one is listed until a person deletes it`() throws {
        try a.save(id, Self.extra, "First.")
        try fleet.settle()
        try a.save(id, Self.extra, "Second, here.")
        try b.save(id, Self.extra, "Second, there.")
        try a.sync()
        #expect(try b.sync().keptOwnFiles.count == 1)
        try fleet.settle()
        try fleet.expectEqual()
        let names = try a.scratch.names(a.path(id, "document")).filter { $0.hasPrefix("extra") }
        #expect(try Set(names.map { try text(a, "document/" + $0) }) == ["Second, here.", "Second, there."])
        let kept = try #require(names.first { $0.contains(".conflict-") })
        for device in fleet.devices {
            #expect(try device.library.store.lostDocuments(of: device.stored(id)).count == 1)
        }
        try a.scratch.removeFile(a.path(id, "document/" + kept))
        try expect(nil, "document/" + kept)
    }

    @Test func `an edit wins over a removal that did not see it`() throws {
        try a.save(id, Self.extra, "First.")
        try fleet.settle()
        try a.scratch.removeFile(a.path(id, Self.extra))
        try b.save(id, Self.extra, "Second.")
        try expect("Second.")
    }

    @Test(arguments: [nil, "Second."])
    func `one that is the document on one device, because the document was removed there, is so on all`(
        _ edit: String?
    ) throws {
        try a.save(id, Self.extra, "First.")
        try fleet.settle()
        try a.scratch.removeFile(a.path(id, "document/plan.txt"))
        if let edit { try b.save(id, Self.extra, edit) }
        try expect("First.")
        let names = try b.scratch.names(b.path(id, "document"))
        let texts = try Set(names.map { try text(b, "document/" + $0) })
        #expect(texts == Set(["First.", edit].compactMap(\.self)), "\(names)")
        try b.save(id, Self.extra, "Third.")
        try expect("Third.")
    }

    @Test func `a document that takes the name of one, and one that becomes the document`() throws {
        try a.save(id, Self.extra, "First.")
        try fleet.settle()
        try a.scratch.rename(a.path(id, Self.extra), to: a.path(id, "document/plan.txt"))
        try expect("First.", "document/plan.txt")
        try expect(nil)
        try b.save(id, Self.extra, "Second.")
        try expect("Second.")
        #expect(try text(a, "document/plan.txt") == "First.")
    }

    @Test func `a document with another name leaves none of the old one behind`() throws {
        try a.save(id, Self.extra, "First.")
        try fleet.settle()
        try a.scratch.write("other.txt", "Harvest.")
        _ = try a.library.change("attach") {
            try $0.attach(a.scratch.full("other.txt"), to: a.stored(id), .replace)
        }
        try expect("Harvest.", "document/other.txt")
        try expect(nil, "document/plan.txt")
        try expect("First.")
    }
}
