import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// A person ends the conflict of a document, and undoes that. DeviceFiles.md § D6.
struct UndoneFileChoiceTests {
    private let fleet: Fleet
    private let id: ItemID
    private var device: SyncDevice { fleet[0] }

    enum Choice: CaseIterable {
        case first, second, both

        var resolution: ConflictResolution {
            switch self {
            case .first: .take(0)
            case .second: .take(1)
            case .both: .both
            }
        }
    }

    /// Two devices replaced the document, and met.
    init() throws {
        (fleet, id) = try Fleet.withTwoDocuments(at: "document/plan.txt")
        try fleet.settle()
    }

    private func documents(_ device: SyncDevice) throws -> [String: String] {
        let names = try device.scratch.names(device.path(id, "document"))
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                (
                    name.contains(".conflict-") ? "lost" : name,
                    try device.scratch.text(device.path(id, "document/" + name))
                )
            })
    }

    private func resolve(_ choice: Choice) throws -> Int {
        let stored = try device.stored(id)
        let lost = try #require(try device.library.conflicts(of: stored).documents.first)
        let path = String(lost.dropFirst(stored.folder.count + 1))
        _ = try device.library.change("resolve") { try $0.resolve(lostFile: path, in: stored, choice.resolution) }
        let step = try #require(try device.library.history()?.undoable.first)
        #expect(step.header.command == "resolve")
        return step.number
    }

    private func expectConflict(_ before: [String: String], _ count: Int) throws {
        for device in fleet.devices {
            #expect(try documents(device) == before)
            #expect(try device.library.conflicts(of: device.stored(id)).count == count)
        }
    }

    @Test(arguments: Choice.allCases, [false, true])
    func `the conflict is there again, on both devices`(_ choice: Choice, _ isSynced: Bool) throws {
        let before = try documents(device)
        #expect(before.count == 2)
        let step = try resolve(choice)
        #expect(try device.library.conflicts(of: device.stored(id)).count == 0)
        if isSynced { try fleet.settle() }
        let report = try device.library.undo([step], StepHeader(command: "undo"))
        #expect(report.leftCount == 0 && report.changedItemCount == 1)
        #expect(try documents(device) == before)
        #expect(try device.library.conflicts(of: device.stored(id)).count == 1)
        try fleet.settle()
        try expectConflict(before, 1)
        try fleet.expectEqual()
    }

    @Test(arguments: Choice.allCases)
    func `redo ends it, and it can be undone once more`(_ choice: Choice) throws {
        let before = try documents(device)
        let step = try resolve(choice)
        let after = try documents(device)
        for _ in 0..<2 {
            let header = StepHeader(command: "undo")
            #expect(try device.library.undo([step], header).leftCount == 0)
            #expect(try documents(device) == before)
            let redoable = try #require(try device.library.history()?.redoable)
            #expect(try device.library.redo(redoable, StepHeader(command: "redo")).leftCount == 0)
            #expect(try documents(device) == after)
            #expect(try device.library.conflicts(of: device.stored(id)).count == 0)
        }
        try fleet.settle()
        try expectConflict(after, 0)
    }

    @Test func `when all conflict names were used, undo says so and changes nothing`() throws {
        let before = try documents(device)
        for count in 1...8 {
            let step = try resolve(.second)
            let after = try documents(device)
            let report = try device.library.undo([step], StepHeader(command: "undo"))
            #expect(report.leftCount == (count < 8 ? 0 : 1))
            #expect(try documents(device) == (count < 8 ? before : after))
        }
    }

    @Test func `a file that a program changed since stays`() throws {
        let step = try resolve(.both)
        try device.save(id, "document/plan 2.txt", "By hand.")
        let report = try device.library.undo([step], StepHeader(command: "undo"))
        #expect(report.leftCount == 1)
        #expect(try documents(device)["plan 2.txt"] == "By hand.")
    }
}
