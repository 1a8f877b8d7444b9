import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// Documents that a program renamed, and repair.
struct RenamedRepairTests {
    @Test(arguments: [false, true], [false, true]) func `a renamed document is not missing under its old name`(
        _ hasVersions: Bool, _ isSynced: Bool
    ) throws {
        let worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        let fleet = try Fleet(1)
        let a = fleet[0]
        try a.scratch.write("plan.txt", "Sow in May.")
        let id = try a.library.change("add") { try $0.addDocument(at: a.scratch.full("plan.txt")) }
        try a.sync()
        try fleet.add()
        if hasVersions {
            try a.change(id) { $0.set(.title, .string("Plan")) }
            try fleet.settle()
        }
        try a.scratch.rename(a.path(id, "document/plan.txt"), to: a.path(id, "document/garden.txt"))
        if isSynced { try fleet.settle() }
        for device in fleet.devices {
            let report = try device.library.repair(from: [.exchange(device.exchange)], worker)
            #expect(report.repaired.isEmpty && report.lost.isEmpty, "\(report)")
        }
        try fleet.settle()
        for device in fleet.devices {
            #expect(try device.scratch.names(device.path(id, "document")) == ["garden.txt"])
            #expect(try device.stored(id).document?.path == "document/garden.txt")
            let report = try device.library.repair(from: [.exchange(device.exchange)], worker)
            #expect(report.repaired.isEmpty && report.lost.isEmpty, "\(report)")
        }
        try fleet.settle()
        try fleet.expectEqual()
    }
}
