import Files
import TestSupport
import Testing
import Time

@testable import Items

/// Changes to item.json while programs without locks save it.
struct StoreUpdateTests {
    let library: TestLibrary

    init() throws { library = try TestLibrary() }

    private func setTitle(_ stored: StoredItem, _ title: String) throws -> Bool {
        var edit = ItemEdit(base: stored.json)
        edit.set(.title, .string(title))
        return try library.session.update(stored, edit)
    }

    @Test func `a change is written, an equal one is not`() throws {
        let stored = try library.add { $0.title = "a" }
        #expect(try setTitle(stored, "b"))
        let changed = try library.item(stored.id)
        #expect(changed.item.title == "b")
        #expect(changed.item.updatedAt ?? .now > stored.item.updatedAt ?? .now)
        let before = try library.text(stored, "item.json")
        #expect(try !setTitle(changed, "b"))
        #expect(try library.text(stored, "item.json") == before)
        #expect(try library.leftovers().isEmpty)
        #expect(try library.conflicts(stored).isEmpty)
    }

    @Test func `the file's permissions are kept`() throws {
        let stored = try library.add()
        let path = stored.folder + "/item.json"
        let root = try library.scratch.directory()
        let bytes = try library.scratch.bytes(path)
        try root.writeFile(path, bytes, permissions: 0o600)
        #expect(try setTitle(try library.item(stored.id), "b"))
        #expect(try root.statusIfPresent(of: path)?.permissions == 0o600)
    }

    @Test func `another field that was changed by hand meanwhile is kept`() throws {
        let stored = try library.add { $0.title = "a" }
        try library.write(stored, "item.json", #"{"title": "a", "description": "by hand", "x": 1.0}"#)
        #expect(try setTitle(stored, "b"))
        let item = try library.item(stored.id)
        #expect(item.item.title == "b")
        #expect(item.item.description == "by hand")
        #expect(try library.text(stored, "item.json").contains("\"x\": 1.0"))
    }

    @Test func `the same field changed by hand meanwhile is a conflict, and both versions exist`() throws {
        let stored = try library.add { $0.title = "a" }
        let theirs = #"{"title": "by hand"}"#
        try library.write(stored, "item.json", theirs)
        let error = #expect(throws: ItemError.self) { _ = try setTitle(stored, "ours") }
        guard case .conflict(stored.id, "title", let kept?)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try library.text(stored, "item.json") == theirs)
        #expect(try library.scratch.text(kept).contains("\"title\": \"ours\""))
        #expect(try library.conflicts(stored).count == 1)
        #expect(try library.leftovers().isEmpty)
    }

    @Test(arguments: ["{\"title\": \"half", "", "{\"title\": \"a\",}", "\u{FEFF}", "{\"title\": \"a\"}garbage\r\n"])
    func `a file that does not parse at that moment stays byte for byte`(_ text: String) throws {
        let stored = try library.add { $0.title = "a" }
        try library.write(stored, "item.json", text)
        let error = #expect(throws: ItemError.self) { _ = try setTitle(stored, "b") }
        guard case .malformed? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try library.text(stored, "item.json") == text)
        #expect(try library.leftovers().isEmpty)
    }

    @Test(arguments: ["[\"not\", \"an object\"]", "5"])
    func `a file that holds something else at that moment stays byte for byte`(_ text: String) throws {
        let stored = try library.add { $0.title = "a" }
        try library.write(stored, "item.json", text)
        let error = #expect(throws: ItemError.self) { _ = try setTitle(stored, "b") }
        guard case .fault? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try library.text(stored, "item.json") == text)
    }

    @Test func `tags that are no list are not overwritten`() throws {
        let stored = try library.stored(#"{"tags": "a, b"}"#)
        var edit = ItemEdit(base: stored.json)
        edit.addTag("c")
        #expect(throws: ItemError.self) { _ = try library.session.update(stored, edit) }
        #expect(try library.text(stored, "item.json") == #"{"tags": "a, b"}"#)
    }

    @Test func `an item in two shards is never written`() throws {
        let stored = try library.add {
            $0.title = "a"
            $0.text = Array("text".utf8)
            $0.documentPath = library.scratch.full("library.json")
        }
        var edit = ItemEdit(base: stored.json)
        edit.trash(at: .now)
        try library.session.update(stored, edit)
        let trashed = try library.item(stored.id)
        let other = stored.id.shard == "00" ? "01" : "00"
        try library.scratch.write("items/\(other)/\(stored.id)/item.json", "{}")
        let before = try library.snapshot()
        #expect(throws: ItemError.self) { _ = try setTitle(trashed, "b") }
        #expect(throws: ItemError.self) { _ = try library.session.updateText(trashed, .append([0x61])) }
        #expect(throws: ItemError.self) { try library.session.removeText(trashed) }
        #expect(throws: ItemError.self) {
            try library.session.attach(library.scratch.full(".gitignore"), to: trashed, isReplacing: true)
        }
        #expect(throws: ItemError.self) { try library.session.detachDocument(from: trashed) }
        #expect(throws: ItemError.self) { try library.session.purge(trashed) }
        #expect(try library.snapshot() == before)
        #expect(try library.store.folders(of: stored.id).count == 2)
    }

    @Test func `a missing item that no editor restores is reported`() throws {
        let stored = try library.add { $0.title = "a" }
        try library.scratch.removeFile(stored.folder + "/item.json")
        let error = #expect(throws: ItemError.self) { _ = try setTitle(stored, "b") }
        guard case .noItem(stored.id)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try library.scratch.names(stored.folder).isEmpty)
    }

    @Test func `writers of one item take turns and none of their tags is lost`() throws {
        let stored = try library.add()
        let session = library.session
        // So many that some open item.json while another one exchanges it: openat2 then says EXDEV.
        try Workers.run(100, threads: 4) { number in
            var edit = ItemEdit(base: stored.json)
            edit.addTag("tag\(number)")
            try session.update(stored, edit)
        }
        #expect(Set(try library.item(stored.id).item.tags) == Set((0..<100).map { "tag\($0)" }))
    }

    @Test func `trash and restore set and remove both marks`() throws {
        let stored = try library.add { $0.tags = ["a"] }
        var edit = ItemEdit(base: stored.json)
        edit.trash(at: .now)
        try library.session.update(stored, edit)
        let trashed = try library.item(stored.id)
        #expect(trashed.item.hasBothTrashMarks)
        var restore = ItemEdit(base: trashed.json)
        restore.restore()
        try library.session.update(trashed, restore)
        let restored = try library.item(stored.id)
        #expect(!restored.item.isTrashed)
        #expect(restored.item.tags == ["a"])
    }
}
