import Glibc
import Items
import JSONFormat
import StuffBucket
import Testing

/// What is noted, and on what: Documentation/Merge.md § 2.
struct NotingTests {
    let replica: Replica

    init() throws { replica = try Replica() }

    @Test func `a command notes the state that it finds and the one that it makes`() throws {
        #expect(try replica.names("history").isEmpty)
        try replica.change { $0.set(.title, .string("Sourdough")) }
        let versions = try replica.versions
        try #require(versions.count == 2)
        #expect(versions[0].isHead && versions[0].isCurrent && versions[0].parents == [versions[1].name])
        #expect(versions[1].parents.isEmpty && !versions[1].isHead)
        // One text, which both have.
        #expect(try replica.names("history").count { $0.hasSuffix(".md") } == 1)
        try replica.change { $0.addTag("rye") }
        #expect(try replica.versions.count == 3)
        #expect(try replica.versions[0].parents == [versions[0].name])
    }

    @Test func `what changes nothing notes nothing`() throws {
        try replica.change { $0.set(.title, .string("Bread")) }
        try replica.change { $0.addTag("dough") }
        try replica.settle()
        #expect(try replica.names("history").isEmpty)
        try replica.change { $0.addTag("rye") }
        let names = try replica.names("history")
        try replica.change { $0.addTag("rye") }
        try replica.settle()
        #expect(try replica.names("history") == names)
    }

    @Test func `a text and the fields that change with it are one version`() throws {
        try replica.setText("One.\n\nTwo and a half.\n\nThree.\n")
        #expect(try replica.versions.count == 2)
        _ = try replica.library.change("remove") { try $0.removeText(replica.stored) }
        let versions = try replica.versions
        #expect(versions.count == 3 && versions.allSatisfy { $0.parents.count < 2 })
        #expect(versions[0].isCurrent)
    }

    @Test func `an undo notes what it makes`() throws {
        try replica.change { $0.set(.title, .string("Sourdough")) }
        let number = try #require(try replica.library.history()?.undoable.first?.number)
        #expect(try replica.library.undo([number], StepHeader(command: "undo")).changedCount == 1)
        #expect(try replica.title == "Bread")
        let versions = try replica.versions
        #expect(versions.count == 3 && versions[0].isCurrent)
    }

    @Test func `an editor's save is noted on what was known before it`() throws {
        try replica.save("text.md", "One.\n\nTwo, edited.\n\nThree.\n")
        try replica.settle()
        let versions = try replica.versions
        try #require(versions.count == 2)
        #expect(versions[0].isCurrent && versions[0].parents == [versions[1].name])
        let changes = try #require(try replica.library.changes(by: versions[0], of: replica.stored))
        #expect(changes.fields == nil)
        #expect(changes.texts?.old == Array("One.\n\nTwo.\n\nThree.\n".utf8))
        // The file is as the editor left it, and the next sweep has nothing to do.
        #expect(try replica.text == "One.\n\nTwo, edited.\n\nThree.\n")
        let names = try replica.names("history")
        try replica.settle()
        #expect(try replica.names("history") == names)
    }

    @Test func `a save is no conflict with the one before it, though the program was killed before it noted a third`()
        throws
    {
        let known = "library/.sbfs/known/01/\(Replica.id)"
        try replica.setText("Begun.\n")
        try replica.save("text.md", "First.\n")
        try replica.settle()
        let first = try replica.versions[0].name
        // As it is before a version is written.
        let unwritten = String(repeating: "0", count: 64)
        let text = try replica.scratch.text(known).replacingOccurrences(
            of: "\"at\": \"\(first)\"", with: "\"at\": \"\(unwritten)\", \"from\": \"\(first)\"")
        #expect(text.contains(unwritten))
        try replica.scratch.write(known, text)
        try replica.save("text.md", "Second.\n")
        try replica.settle()
        #expect(try replica.text == "Second.\n" && replica.versions[0].parents == [first])
        #expect(try !replica.scratch.text(known).contains("from"))
    }

    @Test func `a save that no sweep saw is noted before a command changes the item`() throws {
        try replica.saveTitle("Sourdough", for: "Bread")
        try replica.change { $0.addTag("rye") }
        let versions = try replica.versions
        #expect(versions.count == 3 && versions[0].isCurrent)
        let edit = try #require(try replica.library.changes(by: versions[1], of: replica.stored))
        #expect(edit.texts == nil && edit.fields.map { $0.new.text("title") } == "Sourdough")
    }

    @Test func `earlier bytes that are put back here become a version`() throws {
        let old = try replica.text
        try replica.setText("Other words.\n")
        try replica.save("text.md", old)
        try replica.settle()
        #expect(try replica.text == old)
        #expect(try replica.versions[0].isCurrent)
    }

    @Test func `a draft that was moved over the text later is an edit, and so is a backup that is moved back`() throws {
        let text = replica.folder + "/text.md", old = try replica.text
        try replica.scratch.write("draft.md", "One.\n\nTwo, drafted.\n\nThree.\n")
        try replica.scratch.rename(text, to: "backup.md")
        usleep(100_000)
        try replica.scratch.rename("draft.md", to: text)
        try replica.settle()
        #expect(try replica.versions.count == 2 && replica.versions[0].isCurrent)
        try replica.scratch.rename("backup.md", to: text)
        try replica.settle()
        #expect(try replica.text == old)
        #expect(try replica.versions.count == 3 && replica.versions[0].isCurrent)
    }

    @Test func `an item that does not parse, a damaged version and a torn memory stop nothing`() throws {
        try replica.change { $0.set(.title, .string("Sourdough")) }
        let version = try replica.versions[0].name
        try replica.scratch.write(replica.folder + "/history/\(version).json", "torn")
        for path in try replica.scratch.names("library/.sbfs/known/01") {
            try replica.scratch.write("library/.sbfs/known/01/" + path, "{")
        }
        try replica.change { $0.addTag("rye") }
        #expect(try replica.tags == ["dough", "rye"] && replica.title == "Sourdough")
        #expect(try replica.versions[0].isCurrent)
        let bytes = try replica.scratch.bytes(replica.folder + "/item.json")
        try replica.save("item.json", "{")
        try replica.settle()
        #expect(try replica.scratch.text(replica.folder + "/item.json") == "{")
        try replica.scratch.write(replica.folder + "/item.json", bytes)
        try replica.settle()
        #expect(try replica.tags == ["dough", "rye"])
    }

    @Test func `an item with a key that no string can hold has no versions, and keeps its bytes`() throws {
        try replica.saveTitle(#"Bread", "x\udc00y": ["a"], "other": "b"#, for: "Bread")
        try replica.change { $0.addTag("rye") }
        try replica.settle()
        #expect(try replica.tags == ["dough", "rye"] && replica.names("history").isEmpty)
        #expect(try replica.scratch.text(replica.folder + "/item.json").contains(#""x\udc00y": ["#))
        #expect(throws: FileJoin.Failure.self) {
            try FileJoin(
                .object, base: nil, ours: Array(#"{"id": "1", "x\udc00y": 1}"#.utf8),
                theirs: Array(#"{"id": "1"}"#.utf8))
        }
    }
}
