import TestSupport
import Testing

@testable import Items

/// Undoing a command that added items.
struct UndoAdditionTests {
    let box: Sandbox

    init() throws { box = try Sandbox() }

    /// Adds three links in one step.
    private func add() throws -> [String] {
        try box.sbfs(
            "add", "https://a.example.org/", "https://b.example.org/", "https://c.example.org/", "--no-archive"
        ).lines
    }

    @Test func `an item that was changed since stays and is named, and the others go into the trash`() throws {
        let ids = try add()
        try box.scratch.write(box.folder(ids[0]) + "/text.md", "mine\n")
        try box.sbfs("tag", "add", ids[1], "mine")
        let dry = try box.sbfs("undo", "1", "--dry-run", exits: 5)
        #expect(dry.err.contains("the new item was changed since"))
        let run = try box.sbfs("undo", "1", exits: 5)
        #expect(run.err.contains("the new item was changed since; the item is left as it is"))
        #expect(run.err.contains(ids[0].suffix(8)) && run.err.contains(ids[1].suffix(8)))
        #expect(try box.ids("is:trashed") == [ids[2]])
        #expect(try box.text(ids[0]) == "mine\n" && box.tags(ids[1]) == ["mine"])
        #expect(try box.sbfs("log", "--json").array().contains { $0["state"] as? String == "partly undone" })
        // What was changed is undone first; then nothing keeps the item.
        try box.sbfs("undo", "2")
        try box.scratch.removeFile(box.folder(ids[0]) + "/text.md")
        try box.sbfs("undo", "1")
        #expect(try box.ids("is:trashed") == Set(ids))
    }

    @Test func `an item of which another device renamed a tag stays, also after a later step is undone`() throws {
        let exchange = box.scratch.full("exchange")
        let id = try box.sbfs("add", "https://a.example.org/", "--tag", "tb", "--no-archive").lines[0]
        try box.sbfs("collection", "add", id, "K")
        try box.sbfs("remote", "add", "cloud", exchange)
        try box.sbfs("sync")
        let other = try Sandbox(isLibraryMade: false)
        try other.sbfs("init", "--from", exchange)
        try other.sbfs("sync")
        try other.sbfs("tag", "rename", "tb", "TB")
        try other.sbfs("sync")
        try box.sbfs("sync")
        try box.sbfs("undo", "2")
        #expect(try box.tags(id) == ["TB"])
        #expect(try box.sbfs("undo", "1", exits: 5).err.contains("the new item was changed since"))
        #expect(try box.ids("is:trashed").isEmpty)
    }

    @Test func `an imported archive's items that were changed since stay`() throws {
        let text = try box.snippet("words\n", title: "One"), other = try box.snippet("more\n", title: "Two")
        try box.sbfs("export", "--full", box.scratch.full("all.tar"))
        let second = try Sandbox()
        try second.sbfs("import", box.scratch.full("all.tar"))
        try second.scratch.write(second.folder(text) + "/text.md", "words of mine\n")
        #expect(try second.sbfs("undo", exits: 5).err.contains(text.suffix(8)))
        #expect(try second.ids("is:trashed") == [other])
    }

    @Test func `what sbfs notes of a page, another form of the JSON and the trash are no changes`() throws {
        let ids = try add()
        let item = try box.itemText(ids[0])
        try box.plant(
            ids[0],
            item.replacingLines { $0.hasPrefix("  \"linkURL\"") ? $0 + "\n\"linkTitle\": \"A page\",\n" : $0 })
        try box.sbfs("set", ids[1], "archiveStatus=failed", "archiveReason=http_404", "linkStatus=dead")
        try box.sbfs("trash", ids[2])
        try box.sbfs("restore", ids[2])
        try box.sbfs("undo", "1")
        #expect(try box.ids("is:trashed") == Set(ids))
    }

    @Test func `items of a step that an earlier program recorded go into the trash`() throws {
        let ids = try add()
        try box.scratch.write(box.folder(ids[0]) + "/text.md", "mine\n")
        let log = try #require(try box.scratch.names("library/.sbfs").first { $0.hasPrefix("log-") })
        let path = "library/.sbfs/\(log)/00000001"
        let lines = try box.scratch.text(path).split(separator: "\n", omittingEmptySubsequences: false)
        let json = "{\"added\":[" + ids.map { "\"\($0)\"" }.joined(separator: ",") + "]}\n"
        let frame = "\(json.utf8.count) 0 \(StagedName.hash(Array(json.utf8)))\n" + json
        try box.scratch.write(path, lines[0] + "\n" + frame + lines.dropFirst(3).joined(separator: "\n"))
        try box.sbfs("undo")
        #expect(try box.ids("is:trashed") == Set(ids))
    }
}

extension String {
    fileprivate func replacingLines(_ body: (String) -> String) -> String {
        split(separator: "\n", omittingEmptySubsequences: false).map { body(String($0)) }.joined(separator: "\n")
    }
}
