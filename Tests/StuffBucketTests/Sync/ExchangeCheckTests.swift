import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// A reading of everything that an exchange holds finds each flipped bit and each missing file, and the next syncs mend them.
struct ExchangeCheckTests {
    private let worker: CaptureWorker
    private let fleet: Fleet
    private let id: ItemID
    private var a: SyncDevice { fleet[0] }

    init() throws {
        worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        fleet = try Fleet(1)
        let a = fleet[0]
        try a.scratch.write("plan.txt", "Sow in May.")
        id = try a.library.change("add") { try $0.addDocument(at: a.scratch.full("plan.txt")) }
        try a.save(id, "page.html", "<p>Bread of the house</p>")
        try a.sync()
        try fleet.add()
        try fleet[1].change(id) { $0.addTag("may") }
        try fleet.settle()
    }

    private func check(_ device: SyncDevice) throws -> ExchangeCheckReport {
        try device.library.check(device.exchange, worker)
    }

    /// The packs that the heads name.
    private func named() throws -> Set<String> {
        let heads = try fleet.names().filter { $0.hasPrefix("heads/") }.joined()
        return try Set(fleet.objects(".tar.zst").filter { heads.contains($0.split(separator: "/")[2].prefix(64)) })
    }

    @Test func `a sound exchange has no faults, and every object is read`() throws {
        for device in fleet.devices {
            let report = try check(device)
            #expect(report.faults.isEmpty, "\(report.faults)")
            // With the two heads.
            #expect(try report.objectCount == fleet.objects().count + 2)
        }
    }

    @Test(arguments: [false, true]) func `each object with a flipped bit or without its file is named and mended`(
        _ isRemoved: Bool
    ) throws {
        let packs = try named()
        for object in try fleet.objects() {
            for number in [0, 1] {
                let path = "exchange/" + object
                // Its device wrote everything once more meanwhile.
                if try packs.contains(object) && !named().contains(object) { continue }
                if isRemoved {
                    try fleet.scratch.removeFile(path)
                } else {
                    var bytes = try fleet.scratch.bytes(path)
                    bytes[bytes.count / 2] ^= 4
                    try fleet.scratch.write(path, bytes)
                }
                let report = try check(fleet[number])
                #expect(report.faults.map(\.path) == [object], "\(object): \(report.faults)")
                try fleet.settle()
                for device in fleet.devices {
                    let after = try check(device).faults
                    #expect(after.isEmpty, "\(object) after \(number): \(after)")
                }
            }
        }
        let joining = try fleet.add()
        #expect(try joining.scratch.text(joining.path(id, "document/plan.txt")) == "Sow in May.")
        try fleet.settle()
        try fleet.expectEqual()
    }

    @Test(arguments: [0, 1]) func `a damaged head is named, and its device writes it again`(_ number: Int) throws {
        let head = try #require(try a.status().device).description
        let path = "exchange/heads/\(head).json"
        try fleet.scratch.write(path, Array("{".utf8))
        #expect(try check(fleet[number]).faults.map(\.path) == ["heads/\(head).json"])
        try fleet.settle()
        #expect(try check(fleet[number]).faults.isEmpty)
    }
}
