import Files
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// A file that loses, and whose conflict name another file has: FORMAT.md § 3.5.
struct TakenNameTests {
    private static let document = "document/plan.txt"

    private func conflictName(_ name: String, _ text: String) -> String {
        var parts = name.split(separator: "/").map(String.init)
        parts.append(Layout.conflictName(of: parts.removeLast(), Items.ContentHash(of: Array(text.utf8))))
        return parts.joined(separator: "/")
    }

    private func texts(_ device: SyncDevice, _ id: ItemID, _ folder: String) throws -> Set<String> {
        try Set(
            device.scratch.names(device.path(id, folder)).map {
                try device.scratch.text(device.path(id, folder + "/" + $0))
            })
    }

    @Test(arguments: [0, 1]) func `a document that loses is kept beside it`(_ number: Int) throws {
        let texts = ["Sow in April.", "Sow in early June."]
        let fleet = try Fleet(1)
        let id = try fleet[0].addPlan("Sow in May.")
        for text in texts { try fleet[0].save(id, conflictName(Self.document, text), "In the way of: " + text) }
        try fleet[0].sync()
        try fleet.add()
        try fleet.settle()
        try fleet[number].save(id, Self.document, texts[0])
        try fleet[1 - number].save(id, Self.document, texts[1])
        try fleet.settle()
        try fleet.expectEqual()
        for device in fleet.devices {
            let texts = try self.texts(device, id, "document")
            #expect(texts.isSuperset(of: ["Sow in April.", "Sow in early June."]), "\(texts)")
            #expect(texts.count == 4)
        }
        // It ends as any lost document does.
        let all = try fleet[0].scratch.names(fleet[0].path(id, "document"))
        let names = try all.filter { name in
            let text = try fleet[0].scratch.text(fleet[0].path(id, "document/" + name))
            return name.contains(".conflict-") && !text.hasPrefix("In")
        }
        #expect(names.count == 1)
        for name in names { try fleet[0].scratch.removeFile(fleet[0].path(id, "document/" + name)) }
        try fleet.settle()
        try fleet.expectEqual()
        try fleet[1].change(id) { $0.addTag("may") }
        try fleet.settle()
        for device in fleet.devices { #expect(try self.texts(device, id, "document").count == 3) }
    }

    @Test(arguments: [0, 1]) func `a file of one's own that loses is kept beside it`(_ number: Int) throws {
        let notes = "own/notes.txt"
        let (fleet, id) = try Fleet.withItem([notes: "First."])
        try fleet.add()
        try fleet.settle()
        try fleet[0].save(id, notes, "Of a.")
        try fleet[1].save(id, notes, "Of b.")
        for text in ["Of a.", "Of b."] {
            try fleet[number].save(id, conflictName(notes, text), "In the way of: " + text)
        }
        try fleet.settle()
        try fleet.expectEqual()
        for device in fleet.devices {
            let texts = try texts(device, id, "own")
            #expect(texts.isSuperset(of: ["Of a.", "Of b."]) && texts.count == 4, "\(texts)")
        }
    }

    @Test func `a folder in the way is named`() throws {
        let notes = "own/notes.txt"
        let (fleet, id) = try Fleet.withItem([notes: "First."])
        let b = try fleet.add()
        try fleet.settle()
        try fleet[0].save(id, notes, "Of a.")
        try b.save(id, notes, "Of b.")
        for text in ["Of a.", "Of b."] {
            try b.shell("mkdir -p '\(b.scratch.full(b.path(id, conflictName(notes, text))))/inner'")
        }
        try fleet[0].sync()
        for _ in 0..<2 {
            let left = try b.sync().left.map(\.path)
            #expect(left.contains { $0.contains("notes.conflict-") }, "\(left)")
        }
        #expect(try b.scratch.text(b.path(id, notes)) == "Of b.")
        try b.shell("rm -r '\(b.scratch.full(b.path(id, "own")))'/*.conflict-*")
        try fleet.settle()
        try fleet.expectEqual()
        #expect(try texts(b, id, "own") == ["Of a.", "Of b."])
    }
}
