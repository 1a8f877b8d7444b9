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

    /// An item that was renamed on one device, edited on the other one, united and then changed once more.
    @Test(arguments: [false, true]) func `an item that comes back has what its newest version names, and no more`(
        _ isDetached: Bool
    ) throws {
        let worker = try CaptureWorker(path: BuiltProgram.path("sbfs-worker"))
        let fleet = try Fleet(1)
        let a = fleet[0]
        let id = try a.addPlan("Sow in May.")
        try a.sync()
        let b = try fleet.add()
        try a.scratch.rename(a.path(id, "document/plan.txt"), to: a.path(id, "document/garden.txt"))
        try b.save(id, "document/plan.txt", "Sow in April.")
        try fleet.settle()
        for name in try b.scratch.names(b.path(id, "document")) where name.contains(".conflict-") {
            try b.scratch.removeFile(b.path(id, "document/" + name))
        }
        try fleet.settle()
        if isDetached {
            _ = try a.library.change("detach") { try $0.detachDocument(from: a.stored(id)) }
        } else {
            try a.scratch.write("other.txt", "Harvest.")
            _ = try a.library.change("attach") {
                try $0.attach(a.scratch.full("other.txt"), to: a.stored(id), .replace)
            }
        }
        try a.save(id, "own.md", "Own.")
        try fleet.settle()
        try fleet.expectEqual()
        try a.shell("rm -r '\(a.scratch.full(a.path(id, "")))'")
        let report = try a.library.repair(from: [.exchange(a.exchange)], worker)
        #expect(report.broughtBack == [id])
        try fleet.expectEqual()
        let before = try fleet.names()
        try fleet.settle()
        try fleet.expectEqual()
        #expect(try fleet.names().count == before.count)
    }
}
