import Foundation
import Glibc
import Items
import StuffBucket
import TestSupport
import Testing

/// A device on which a folder of before came back, with a document that is not the last one: Documentation/Exchange.md § 7.
struct OutdatedDocumentTests {
    /// How the other device got another document.
    enum Way: CaseIterable { case detached, replaced }

    private let fleet: Fleet
    private let id: ItemID

    init() throws {
        fleet = try Fleet(1)
        id = try fleet[0].addPlan("one")
        try fleet[0].sync()
        try fleet.add()
        try fleet[0].sync()
    }

    private func files(_ device: SyncDevice) throws -> [String] {
        let folder = device.path(id, "document")
        return try device.scratch.names(folder).map { try device.scratch.text(folder + "/" + $0) }
    }

    /// Lets the other device have the document "two", puts the item's folder of before back on the first one, and syncs that until the
    /// document is missing here.
    private func putBack(_ way: Way) throws {
        let (a, b) = (fleet[0], fleet[1])
        let item = a.scratch.full("library/" + Layout.itemFolder(id)), kept = a.scratch.full("kept")
        try a.shell("cp -a '\(item)' '\(kept)'")
        usleep(2_100_000)
        switch way {
        case .detached:
            _ = try a.library.change("detach") { try $0.detachDocument(from: a.stored(id)) }
            try a.sync()
            try b.save(id, "document/own.txt", "two")
        case .replaced:
            try b.scratch.write("new.txt", "two")
            _ = try b.library.change("attach") { try $0.attach(b.scratch.full("new.txt"), to: b.stored(id), .replace) }
        }
        usleep(2_100_000)
        for device in [b, a, b] { try device.sync() }
        #expect(try files(a) == ["two"])
        try a.shell("rm -r '\(item)' && mv '\(kept)' '\(item)'")
        usleep(2_100_000)
    }

    @Test func `a copy of before with new times stands, and the other device keeps the later document and says where`()
        throws
    {
        let (a, b) = (fleet[0], fleet[1])
        let item = a.scratch.full("library/" + Layout.itemFolder(id)), kept = a.scratch.full("kept")
        try a.shell("cp -a '\(item)' '\(kept)'")
        usleep(1_100_000)
        try b.scratch.write("new.txt", "two")
        _ = try b.library.change("attach") { try $0.attach(b.scratch.full("new.txt"), to: b.stored(id), .replace) }
        for device in [b, a, b] { try device.sync() }
        usleep(1_100_000)
        try a.shell("rm -r '\(item)' && cp -r '\(kept)' '\(item)'")
        for device in [a, b] { _ = device.library.takeNotices() }
        try fleet.settle()
        try fleet.expectEqual()
        for device in fleet.devices { #expect(try files(device) == ["one"]) }
        let notices = b.library.takeNotices().compactMap { notice -> String? in
            if case .wentBack(id, _, let kept) = notice { kept } else { nil }
        }
        #expect(notices.count == 1)
        for path in notices { #expect(try b.scratch.text("library/" + path) == "two") }
    }

    @Test(arguments: Way.allCases)
    func `the last document comes from the exchange`(_ way: Way) throws {
        try putBack(way)
        try fleet.settle()
        try fleet.expectEqual()
        for device in fleet.devices {
            #expect(try files(device) == ["two"])
            #expect(try device.library.conflicts(of: device.stored(id)).documents.isEmpty)
        }
    }

    @Test func `it comes also where the first document, which no version has, takes its place`() throws {
        let (a, b) = (fleet[0], fleet[1]), path = b.scratch.full(b.path(id, "document/plan.txt"))
        try b.shell("cp -p '\(path)' '\(b.scratch.full("kept"))'")
        for text in ["newer", "newest"] {
            usleep(2_100_000)
            try a.save(id, "document/plan.txt", text)
            try fleet.settle()
        }
        try b.shell("cp -p '\(b.scratch.full("kept"))' '\(path)'")
        usleep(2_100_000)
        try fleet.settle()
        try fleet.expectEqual()
        for device in fleet.devices { #expect(try files(device) == ["newest"]) }
    }

    @Test func `while the exchange lacks it, edits travel, and it comes once it is there`() throws {
        try putBack(.detached)
        let hash = ContentHash(of: Array("two".utf8)).hex
        let path = try #require(try fleet.objects().first { $0.contains(hash) })
        try fleet.scratch.rename("exchange/" + path, to: "away")
        try fleet[0].sync()
        try fleet[0].change(id) { $0.addTag("plan") }
        try fleet[0].sync()
        #expect(try files(fleet[0]) == ["one"])
        try fleet[1].sync()
        #expect(try fleet[1].stored(id).item.tags == ["plan"])
        #expect(try files(fleet[1]) == ["two"])
        try fleet.settle()
        try fleet.expectEqual()
        #expect(try files(fleet[0]) == ["two"])
    }
}
