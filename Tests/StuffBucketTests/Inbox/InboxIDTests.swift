import Files
import Items
import TestSupport
import Testing
import Time

@testable import StuffBucket

/// One file in one place is one item.
struct InboxIDTests {
    private let inbox: InboxSample

    init() throws { inbox = try InboxSample() }

    @Test func `the id follows from the library, the path and the bytes`() throws {
        let library = try #require(ItemID("01a1961f-5c00-7000-9d41-3b7e60a2f25a"))
        let hash = SHA256.hex(Array("The oven is slow.\n".utf8))
        func id(_ path: String, _ number: Int = 0, _ hash: String = hash, _ library: ItemID = library) -> String {
            InboxID.make(library: library, path: Array(path.utf8), sha256: hash, number: number).description
        }
        // FORMAT.md § 11.3.
        #expect(id("Recipes/oven.txt") == "5f4f001f-be0c-8805-80d3-c798618697ad")
        #expect(id("Recipes/oven.txt", 1) == "6e63d8a3-25b7-838c-bfbe-438f6d38db79")
        let other = try #require(ItemID("01a1961f-5c00-7000-9d41-3b7e60a2f25b"))
        let all = [
            id("a"), id("b"), id("a", 1), id("a", 2), id("a", 0, SHA256.hex([])), id("a", 0, hash, other),
        ]
        #expect(Set(all).count == all.count)
        for text in all { #expect(text.utf8.dropFirst(14).first == UInt8(ascii: "8")) }
    }

    @Test func `a file that comes again changes nothing`() throws {
        try inbox.drop("Work/a.txt", "text")
        try inbox.drop("Work/a.txt.comment", "one 'two'")
        #expect(try inbox.take().lines == ["added Work/a.txt"])
        let first = try inbox.item()
        let before = try inbox.scratch.bytes("library/\(first.folder)/item.json")
        try inbox.drop("Work/a.txt", "text")
        try inbox.drop("Work/a.txt.comment", "one 'two'")
        #expect(try inbox.take().lines == ["known Work/a.txt"])
        #expect(try inbox.item().id == first.id)
        #expect(try inbox.scratch.bytes("library/\(first.folder)/item.json") == before)
        #expect(try inbox.names("Work").isEmpty)
    }

    @Test func `two devices make the same bytes`() throws {
        let other = try InboxSample()
        try other.scratch.write("library/library.json", try inbox.scratch.bytes("library/library.json"))
        try other.sample.reopen()
        for each in [inbox, other] {
            try each.drop("Work/paper.pdf", "%PDF")
            try each.scratch.setModified("library/inbox/Work/paper.pdf", seconds: 1_790_000_000)
            try each.drop("Work/paper.pdf.comment", "one")
            #expect(try each.take().lines == ["added Work/paper.pdf"])
        }
        let folders = try [inbox, other].map { try $0.item().folder }
        #expect(folders[0] == folders[1])
        #expect(
            try inbox.scratch.bytes("library/\(folders[0])/item.json")
                == other.scratch.bytes("library/\(folders[0])/item.json"))
    }

    @Test func `what captures and checks add is no change by a person`() throws {
        try inbox.drop("a.txt", "https://example.org/")
        try inbox.take()
        let stored = try inbox.item()
        var edit = ItemEdit(base: stored.json)
        edit.set(.linkTitle, .string("Example"))
        edit.set(.linkStatus, .string("valid"))
        edit.set(.archiveStatus, .string("failed"))
        try inbox.library.change("x") { try $0.update(stored, edit) }
        try inbox.library.change("x") { try $0.trash(inbox.library.item(Row(stored))) }
        // Now the library has no live item with the link; only the id could find it.
        try inbox.library.change("x") { try $0.restore(inbox.library.item(Row(stored))) }
        try inbox.drop("a.txt", "https://example.org/")
        #expect(try inbox.take().lines == ["joined a.txt"])
        #expect(try inbox.items().count == 1)
    }

    static let edits: [(String, @Sendable (Step, StoredItem) throws -> Void)] = [
        (
            "title",
            { step, stored in
                var edit = ItemEdit(base: stored.json)
                edit.set(.title, .string("Mine"))
                try step.update(stored, edit)
            }
        ),
        (
            "tags",
            { step, stored in
                var edit = ItemEdit(base: stored.json)
                edit.addTag("mine")
                try step.update(stored, edit)
            }
        ),
        ("text", { step, stored in try step.updateText(stored, .append(Array("more".utf8))) }),
        ("trash", { step, stored in try step.trash(stored) }),
        (
            "purge",
            { step, stored in
                try step.trash(stored)
                try step.purge(#require(try step.library.store.item(stored.id)))
            }
        ),
    ]

    @Test(arguments: edits.indices)
    func `where the item was changed, trashed or purged, the file becomes a new one, once`(number: Int) throws {
        try inbox.drop("a.txt", "text")
        try inbox.take()
        let first = try inbox.item()
        try inbox.library.change("x") { try Self.edits[number].1($0, first) }
        let count = try inbox.items().count
        for line in ["added a.txt", "known a.txt", "known a.txt"] {
            try inbox.drop("a.txt", "text")
            #expect(try inbox.take().lines == [line], "\(Self.edits[number].0)")
            #expect(try inbox.items().count == count + 1)
        }
        let ids = try inbox.items().map(\.id)
        #expect(
            ids.contains(
                InboxID.make(
                    library: inbox.library.store.settings.id, path: Array("a.txt".utf8),
                    sha256: SHA256.hex(Array("text".utf8)), number: 1)))
    }

    @Test func `a document that was replaced counts as changed`() throws {
        try inbox.drop("a.pdf", "%PDF")
        try inbox.take()
        let first = try inbox.item()
        try inbox.scratch.write("library/\(first.folder)/document/a.pdf", "%PDF, with my notes")
        try inbox.drop("a.pdf", "%PDF")
        #expect(try inbox.take().lines == ["added a.pdf"])
        #expect(try inbox.items().count == 2)
    }

    @Test func `undo moves the item to the trash, and the file does not come back`() throws {
        try inbox.drop("a.txt", "text")
        try inbox.take()
        let history = try #require(try inbox.library.history())
        let step = try #require(history.steps.first)
        #expect(step.header.command == "inbox" && !step.header.isBackground)
        _ = try inbox.library.undo([step.number], StepHeader(command: "undo"))
        #expect(try inbox.item().item.isTrashed)
        #expect(try inbox.names().isEmpty)
        #expect(try inbox.take().entries.isEmpty)
        // Dropped again, it is a new item.
        try inbox.drop("a.txt", "text")
        #expect(try inbox.take().lines == ["added a.txt"])
        #expect(try inbox.items().filter { !$0.item.isTrashed }.count == 1)
    }

    @Test func `a call that takes in nothing leaves no step`() throws {
        try inbox.drop("a.part", "text")
        try inbox.take()
        try inbox.scratch.makeFIFO("library/inbox/pipe")
        try inbox.take()
        #expect(try inbox.library.history()?.steps.isEmpty ?? true)
    }
}
