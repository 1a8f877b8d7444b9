import Foundation
import Glibc
import Items
import JSONFormat
import StuffBucket
import Testing

/// Two copies that were edited meet: Documentation/Merge.md § 2 to § 5.
struct JoiningTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        (a, b) = try Replica.pair()
    }

    @Test func `edits of different fields and paragraphs are all there, and both copies are equal`() throws {
        try a.change { $0.set(.title, .string("Sourdough")) }
        try a.setText("One.\n\nTwo, here.\n\nThree.\n")
        try b.change { $0.addTag("rye") }
        try b.setText("One.\n\nTwo.\n\nThree.\n\nFour.\n")
        try meetAll()
        for one in [a, b] {
            #expect(try one.title == "Sourdough" && one.tags == ["dough", "rye"])
            #expect(try one.text == "One.\n\nTwo, here.\n\nThree.\n\nFour.\n")
            #expect(try one.names("conflicts").isEmpty)
        }
        #expect(try a.files() == b.files())
    }

    @Test
    func `a command that makes a text of another copy an earlier one again takes back nothing that was added here`()
        throws
    {
        let base = try a.text
        try b.setText(base + "\nFour, of b.\n")
        try a.setText(base + "\nFive, of a.\n")
        try b.change { $0.set(.title, .string("Sourdough")) }
        // item.json comes from one copy, and text.md from the other.
        try a.meet(b)
        #expect(try b.title == "Sourdough" && b.text == base + "\nFive, of a.\n")
        try b.setText(base)
        try meetAll()
        for one in [a, b] { #expect(try one.title == "Sourdough" && one.text == base + "\nFour, of b.\n") }
        #expect(try a.files() == b.files())
    }

    /// Who replaces a document.
    enum Replacer: CaseIterable { case command, editor, editorInPlace }

    @Test(arguments: Replacer.allCases)
    func `a document that a copying program replaced before the copies met lies beside the winner`(
        _ replacer: Replacer
    ) throws {
        func attach(_ text: String, to one: Replica, by replacer: Replacer) throws {
            switch replacer {
            case .command:
                try one.scratch.write("plan.txt", text)
                _ = try one.library.change("attach") {
                    try $0.attach(one.scratch.full("plan.txt"), to: one.stored, .replace)
                }
            case .editor:
                try one.save("document/plan.txt", text)
                try one.settle()
            case .editorInPlace:
                // Opened again and written: the second name of what was there changes with it.
                let file = try #require(
                    FileHandle(forWritingAtPath: one.scratch.full(one.folder + "/document/plan.txt")))
                try file.truncate(atOffset: 0)
                try file.write(contentsOf: Data(text.utf8))
                try file.close()
                try one.settle()
            }
        }
        try attach("first", to: a, by: .command)
        try a.meet(b)
        try b.settle()
        try attach("by a", to: a, by: replacer)
        usleep(20_000)
        try attach("by b", to: b, by: replacer)
        try meetAll()
        for one in [a, b] {
            let texts = try one.names("document").map { try one.scratch.text(one.folder + "/document/" + $0) }
            #expect(Set(texts) == ["by a", "by b"], "\(texts)")
        }
        #expect(try a.files() == b.files())
        // A purge leaves nothing of them.
        let known = "library/.sbfs/known/\(Replica.id.shard)"
        #expect(try a.scratch.names(known).contains { $0.hasSuffix(".files") })
        _ = try a.library.change("trash") { _ = try $0.trash(a.stored) }
        _ = try a.library.change("purge") { _ = try $0.purge(a.stored) }
        try a.look()
        #expect(try a.scratch.names(known).isEmpty)
    }

    @Test func `a page that was saved again and that a copying program replaced before the copies met is a snapshot`()
        throws
    {
        func save(_ text: String, _ day: Int, in one: Replica) throws {
            try one.save("page.html", text)
            try one.settle()
            try one.scratch.write(one.folder + "/assets/\(day)123456789abcdef.txt", text)
            try one.change {
                $0.set(.archiveStatus, .string("full"))
                $0.set(.archivedAt, .string("2026-11-\(20 + day)T00:00:00.000Z"))
            }
        }
        try save("first", 0, in: a)
        try a.setText("One.\n")
        try a.meet(b)
        try b.settle()
        try save("by a", 1, in: a)
        usleep(20_000)
        try save("by b", 2, in: b)
        try meetAll()
        for one in [a, b] {
            var texts = [try one.scratch.text(one.folder + "/page.html")]
            for name in try one.names("snapshots") {
                texts.append(try one.scratch.text(one.folder + "/snapshots/\(name)/page.html"))
            }
            #expect(Set(texts).isSuperset(of: ["by a", "by b"]), "\(texts)")
        }
        #expect(try a.files() == b.files())
        try a.look()
        #expect(try a.versions.count == b.versions.count)
    }

    @Test func `editors' saves that a sweep saw are joined, too`() throws {
        try a.saveTitle("Sourdough", for: "Bread")
        try a.settle()
        try b.save("text.md", "One.\n\nThree.\n")
        try b.settle()
        try meetAll()
        #expect(try a.title == "Sourdough" && a.text == "One.\n\nThree.\n")
        #expect(try a.files() == b.files())
    }

    @Test func `of two titles the later stands, and the other one is a conflict`() throws {
        try a.change { $0.set(.title, .string("Sourdough")) }
        try b.change { $0.set(.title, .string("Rye")) }
        try meetAll()
        #expect(try a.title == "Rye")
        let name = try #require(try a.names("conflicts").first)
        let json = try JSONDocument(parsing: a.scratch.bytes(a.folder + "/conflicts/" + name))
        #expect(json.text("field") == "title" && json.text("base") == "Bread")
        let values = try #require(json.member("values", of: json.root))
        #expect(json.elements(values).map { json.string($0) } == ["Rye", "Sourdough"])
        #expect(try a.files() == b.files())
    }

    @Test func `an item that comes before its history loses nothing of what is changed meanwhile`() throws {
        try a.change { $0.addTag("rye") }
        try a.meet(b)
        try b.settle()
        try b.change { $0.set(.title, .string("Sourdough")) }
        // The title comes without its version, and overwrites nothing that is here.
        try a.change { $0.addTag("spelt") }
        try b.change { $0.addTag("oats") }
        try a.meet(b, without: "history")
        try a.change { $0.set(.isPinned, .bool(true)) }
        try b.change { $0.set(.isFavorite, .bool(true)) }
        try meetAll()
        for one in [a, b] {
            #expect(try one.title == "Sourdough")
            #expect(try Set(one.tags) == ["dough", "rye", "spelt", "oats"])
            #expect(try one.stored.item.isPinned && one.stored.item.isFavorite)
        }
        #expect(try a.files() == b.files())
    }

    @Test func `a conflict copy is joined and goes`() throws {
        try b.change { $0.addTag("rye") }
        try a.change { $0.set(.title, .string("Sourdough")) }
        // As Syncthing delivers it: the loser's file beside the winner's, and the versions.
        let loser = try a.scratch.bytes(a.folder + "/item.json")
        for name in try a.names("history") {
            try b.scratch.write(b.folder + "/history/" + name, a.scratch.bytes(a.folder + "/history/" + name))
        }
        try b.scratch.write(b.folder + "/item.sync-conflict-20261121-101500-ABCDEFG.json", loser)
        try b.scratch.write(b.folder + "/history/x.sync-conflict-20261121-101500-ABCDEFG.json", "{}")
        try b.settle()
        #expect(try b.title == "Sourdough" && b.tags == ["dough", "rye"])
        #expect(try b.names("").allSatisfy { !$0.contains("sync-conflict") })
        #expect(try b.names("history").allSatisfy { !$0.contains("sync-conflict") })
    }

    @Test func `a copy of what no version has is joined as well`() throws {
        try b.change { $0.addTag("rye") }
        let edited = try a.scratch.text(a.folder + "/text.md").replacing("Two.", with: "Two, on the other device.")
        try b.scratch.write(b.folder + "/text (conflicted copy 2026-11-21).md", edited)
        try b.settle()
        // Its bytes wait for a version that says what they came from; until then the copy stays.
        #expect(try b.names("").contains { $0.contains("conflicted copy") })
        #expect(try b.text == "One.\n\nTwo.\n\nThree.\n")
    }

    @Test func `old bytes that a tool brings back make way, and a removed tag stays away`() throws {
        let old = try a.scratch.bytes(a.folder + "/item.json")
        try a.change { $0.removeTag("dough") }
        try a.meet(b)
        try b.settle()
        #expect(try b.tags.isEmpty)
        // An old copy, with the time of then, in a file that was born now.
        try b.scratch.write(b.folder + "/item.json.old", old)
        try b.scratch.setModified(b.folder + "/item.json.old", seconds: 1_700_000_000)
        try b.scratch.rename(b.folder + "/item.json.old", to: b.folder + "/item.json")
        try b.settle()
        #expect(try b.tags.isEmpty)
    }

    @Test func `an edit on a new device, before any command ran there, is an edit of what was copied`() throws {
        try a.change { $0.addTag("rye") }
        let c = try Replica(copyOf: a)
        try c.saveTitle("Sourdough", for: "Bread")
        try c.settle()
        try a.change { $0.addTag("oats") }
        for _ in 0..<3 {
            try a.meet(c)
            try a.settle()
            try c.settle()
        }
        #expect(try a.title == "Sourdough" && a.tags == ["dough", "rye", "oats"])
        #expect(try a.files() == c.files())
    }

    @Test func `a join gets the time of the later edit, so that no tool takes it for newer than edits since`() throws {
        try a.change { $0.set(.title, .string("Sourdough")) }
        try b.change { $0.addTag("rye") }
        try a.meet(b)
        try a.settle()
        let updated = try #require(try a.stored.item.updatedAt)
        let modified = try a.stored.status.modified / 1_000_000
        #expect(modified <= max(updated.milliseconds, modified))
        #expect(modified - updated.milliseconds < 1000)
    }

    @Test func `a version that names a conflict ends it on every copy`() throws {
        try a.change { $0.set(.title, .string("Sourdough")) }
        try b.change { $0.set(.title, .string("Rye")) }
        try meetAll()
        let name = try #require(try a.names("conflicts").first)
        let head = try #require(try a.versions.first { $0.isHead })
        let stored = try a.stored
        let resolved = Version(
            parents: [try #require(ContentHash(hex: head.name.utf8))], item: stored.json.exactMembers(stored.json.root),
            text: ContentHash(of: Array(try a.text.utf8)), resolved: ["conflicts/" + name, "item.json", "../x"])
        try a.scratch.write(a.folder + "/history/\(resolved.name.hex).json", resolved.bytes)
        try meetAll()
        #expect(try a.names("conflicts").isEmpty && b.names("conflicts").isEmpty)
        #expect(try a.title == "Rye" && a.files() == b.files())
    }

    @Test func `more heads than one join takes are joined by the next looks`() throws {
        try a.change { $0.set(.title, .string("Root")) }
        let root = try #require(try a.versions.first), json = try a.stored.json
        let members = json.exactMembers(json.root).filter { $0.key != "tags" }
        for number in 0..<300 {
            let item = members + [JSON.Member("tags", .strings(["tag \(number)"]))]
            let parent = try #require(ContentHash(hex: root.name.utf8))
            let version = Version(parents: [parent], item: item, text: ContentHash(of: Array(try a.text.utf8)))
            try a.scratch.write(a.folder + "/history/\(version.name.hex).json", version.bytes)
        }
        try a.settle()
        #expect(try a.versions.count(where: \.isHead) > 1)
        try a.settle()
        #expect(try a.versions.count(where: \.isHead) == 1 && a.tags.count == 300)
    }
}
