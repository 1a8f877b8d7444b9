import Files
import Foundation
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// An editor that saves between the write of a command and the end of its step: Documentation/Merge.md § 2, rule 1.
struct ReplacedInStepTests {
    let a: Replica

    init() throws { a = try Replica() }

    /// A command writes a text, and an editor saves another one before the step ends.
    private func append(_ text: String, thenSave saved: String) throws {
        let old = try a.text
        _ = try a.library.change("append") {
            let result = try $0.updateText(
                a.stored, .replace(base: Array(old.utf8), with: Array((old + text).utf8)))
            try a.save("text.md", saved)
            return result
        }
    }

    @Test(arguments: [false, true])
    func `both texts are there, whatever the editor had open`(_ hasVersions: Bool) throws {
        if hasVersions { try a.change { $0.addTag("early") } }
        let old = try a.text
        try append("\nOf the command.\n", thenSave: old.replacingOccurrences(of: "One.", with: "One by hand."))
        try a.settle()
        #expect(try a.text == "One by hand.\n\nTwo.\n\nThree.\n\nOf the command.\n")
        #expect(try a.names("conflicts").isEmpty)
        #expect(try a.versions.count(where: \.isHead) == 1)
    }

    @Test func `a save of what the command wrote, and more, stands as it is`() throws {
        let saved = "One.\n\nThree.\n\nOf the command.\n\nBy hand.\n"
        try append("\nOf the command.\n", thenSave: saved)
        try a.settle()
        #expect(try a.text == saved)
        #expect(try a.names("conflicts").isEmpty)
    }

    @Test func `a tag of the command and a title of the editor are both there`() throws {
        let old = try a.scratch.text(a.folder + "/item.json")
        _ = try a.library.change("tag") {
            let result = try $0.edit(a.stored) { $0.addTag("late") }
            try a.save("item.json", old.replacingOccurrences(of: "Bread", with: "Rolls"))
            return result
        }
        try a.settle()
        #expect(try a.tags == ["dough", "late"])
        #expect(try a.stored.item.title == "Rolls")
    }

    @Test func `the same paragraph, changed by both, is kept twice`() throws {
        let old = try a.text
        _ = try a.library.change("text") {
            let new = old.replacingOccurrences(of: "Two.", with: "Two of the command.")
            let result = try $0.updateText(a.stored, .replace(base: Array(old.utf8), with: Array(new.utf8)))
            try a.save("text.md", old.replacingOccurrences(of: "Two.", with: "Two by hand."))
            return result
        }
        try a.settle()
        let kept = try a.names("conflicts").map { try a.scratch.text(a.folder + "/conflicts/" + $0) }.joined()
        let all = try a.text + kept
        #expect(all.contains("Two of the command.") && all.contains("Two by hand."))
    }

    @Test func `a save of the bytes from before the command takes nothing away`() throws {
        let old = try a.text
        try append("\nOf the command.\n", thenSave: old)
        try a.settle()
        #expect(try a.text == old + "\nOf the command.\n")
    }

    @Test func `what was written above the limit of what is kept is noted by the next look`() throws {
        let bytes = [UInt8](repeating: 0x61, count: 1 << 20)
        let replicas = a.library.replicas
        // 64 MiB of other items.
        for _ in 0..<64 { replicas.didWrite("text.md", of: Replica.id, bytes) }
        try append("\nOf the command.\n", thenSave: "One.\n\nTwo.\n\nThree.\n\nBy hand.\n")
        try a.settle()
        #expect(try a.text == "One.\n\nTwo.\n\nThree.\n\nBy hand.\n")
        // The next step keeps bytes again.
        try append("\nOf the command.\n", thenSave: "One by hand.\n\nTwo.\n\nThree.\n\nBy hand.\n")
        try a.settle()
        #expect(try a.text == "One by hand.\n\nTwo.\n\nThree.\n\nBy hand.\n\nOf the command.\n")
    }
}
