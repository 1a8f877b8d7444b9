import Foundation
import Items
import StuffBucket
import TestSupport
import Testing

/// The folder of an item comes back from a backup of before the item had a text: Documentation/Merge.md § 2, rule 4.
struct BackupWithoutTextTests: TwoCopies {
    let a: Replica, b: Replica
    private static let text = "One.\n\nTwo.\n"

    init() throws {
        (a, b) = try Replica.pair()
        try remove(a)
        try a.settle()
        try meetAll()
        try a.backUp()
    }

    private func remove(_ one: Replica) throws {
        try FileManager.default.removeItem(atPath: one.scratch.full(one.folder + "/text.md"))
    }

    private func expectText() throws {
        try a.settle()
        try meetAll()
        for one in [a, b] { #expect(try one.text == Self.text) }
    }

    @Test func `a text that a command wrote comes back`() throws {
        try a.setText(Self.text)
        try meetAll()
        try a.putBack()
        try expectText()
    }

    @Test func `a text that an editor wrote comes back, though item.json is the same`() throws {
        try a.save("text.md", Self.text)
        try a.settle()
        try meetAll()
        try a.putBack()
        try expectText()
    }

    @Test func `a text that a person removes goes, also with its item.json of before`() throws {
        let before = try a.scratch.text(a.folder + "/item.json")
        try a.setText(Self.text)
        try meetAll()
        try a.save("item.json", before)
        try remove(a)
        try a.settle()
        #expect(try a.names("").contains("text.md") == false)
        #expect(try a.stored.item.title == "Bread")
    }

    @Test func `a text that is removed alone goes everywhere`() throws {
        try a.setText(Self.text)
        try meetAll()
        try remove(a)
        try a.settle()
        try remove(b)
        try meetAll()
        for one in [a, b] { #expect(try !one.names("").contains("text.md")) }
    }
}
