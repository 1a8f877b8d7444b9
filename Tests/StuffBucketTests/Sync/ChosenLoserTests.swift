import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// A person ends the conflict of a document by moving the one that lost over the one that won. Documentation/Merge.md § 2.
struct ChosenLoserTests {
    private let fleet: Fleet
    private let id: ItemID
    private static let document = "document/plan.txt"

    /// Two devices replaced the document, and met.
    init() throws {
        (fleet, id) = try Fleet.withTwoDocuments(at: Self.document)
        try fleet.settle()
    }

    /// - Returns: the text of the document that lost.
    private func choose(_ device: SyncDevice, as document: String = document) throws -> String {
        let lost = try #require(
            try device.scratch.names(device.path(id, "document")).first { $0.contains(".conflict-") })
        let text = try device.scratch.text(device.path(id, "document/" + lost))
        if document != Self.document { try device.scratch.removeFile(device.path(id, Self.document)) }
        try device.scratch.rename(device.path(id, "document/" + lost), to: device.path(id, document))
        return text
    }

    private func expect(_ text: String, in document: String = document) throws {
        try fleet.settle()
        for device in fleet.devices {
            #expect(try device.scratch.text(device.path(id, document)) == text)
            #expect(try device.library.conflicts(of: device.stored(id)).count == 0)
        }
        try fleet.expectEqual()
    }

    @Test(arguments: [0, 1], [false, true]) func `it is the document on both devices`(
        _ number: Int, _ isChangedFirst: Bool
    ) throws {
        let text = try choose(fleet[number])
        if isChangedFirst { try fleet[number].change(id) { $0.addTag("may") } }
        try expect(text)
        try fleet[1 - number].change(id) { $0.set(.title, .string("Plan")) }
        try expect(text)
    }

    @Test func `both choose it`() throws {
        let text = try choose(fleet[0])
        #expect(try choose(fleet[1]) == text)
        try expect(text)
    }

    @Test(arguments: [0, 1]) func `an edit of the other device at the same time is there, too`(_ number: Int) throws {
        let text = try choose(fleet[number])
        try fleet[1 - number].change(id) { $0.set(.title, .string("Plan")) }
        try expect(text)
        for device in fleet.devices { #expect(try device.stored(id).item.title == "Plan") }
    }

    @Test func `a merge of folders brings it`() throws {
        let text = try choose(fleet[0])
        _ = try fleet[0].library.mergeBoth(fleet[1].scratch.full("library"))
        for device in fleet.devices {
            #expect(try device.scratch.names(device.path(id, "document")) == ["plan.txt"])
            #expect(try device.scratch.text(device.path(id, Self.document)) == text)
        }
    }
}
