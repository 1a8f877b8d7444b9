import Files
import JSONFormat
import TestSupport
import Testing
import Time

@testable import Items

/// The contents of a step of the journal, and undoing it.
struct JournalTests {
    let library: TestLibrary
    var store: ItemStore { library.store }
    var session: WriteSession { library.session }

    init() throws { library = try TestLibrary() }

    /// Makes changes as one step.
    @discardableResult
    private func step(_ body: () throws -> Void, undoes: [Int] = [], redoes: [Int] = [], reverts: [Int] = []) throws
        -> Int
    {
        var header = StepHeader(command: "test")
        (header.undoes, header.redoes, header.reverts) = (undoes, redoes, reverts)
        session.keepJournal(header)
        defer { session.endStep() }
        try body()
        return try #require(session.stepNumber)
    }

    private func folder() throws -> JournalFolder { try #require(try JournalFolder(in: store)) }

    /// The journal's folder, relative to the library's.
    private static func log(of store: ItemStore) throws -> String {
        let device = try #require(store.device)
        return ".sbfs/" + (try Owner(of: device.directory, adoptedAt: .now).journalName)
    }

    private func contents(_ number: Int) throws -> StepContents {
        try #require(try StepContents(number, in: folder()))
    }

    /// Undoes a step in a new step.
    ///
    /// - Returns: the new step, and the results.
    @discardableResult
    private func undo(_ number: Int) throws -> (step: Int, results: [Result<Bool, ItemError>]) {
        var results: [Result<Bool, ItemError>] = []
        let step = try step(
            {
                results = session.undo(try contents(number)).map(\.result)
                try session.beginStep()
            }, undoes: [number])
        return (step, results)
    }

    private func isChangedSince(_ result: Result<Bool, ItemError>?, _ what: String) -> Bool {
        if case .failure(.changedSince(_, let found))? = result { found == what } else { false }
    }

    private func set(_ stored: StoredItem, _ body: (inout ItemEdit) -> Void) throws {
        var edit = ItemEdit(base: stored.json)
        body(&edit)
        try session.update(stored, edit)
    }

    // MARK: Fields

    @Test func `fields and tags go back, and come again`() throws {
        let stored = try library.stored(#"{"title": "a", "tags": ["x", "y"], "mood": {"b": 1.50}, "sortOrder": 2.0}"#)
        let number = try step {
            try set(stored) {
                $0.set(.title, .string("b"))
                $0.set(.description, .string("new"))
                $0.remove(key: "mood")
                $0.remove(.sortOrder)
                $0.addTag("z")
                $0.removeTag("x")
            }
        }
        let (undone, results) = try undo(number)
        #expect(results.count == 1)
        #expect(try results[0].get())
        let before = try library.item(stored.id)
        #expect(before.item.title == "a")
        #expect(before.item.description == nil)
        #expect(Set(before.item.tags) == ["x", "y"])
        let text = try library.text(stored, "item.json")
        #expect(text.contains("\"sortOrder\": 2.0"))
        #expect(text.contains("\"b\": 1.50"))
        try undo(undone)
        let again = try library.item(stored.id)
        #expect(again.item.title == "b")
        #expect(again.item.description == "new")
        #expect(Set(again.item.tags) == ["y", "z"])
        #expect(try !library.text(stored, "item.json").contains("mood"))
    }

    @Test func `a spelling of a tag that was changed since stays, and one that the step changed goes back`() throws {
        let stored = try library.stored(#"{"tags": ["tb", "soup"]}"#)
        let added = try step { try set(stored) { $0.addTag("collection:K") } }
        try library.write(stored, "item.json", #"{"tags": ["TB", "soup", "collection:K"]}"#)
        #expect(try undo(added).results.allSatisfy { try $0.get() })
        #expect(try library.item(stored.id).item.tags == ["TB", "soup"])
        let renamed = try step { try set(library.item(stored.id)) { $0.renameTag("TB", to: "Tb") } }
        try undo(renamed)
        #expect(try library.item(stored.id).item.tags == ["TB", "soup"])
        let again = try step { try set(library.item(stored.id)) { $0.renameTag("TB", to: "Tb") } }
        try library.write(stored, "item.json", #"{"tags": ["tB", "soup"]}"#)
        try undo(again)
        #expect(try library.item(stored.id).item.tags == ["tB", "soup"])
    }

    @Test func `a second undo finds nothing to do`() throws {
        let stored = try library.add { $0.title = "a" }
        let number = try step { try set(stored) { $0.set(.title, .string("b")) } }
        try undo(number)
        let text = try library.text(stored, "item.json")
        #expect(try undo(number).results.allSatisfy { try !$0.get() })
        #expect(try library.text(stored, "item.json") == text)
    }

    @Test func `a person's later changes stay, and the same field is left`() throws {
        let first = try library.add { $0.title = "a" }
        let second = try library.add { $0.title = "a" }
        let number = try step {
            for stored in [first, second] {
                try set(stored) {
                    $0.set(.title, .string("b"))
                    $0.addTag("t")
                }
            }
        }
        try library.write(first, "item.json", #"{"title": "b", "description": "by hand", "tags": ["t", "hand"]}"#)
        try library.write(second, "item.json", #"{"title": "by hand", "tags": ["t"]}"#)
        let results = try undo(number).results
        #expect(try results[0].get())
        #expect(isChangedSince(results[1], "title"))
        let item = try library.item(first.id).item
        #expect(item.title == "a")
        #expect(item.description == "by hand")
        #expect(item.tags == ["hand"])
        // No part of an item with a clash is written.
        #expect(try library.text(second, "item.json") == #"{"title": "by hand", "tags": ["t"]}"#)
        #expect(try library.conflicts(second).isEmpty)
    }

    @Test func `several changes of one item in one step go back together`() throws {
        let stored = try library.add {
            $0.title = "a"
            $0.tags = ["t"]
        }
        let number = try step {
            try set(stored) { $0.set(.title, .string("b")) }
            // A person edits between two changes of one command.
            try library.write(stored, "item.json", #"{"title": "b", "tags": ["t"], "description": "by hand"}"#)
            try set(library.item(stored.id)) {
                $0.set(.title, .string("c"))
                $0.addTag("u")
            }
        }
        try undo(number)
        let item = try library.item(stored.id).item
        #expect(item.title == "a")
        #expect(item.tags == ["t"])
        #expect(item.description == "by hand")
    }

    @Test func `a change that was refused is not in its step`() throws {
        let stored = try library.add { $0.title = "a" }
        try library.write(stored, "item.json", #"{"title": "by hand"}"#)
        let number = try step {
            try session.beginStep()
            #expect(throws: ItemError.self) { try set(stored) { $0.set(.title, .string("b")) } }
        }
        #expect(try contents(number).ids.isEmpty)
        #expect(try contents(number).end?.items == 0)
    }

    // MARK: New items

    @Test func `new items go into the trash, and come out again`() throws {
        var ids: [ItemID] = []
        let number = try step {
            let items = (0..<300).map { index in
                var item = NewItem(kind: .snippet)
                item.title = "item \(index)"
                return item
            }
            ids = items.map(\.id)
            try session.add(items)
        }
        #expect(try contents(number).end?.added == 300)
        let (undone, results) = try undo(number)
        #expect(try results.allSatisfy { try $0.get() })
        #expect(try ids.allSatisfy { try library.item($0).item.hasBothTrashMarks })
        // This device has seen them in the trash.
        #expect(TrashLog(in: store).due(try library.item(ids[0]).item, days: 10) != nil)
        try undo(undone)
        #expect(try ids.allSatisfy { try !library.item($0).item.isTrashed })
    }

    @Test func `a new item that is gone again is passed over`() throws {
        var id: ItemID?
        let number = try step { id = try library.add().id }
        let stored = try library.item(try #require(id))
        try set(stored) { $0.trash(at: .now) }
        try session.purge(library.item(stored.id))
        #expect(try undo(number).results.allSatisfy { try !$0.get() })
    }

    // MARK: Texts

    @Test func `a text goes back to its bytes, if it is as the step left it`() throws {
        let stored = try library.add { $0.text = Array("one\r\n".utf8) }
        let number = try step { try session.updateText(stored, .append(Array("two".utf8))) }
        let left = try library.text(stored, "text.md")
        try library.write(stored, "text.md", left + "by hand")
        #expect(isChangedSince(try undo(number).results.first, "the text"))
        #expect(try library.text(stored, "text.md") == left + "by hand")
        try library.write(stored, "text.md", left)
        let (undone, results) = try undo(number)
        #expect(try results[0].get())
        #expect(try library.text(stored, "text.md") == "one\r\n")
        try undo(undone)
        #expect(try library.text(stored, "text.md") == left)
    }

    @Test func `a first text goes away, a removed one comes back`() throws {
        let stored = try library.add { $0.title = "a" }
        let added = try step { try session.updateText(stored, .replace(base: nil, with: Array("new".utf8))) }
        let removed = try step { try session.removeText(library.item(stored.id)) }
        #expect(try library.item(stored.id).text == nil)
        try undo(removed)
        #expect(try library.text(stored, "text.md") == "new")
        try undo(added)
        #expect(try library.item(stored.id).text == nil)
    }

    @Test func `a text from item.json that was removed comes back there`() throws {
        let stored = try library.stored(#"{"title": "a", "textContent": "by hand"}"#)
        let number = try step { try session.removeText(stored) }
        #expect(try !library.item(stored.id).hasText)
        try undo(number)
        #expect(try store.text(of: library.item(stored.id)) == Array("by hand".utf8))
    }

    // MARK: Documents

    private func file(_ name: String, _ text: String) throws -> String {
        try library.scratch.write("outside/" + name, text)
        return library.scratch.full("outside/" + name)
    }

    @Test func `a document that was taken out comes back`() throws {
        let path = try file("paper.txt", "first")
        let stored = try library.add { $0.documentPath = path }
        let before = try library.item(stored.id).item
        let number = try step { try session.detachDocument(from: stored) }
        #expect(try library.item(stored.id).document == nil)
        let (undone, _) = try undo(number)
        let item = try library.item(stored.id)
        #expect(item.document?.name == "paper.txt")
        #expect(item.item.documentSHA256 == before.documentSHA256)
        #expect(try library.text(stored, "document/paper.txt") == "first")
        // The library's file is separate: editing it does not change the kept one.
        try library.write(stored, "document/paper.txt", "edited")
        #expect(isChangedSince(try undo(undone).results.first, "the document"))
        #expect(try library.text(stored, "document/paper.txt") == "edited")
    }

    @Test func `a document that was taken out comes back beside the one that was the document meanwhile`() throws {
        let stored = try library.add { $0.documentPath = try? file("paper.txt", "first") }
        try library.write(stored, "document/notes.txt", "Mine.")
        var next: String?
        let number = try step { next = try session.detachDocument(from: library.item(stored.id)) }
        #expect(next == "notes.txt")
        var now = try library.item(stored.id)
        #expect(now.document?.name == "notes.txt" && now.item.documentRelativePath == "document/notes.txt")
        let (undone, results) = try undo(number)
        #expect(try results[0].get())
        func expectBack() throws {
            now = try library.item(stored.id)
            #expect(now.document?.name == "paper.txt" && now.item.documentRelativePath == "document/paper.txt")
            #expect(try library.text(stored, "document/paper.txt") == "first")
            #expect(try library.text(stored, "document/notes.txt") == "Mine.")
        }
        try expectBack()
        let (again, _) = try undo(undone)
        #expect(try library.scratch.names(stored.folder + "/document") == ["notes.txt"])
        #expect(try library.item(stored.id).document?.name == "notes.txt")
        try undo(again)
        try expectBack()
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `no other file becomes the document where two are left`() throws {
        let stored = try library.add { $0.documentPath = try? file("paper.txt", "first") }
        for name in ["a.txt", "b.txt"] { try library.write(stored, "document/" + name, "Mine.") }
        var next: String? = ""
        let number = try step { next = try session.detachDocument(from: library.item(stored.id)) }
        #expect(try next == nil && library.item(stored.id).document == nil)
        try undo(number)
        #expect(try library.scratch.names(stored.folder + "/document").sorted() == ["a.txt", "b.txt", "paper.txt"])
        #expect(try library.item(stored.id).document?.name == "paper.txt")
    }

    @Test(arguments: ["paper.txt", "other.txt"])
    func `a document that was replaced comes back`(_ name: String) throws {
        let stored = try library.add { $0.documentPath = try? file("paper.txt", "first") }
        try library.scratch.makeDirectory("new")
        try library.scratch.write("new/" + name, "second")
        let number = try step {
            try session.attach(library.scratch.full("new/" + name), to: stored, isReplacing: true)
        }
        #expect(try library.text(stored, "document/" + name) == "second")
        let (undone, results) = try undo(number)
        #expect(try results[0].get())
        #expect(try library.scratch.names(stored.folder + "/document") == ["paper.txt"])
        #expect(try library.text(stored, "document/paper.txt") == "first")
        #expect(try library.item(stored.id).item.documentRelativePath == "document/paper.txt")
        try undo(undone)
        #expect(try library.scratch.names(stored.folder + "/document") == [name])
        #expect(try library.text(stored, "document/" + name) == "second")
        #expect(try library.leftovers().isEmpty)
    }

    @Test func `a first document goes away`() throws {
        let stored = try library.add { $0.title = "a" }
        let number = try step { try session.attach(file("paper.txt", "first"), to: stored, isReplacing: false) }
        try undo(number)
        #expect(try library.item(stored.id).document == nil)
        #expect(try library.item(stored.id).item.documentSHA256 == nil)
    }

    @Test func `a document that is no longer kept is reported`() throws {
        let stored = try library.add { $0.documentPath = try? file("paper.txt", "first") }
        let number = try step { try session.detachDocument(from: stored) }
        let shelf = try Self.log(of: store) + "/" + JournalFormat.name(number) + ".files"
        for name in try library.scratch.names(shelf) { try library.scratch.removeFile(shelf + "/" + name) }
        guard case .failure(.refused)? = try undo(number).results.first else {
            Issue.record("not refused")
            return
        }
    }

    // MARK: Other files

    @Test func `the file of a collection goes away, unless it was changed since`() throws {
        let name = try #require(CollectionName("Work"))
        let number = try step { try session.addCollection(name, colour: "blue") }
        let path = Layout.collections + "/" + Layout.settingsFile(named: "Work")
        let text = try library.scratch.text(path)
        try library.scratch.write(path, text + "\n")
        guard case .failure(.fileChangedSince(path))? = try undo(number).results.first else {
            Issue.record("not left")
            return
        }
        try library.scratch.write(path, text)
        let (undone, _) = try undo(number)
        #expect(!library.scratch.exists(path))
        try undo(undone)
        #expect(try library.scratch.text(path) == text)
    }

    @Test func `a setting goes back`() throws {
        let before = try library.scratch.text("library.json")
        let number = try step { try session.change([(.purgeDays, .integer(30))]) }
        try undo(number)
        #expect(try library.scratch.text("library.json") == before)
    }

    @Test func `a purge is reported and stays`() throws {
        let stored = try library.add { $0.title = "a" }
        try set(stored) { $0.trash(at: .now) }
        let number = try step { try session.purge(library.item(stored.id)) }
        #expect(try contents(number).end?.lasting == 1)
        guard case .failure? = try undo(number).results.first else {
            Issue.record("not refused")
            return
        }
    }
}
