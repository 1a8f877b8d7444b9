import Foundation
import Items
import Testing

/// A copying program put another device's file in the place of the one here, kept that as a conflict copy, and an editor saved before sbfs
/// looked: Documentation/Merge.md § 2, rule 4.
struct EditAfterConflictTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        (a, b) = try Replica.pair()
    }

    /// Brings the versions and one file of a to b, as Syncthing does where both changed it and a's is the newer.
    private func collide(_ name: String, bringsVersions: Bool = true) throws {
        for version in bringsVersions ? try a.names("history") : [] {
            try b.scratch.write(b.folder + "/history/" + version, a.scratch.bytes(a.folder + "/history/" + version))
        }
        let (stem, kind) = (name.prefix { $0 != "." }, name.drop { $0 != "." })
        let copy = "\(stem).sync-conflict-20261121-101501-ABCDEFG\(kind)"
        try b.scratch.rename(b.folder + "/" + name, to: b.folder + "/" + copy)
        try b.scratch.write(b.folder + "/" + name, a.scratch.bytes(a.folder + "/" + name))
        // A copying program keeps the time.
        let time = try Double(modified(name, a)) / 1e9
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: b.scratch.full(b.folder + "/" + name))
        usleep(10_000)
    }

    @Test func `a tag that arrived and was taken out again goes, and the title that was set aside stays`() throws {
        try b.saveTitle("Sourdough", for: "Bread")
        try b.settle()
        let before = try a.scratch.text(a.folder + "/item.json")
        try a.save("item.json", before.replacingOccurrences(of: "[\"dough\"]", with: "[\"dough\", \"rye\"]"))
        try a.settle()
        try collide("item.json")
        try b.save("item.json", before)
        try b.settle()
        #expect(try b.title == "Sourdough" && b.tags == ["dough"])
        try meetAll()
        #expect(try a.title == "Sourdough" && a.tags == ["dough"] && b.tags == ["dough"])
    }

    @Test func `a paragraph that was set aside is in the text or in a conflict`() throws {
        for (one, text) in [(b, "By b.\n\nTwo.\n\nThree.\n"), (a, "By a.\n\nTwo.\n\nThree.\n")] {
            try one.save("text.md", text)
            try one.settle()
        }
        try collide("text.md")
        try b.save("text.md", "Later.\n\nTwo.\n\nThree.\n")
        try b.settle()
        let conflicts = try b.names("conflicts").map { try b.scratch.text(b.folder + "/conflicts/" + $0) }
        let words = try ([b.text] + conflicts).joined()
        #expect(words.contains("By b.") && words.contains("Later."))
        // The editor had it, and replaced it.
        #expect(!words.contains("By a."))
    }

    @Test func `an edit of the file here after another one was kept beside it is one of the file here`() throws {
        for (one, text) in [(a, "By a.\n\nTwo.\n\nThree.\n"), (b, "By b.\n\nTwo.\n\nThree.\n")] {
            try one.save("text.md", text)
            try one.settle()
        }
        for version in try a.names("history") {
            try b.scratch.write(b.folder + "/history/" + version, a.scratch.bytes(a.folder + "/history/" + version))
        }
        let copy = "text.sync-conflict-20261121-101501-ABCDEFG.md"
        try b.scratch.write(b.folder + "/" + copy, a.scratch.bytes(a.folder + "/text.md"))
        usleep(10_000)
        // It shares words with what was kept beside it.
        try b.save("text.md", "By a, no, b.\n\nTwo.\n\nThree.\n")
        try b.settle()
        let conflicts = try b.names("conflicts").map { try b.scratch.text(b.folder + "/conflicts/" + $0) }
        let words = try ([b.text] + conflicts).joined()
        #expect(words.contains("By a.") && words.contains("By a, no, b.") && !words.contains("By b."))
    }

    @Test func `an edit back to what both began with takes nothing away before the other device's versions are here`()
        throws
    {
        let base = try b.text
        try b.save("text.md", "Mine.\n\n" + base)
        try b.settle()
        try a.save("text.md", base + "\nTheirs.\n")
        try a.settle()
        try collide("text.md", bringsVersions: false)
        try b.save("text.md", base)
        for _ in 0..<2 { try b.settle() }
        #expect(try b.text == "Mine.\n\n" + base)
        try meetAll()
        for one in [a, b] { #expect(try one.text == "Mine.\n\n" + base + "\nTheirs.\n") }
    }

    @Test func `a copy that a person made before an edit is no conflict copy`() throws {
        try b.save("text.md", "Mine.\n\nTwo.\n\nThree.\n")
        try b.settle()
        try b.scratch.write(b.folder + "/text (1).md", b.scratch.bytes(b.folder + "/text.md"))
        usleep(10_000)
        try b.save("text.md", "Mine, changed.\n\nTwo.\n\nThree.\n")
        try b.settle()
        #expect(try b.text == "Mine, changed.\n\nTwo.\n\nThree.\n" && b.names("conflicts").isEmpty)
    }

    /// The first look of b came after an edit there: nobody knows what it was made of.
    @Test func `a copy beside an item without versions takes nothing from it`() throws {
        let c = try Replica(copyOf: a)
        try c.saveTitle("Sourdough", for: "Bread")
        try c.look()
        try c.scratch.write(
            c.folder + "/item.sync-conflict-20261121-101501-ABCDEFG.json", a.scratch.bytes(a.folder + "/item.json"))
        for _ in 0..<5 { try c.settle() }
        let conflicts = try c.names("conflicts").map { try c.scratch.text(c.folder + "/conflicts/" + $0) }
        #expect(try c.title == "Sourdough" || conflicts.joined().contains("Sourdough"))
    }
}
