import Files
import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// Items and small files of a device whose JSON cannot be read: nothing of them travels, and an exchange gives back what they were.
struct BrokenItemTests {
    private let worker: CaptureWorker
    private let fleet: Fleet
    private let id: ItemID
    private var a: SyncDevice { fleet[0] }
    private var b: SyncDevice { fleet[1] }

    /// What happened to a JSON file.
    enum Fault: CaseIterable {
        case emptied, zeroed, cut, keyTwice

        func applied(to bytes: [UInt8]) -> [UInt8] {
            switch self {
            case .emptied: []
            case .zeroed: Array(repeating: 0, count: bytes.count)
            case .cut: Array(bytes.prefix(bytes.count / 2))
            case .keyTwice: Array("{\n  \"title\": \"One\",\n  \"title\": \"Two\",".utf8) + bytes.dropFirst()
            }
        }
    }

    init() throws {
        worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        fleet = try Fleet(1)
        id = try fleet[0].library.change("add") { try $0.addSnippet("Sow in May.") }
        try fleet[0].change(id) { $0.set(.title, .string("Plan")) }
        try fleet[0].sync()
        try fleet.add()
    }

    private func breakItem(_ fault: Fault) throws {
        let path = a.path(id, "item.json")
        try a.scratch.write(path, fault.applied(to: a.scratch.bytes(path)))
    }

    @Test(arguments: Fault.allCases) func `a broken item json does not travel, and repair brings it back`(
        _ fault: Fault
    ) throws {
        let whole = try a.scratch.bytes(a.path(id, "item.json"))
        try breakItem(fault)
        for _ in 0..<2 {
            #expect(try a.sync().unreadable == [id])
            #expect(try b.sync().taken.joined.isEmpty)
        }
        #expect(try b.scratch.bytes(b.path(id, "item.json")) == whole)
        let report = try a.library.repair(from: [.exchange(a.exchange)], worker)
        #expect(try a.scratch.bytes(a.path(id, "item.json")) == whole, "\(report)")
        #expect(try a.sync().unreadable.isEmpty)
        try fleet.settle()
    }

    @Test(arguments: Fault.allCases) func `an edit from elsewhere arrives after a broken item json is repaired`(
        _ fault: Fault
    ) throws {
        try breakItem(fault)
        try b.change(id) { $0.set(.title, .string("Plan of the second device")) }
        try b.sync()
        _ = try a.sync()
        _ = try a.library.repair(from: [.exchange(a.exchange)], worker)
        try fleet.settle()
        try fleet.expectEqual()
        #expect(try a.stored(id).item.title == "Plan of the second device")
    }

    @Test(arguments: Fault.allCases) func `a broken smart folder does not travel, and repair brings it back`(
        _ fault: Fault
    ) throws {
        try a.library.change("smart") { try $0.addNamed(.smart, "Plans", [("query", .string("plan"))]) }
        try fleet.settle()
        let name = try #require(try a.library.store.names(in: "smart").first)
        let whole = try b.scratch.bytes("library/smart/" + name)
        try a.scratch.write("library/smart/" + name, fault.applied(to: whole))
        for _ in 0..<2 { #expect(try a.sync().damaged == ["smart/" + name]) }
        #expect(try b.sync().taken.smallFiles.isEmpty)
        #expect(try b.scratch.bytes("library/smart/" + name) == whole)
        #expect(
            try a.library.repair(from: [.exchange(a.exchange)], worker, .dry).repaired.map(\.path) == ["smart/" + name])
        #expect(try a.library.repair(from: [.exchange(a.exchange)], worker).repaired.map(\.path) == ["smart/" + name])
        #expect(try a.scratch.bytes("library/smart/" + name) == whole)
        #expect(try a.sync().damaged.isEmpty)
    }

    @Test(arguments: Fault.allCases)
    func `an item json that cannot be read comes back from history without another copy`(
        _ fault: Fault
    ) throws {
        try a.change(id) { $0.set(.title, .string("Not written to any exchange")) }
        let whole = try a.scratch.bytes(a.path(id, "item.json"))
        try breakItem(fault)
        #expect(
            try a.library.repair(from: [], worker, .dry).repaired.map(\.path) == [Layout.itemFolder(id) + "/item.json"])
        let report = try a.library.repair(from: [], worker)
        #expect(report.repaired.map(\.path) == [Layout.itemFolder(id) + "/item.json"] && report.unreadable.isEmpty)
        #expect(try a.scratch.bytes(a.path(id, "item.json")) == whole)
        #expect(try a.library.repair(from: [], worker).repaired.isEmpty)
    }

    @Test(arguments: [false, true])
    func `an item json that cannot be read and has no version comes back if this device knows it, else it is named`(
        isKnown: Bool
    ) throws {
        let other = try a.library.change("add") { try $0.addSnippet("Another one.") }
        let path = Layout.itemFolder(other) + "/item.json"
        let whole = try a.scratch.bytes("library/" + path)
        try a.scratch.write("library/" + path, "{")
        if !isKnown { try FileManager.default.removeItem(atPath: a.scratch.full("library/.sbfs/states")) }
        let report = try a.library.repair(from: [], worker)
        #expect(report.unreadable == (isKnown ? [] : [path]), "\(report)")
        #expect(report.repaired.map(\.path) == (isKnown ? [path] : []), "\(report)")
        #expect(try a.scratch.bytes("library/" + path) == (isKnown ? whole : [UInt8(ascii: "{")]))
    }

    @Test func `a damaged file of history comes back from the packs of an exchange`() throws {
        let folder = a.path(id, "history")
        let names = try a.scratch.names(folder)
        #expect(!names.isEmpty)
        var whole: [String: [UInt8]] = [:]
        for name in names {
            whole[name] = try a.scratch.bytes(folder + "/" + name)
            try Damage.flipped.happen(to: folder + "/" + name, in: a.scratch)
        }
        let report = try a.library.repair(from: [.exchange(a.exchange)], worker)
        #expect(report.repaired.count == names.count && report.lost.isEmpty, "\(report)")
        for name in names { #expect(try a.scratch.bytes(folder + "/" + name) == whole[name]) }
        try fleet.settle()
        try fleet.expectEqual()
    }
}
