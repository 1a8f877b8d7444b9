import Items
import StuffBucket
import Testing

/// Conflict copies of copying programs are joined, or stay and are named: Documentation/Merge.md § 5.
struct ConflictCopyTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        (a, b) = try Replica.pair()
    }

    private func copies() throws -> [String] { try b.library.waitingJoin(of: b.stored).copies }

    /// The findings of a check, by path, that are conflict copies.
    private func found() throws -> [String] {
        try Check(b.library.store).run().findings.compactMap {
            if case .conflictCopy = $0.kind { $0.path } else { nil }
        }
    }

    private static let itemCopies = [
        "item.sync-conflict-20261121-101500-ABCDEFG.json", "item (conflicted copy 2026-11-20 101112).json",
        "item (Ada's conflicted copy 2026-11-20).json", "item (en konfliktkopi från Ada 2026-11-20).json",
        "item (Case Conflict).json", "item (SFConflict ada@example.org 2026-11-20-10-11-12).json",
        "item_LAPTOP_Nov-20-101112-2026_Conflict.json", "item.Conflict.json", "item (1).json", "item-LAPTOP.json",
        "item-LAPTOP-2.json", "item 2.json",
    ]

    @Test(arguments: itemCopies) func `a copy of item.json is joined and goes`(_ name: String) throws {
        try b.change { $0.addTag("rye") }
        try a.change { $0.set(.title, .string("Sourdough")) }
        for version in try a.names("history") {
            try b.scratch.write(b.folder + "/history/" + version, a.scratch.bytes(a.folder + "/history/" + version))
        }
        try b.scratch.write(b.folder + "/" + name, a.scratch.bytes(a.folder + "/item.json"))
        #expect(try copies().map { $0.hasSuffix("/" + name) } == [true] && found().count == 1)
        try b.settle()
        #expect(try b.title == "Sourdough" && b.tags == ["dough", "rye"])
        #expect(try !b.names("").contains(name) && copies().isEmpty && found().isEmpty)
    }

    @Test(arguments: ["text (1).md", "text.sync-conflict-20261121-101500-ABCDEFG.md"])
    func `a copy that lies in a new copy of the library is named from its first index on`(_ name: String) throws {
        let c = try Replica(copyOf: a)
        try c.scratch.write(c.folder + "/" + name, c.scratch.text(c.folder + "/text.md") + "\nFour.\n")
        try c.look()
        #expect(try c.library.waitingJoins().map(\.copies) == [[c.folder.dropFirst("library/".count) + "/" + name]])
    }

    @Test(arguments: ["item.json~", "item.json.bak", "item.orig.json", "item2.json", "text.md~", "text-draft.md"])
    func `a backup or a file of the person's own is no copy`(_ name: String) throws {
        let original = name.hasPrefix("item") ? "item.json" : "text.md"
        try b.change { $0.addTag("rye") }
        try b.scratch.write(b.folder + "/" + name, a.scratch.bytes(a.folder + "/" + original))
        try b.settle()
        #expect(try b.names("").contains(name) && copies().isEmpty && found().isEmpty)
    }

    @Test(arguments: [
        ("item (1).json", "{\"title\": \"Cut"), ("item.sync-conflict-20261121-101500-ABCDEFG.json", "not JSON"),
        ("item-LAPTOP.json", "{\"title\": \"No id\"}"),
        ("item.Conflict.json", "{\"id\": \"01a19b7c-a680-7000-8f3e-5d2c9b7a61c4\", \"title\": \"Another\"}"),
        ("text (2026-11-20).md", "Words of the person's own.\n"), ("page (conflicted copy 2026-11-20).html", "<p>"),
    ])
    func `what is no version of this item stays, and is named`(_ name: String, _ text: String) throws {
        try b.change { $0.addTag("rye") }
        let before = try b.files()
        try b.scratch.write(b.folder + "/" + name, text)
        for _ in 0..<2 {
            try b.settle()
            try b.library.takeInChanges()
            #expect(try b.scratch.text(b.folder + "/" + name) == text)
            #expect(try copies() == [b.stored.folder + "/" + name] && found() == copies())
        }
        #expect(try b.files().filter { $0.key != name } == before)
    }

    @Test func `an empty copy of the text removes no paragraph, and goes`() throws {
        try b.change { $0.addTag("rye") }
        let name = "text.sync-conflict-20261121-101500-ABCDEFG.md"
        try b.scratch.write(b.folder + "/" + name, "")
        let before = try b.files().filter { $0.key != name }
        try b.settle()
        #expect(try b.files() == before)
        // A command that changes the item waits for nothing.
        try b.scratch.write(b.folder + "/" + name, "")
        try b.look()
        try b.setText("One.\n\nTwo.\n\nThree.\n\nFour.\n")
        try b.settle()
        #expect(try b.text == "One.\n\nTwo.\n\nThree.\n\nFour.\n" && !b.names("").contains(name))
    }

    @Test func `an empty file with a name that may be a person's stays`() throws {
        try b.scratch.write(b.folder + "/text (1).md", "")
        try b.settle()
        #expect(try b.names("").contains("text (1).md") && b.text == "One.\n\nTwo.\n\nThree.\n")
    }

    @Test func `copies that no command joins are told apart from those that wait`() throws {
        try b.change { $0.addTag("rye") }
        let cut = "item.sync-conflict-20261121-101500-ABCDEFG.json",
            text = "text.sync-conflict-20261121-101500-ABCDEFG.md"
        try b.scratch.write(b.folder + "/" + cut, "{\"title\": \"Cut")
        try b.scratch.write(b.folder + "/" + text, "One.\n\nTwo by c.\n\nThree.\n")
        let waiting = try b.library.waitingJoin(of: b.stored)
        #expect(waiting.copiesForPerson.map { $0.hasSuffix("/" + cut) } == [true] && waiting.copies.count == 2)
    }

    @Test func `a draft with one paragraph of the text and a name like that of a copy changes nothing`() throws {
        try b.change { $0.addTag("rye") }
        try b.scratch.write(b.folder + "/text-DRAFT.md", "Two.\n\nAn idea for a shorter text.\n")
        for _ in 0..<4 { try b.library.takeInChanges() }
        #expect(try b.text == "One.\n\nTwo.\n\nThree.\n" && b.names("").contains("text-DRAFT.md"))
    }

    @Test func `a copy of the text with a name that may be a person's is joined if it has most paragraphs of the text`()
        throws
    {
        try b.change { $0.addTag("rye") }
        try b.setText("One, here.\n\nTwo.\n\nThree.\n")
        try a.setText("One.\n\nTwo.\n\nThree, there.\n")
        for version in try a.names("history") {
            try b.scratch.write(b.folder + "/history/" + version, a.scratch.bytes(a.folder + "/history/" + version))
        }
        try b.scratch.write(b.folder + "/text-LAPTOP.md", a.scratch.bytes(a.folder + "/text.md"))
        try b.settle()
        #expect(try b.text == "One, here.\n\nTwo.\n\nThree, there.\n")
        #expect(try !b.names("").contains("text-LAPTOP.md"))
    }

    // MARK: Documents

    @Test(arguments: [
        "plan (1).txt", "plan-LAPTOP.txt", "plan (2026-11-20).txt", "plan 2.txt", "plan (conflict notes).txt",
    ])
    func `a file beside the document that may be a person's own stays`(_ name: String) throws {
        try attach("here", to: b)
        for text in ["there", "here"] {
            try b.scratch.write(b.folder + "/document/" + name, text)
            try b.settle()
            #expect(try b.names("document").sorted() == [name, "plan.txt"].sorted())
            #expect(try b.scratch.text(b.folder + "/document/" + name) == text && copies().isEmpty)
        }
    }

    @Test(arguments: [
        "plan (conflicted copy 2026-11-20).txt", "plan (Case Conflict 1).txt",
        "plan.sync-conflict-20261121-101500-ABCDEFG.txt",
    ])
    func `a copy of a document lies beside it like one that lost`(_ name: String) throws {
        try attach("here", to: b)
        try b.scratch.write(b.folder + "/document/" + name, "there")
        #expect(try found().count == 1)
        try b.settle()
        let kept = "plan.conflict-" + ContentHash(of: Array("there".utf8)).hex.prefix(8) + ".txt"
        #expect(try b.names("document") == [kept, "plan.txt"])
        #expect(try b.scratch.text(b.folder + "/document/" + kept) == "there" && copies().isEmpty)
        // The same copy once more, and one that is the document.
        try b.scratch.write(b.folder + "/document/" + name, "there")
        try b.settle()
        try b.scratch.write(b.folder + "/document/" + name, "here")
        try b.settle()
        #expect(try b.names("document") == [kept, "plan.txt"])
        #expect(try b.scratch.text(b.folder + "/document/plan.txt") == "here")
    }

    @Test func `a file with the name of what lost and other bytes is not replaced`() throws {
        try attach("here", to: b)
        let kept = "plan.conflict-" + ContentHash(of: Array("there".utf8)).hex.prefix(8) + ".txt"
        try b.scratch.write(b.folder + "/document/" + kept, "another")
        let copy = "plan (conflicted copy 2026-11-20).txt"
        try b.scratch.write(b.folder + "/document/" + copy, "there")
        try b.settle()
        #expect(try b.names("document") == [copy, kept, "plan.txt"])
        #expect(try b.scratch.text(b.folder + "/document/" + kept) == "another" && copies().count == 1)
    }

    // MARK: Small files

    @Test func `a copy of a small file that says nothing else goes, and what only it says comes`() throws {
        _ = try b.library.change("colour") { try $0.setNamed(.tags, "dough", [("colour", .string("red"))]) }
        let file = Layout.settingsFile(named: "dough"), copy = file.dropLast(5) + " (1).json"
        try b.scratch.write("library/tags/" + copy, "{\"name\": \"dough\", \"icon\": \"x\"}")
        #expect(try found() == ["tags/" + copy])
        try b.settle()
        #expect(try b.scratch.names("library/tags") == [file] && found().isEmpty)
        let named = try #require(try b.library.namedFile(.tags, "dough"))
        #expect(named.colour == "red" && named.icon == "x")
    }

    @Test(arguments: [
        "{\"name\": \"dough\", \"colour\": \"blue\"}", "{\"name\": \"rye\", \"icon\": \"x\"}", "{", "[]",
        "{\"name\": \"dough\", \"deletedAt\": \"2026-11-20T10:00:00.000Z\"}",
    ])
    func `a copy of a small file from which something would be lost stays, and is named`(_ text: String) throws {
        _ = try b.library.change("colour") { try $0.setNamed(.tags, "dough", [("colour", .string("red"))]) }
        let file = Layout.settingsFile(named: "dough")
        let copy = "tags/" + file.dropLast(5) + ".sync-conflict-20261121-101500-ABCDEFG.json"
        let before = try b.scratch.bytes("library/tags/" + file)
        try b.scratch.write("library/" + copy, text)
        try b.settle()
        #expect(try b.scratch.text("library/" + copy) == text && found() == [copy])
        #expect(try b.scratch.bytes("library/tags/" + file) == before)
    }

    @Test func `a copy of library.json goes if it is the same, and stays otherwise`() throws {
        let copy = "library/library (1).json"
        try b.scratch.write(copy, b.scratch.bytes("library/library.json"))
        try b.settle()
        #expect(!b.scratch.exists(copy))
        try b.scratch.write(copy, "{\"format\": 1}")
        try b.settle()
        #expect(try b.scratch.text(copy) == "{\"format\": 1}" && found() == ["library (1).json"])
    }

    @Test func `a copy of a tombstone is united with it`() throws {
        let id = "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4", hash = ContentHash(of: []).hex
        func tombstone(_ day: Int, _ hashes: String) -> String {
            "{\"id\": \"\(id)\", \"purgedAt\": \"2026-11-\(day)T10:00:00.000Z\", \"hashes\": [\(hashes)]}"
        }
        try b.scratch.write("library/tombstones/c4/\(id).json", tombstone(10, ""))
        try b.scratch.write("library/tombstones/c4/\(id) (1).json", tombstone(12, "\"\(hash)\""))
        #expect(try found() == ["tombstones/c4/\(id) (1).json"])
        try b.library.takeInChanges()
        #expect(try b.scratch.names("library/tombstones/c4") == ["\(id).json"])
        let united = try b.scratch.text("library/tombstones/c4/\(id).json")
        #expect(united.contains("2026-11-12") && united.contains(hash))
    }
}
