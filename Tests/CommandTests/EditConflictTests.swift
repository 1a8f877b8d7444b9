import Testing

/// Two programs that change one item at the same time.
struct EditConflictTests {
    let sandbox: Sandbox
    let id: String

    init() throws {
        sandbox = try Sandbox()
        id = try sandbox.snippet("# Soup\n", title: "Dinner", tags: "food")
    }

    /// An editor in which the person changes the draft while another program changes the item's own file.
    private func meanwhile(_ theirs: String, _ ours: String, _ name: String = "item.json") throws {
        try sandbox.useEditor("sed -i '\(theirs)' '\(sandbox.path(id, name))'; sed -i '\(ours)' \"$1\"")
    }

    @Test func `changes of different fields are both there`() throws {
        try meanwhile(#"s/"Dinner"/"Theirs"/"#, #"s/"source": "cli"/"source": "cli", "description": "ours"/"#)
        try sandbox.sbfs("edit", id)
        #expect(try sandbox.title(id) == "Theirs")
        #expect(try sandbox.item(id)["description"] as? String == "ours")
        #expect(try sandbox.conflicts(id).isEmpty)
    }

    @Test func `tags of both are there`() throws {
        try meanwhile(#"s/"food"/"food",\n    "theirs"/"#, #"s/"food"/"ours"/"#)
        try sandbox.sbfs("edit", id)
        #expect(try sandbox.tags(id) == ["theirs", "ours"])
    }

    @Test func `changes of one field end with 5 and both are kept`() throws {
        try meanwhile(#"s/"Dinner"/"Theirs"/"#, #"s/"Dinner"/"Ours"/"#)
        let run = try sandbox.sbfs("edit", id, exits: 5)
        let kept = try sandbox.conflicts(id)
        #expect(kept.count == 1)
        let name = try #require(kept.first)
        #expect(
            run.err
                == "sbfs: \(id.suffix(8)): title was changed by another program at the same time and is left as that "
                + "program wrote it; your version is kept in items/\(id.suffix(2))/\(id)/conflicts/\(name)\n")
        #expect(name.hasSuffix(".item.json"))
        #expect(try sandbox.title(id) == "Theirs")
        #expect(try sandbox.scratch.text(sandbox.folder(id) + "/conflicts/" + name).contains("\"title\": \"Ours\""))
        #expect(try sandbox.sbfs("check", "--read-data").out.contains("conflicts: 1 version to review"))
        #expect(try !sandbox.scratch.exists(sandbox.draft(id, "item.json")))
    }

    @Test func `the same change by both is no conflict`() throws {
        try meanwhile(#"s/"Dinner"/"Supper"/"#, #"s/"Dinner"/"Supper"/"#)
        try sandbox.sbfs("edit", id)
        #expect(try sandbox.title(id) == "Supper")
        #expect(try sandbox.conflicts(id).isEmpty)
    }

    @Test func `two texts end with 5 and both are kept`() throws {
        try meanwhile("s/Soup/Theirs/", "s/Soup/Ours/", "text.md")
        let run = try sandbox.sbfs("edit", id, "--text", exits: 5)
        let kept = try sandbox.conflicts(id)
        #expect(run.err.contains("the text was changed by another program at the same time"))
        #expect(try sandbox.text(id) == "# Theirs\n")
        #expect(kept.count == 1)
        #expect(try sandbox.scratch.text(sandbox.folder(id) + "/conflicts/" + (kept.first ?? "")) == "# Ours\n")
    }

    @Test func `an item that stops parsing meanwhile is left as it is`() throws {
        try meanwhile("s/{/{ oops/", #"s/"Dinner"/"Ours"/"#)
        let run = try sandbox.sbfs("edit", id, exits: nil)
        #expect(run.status == 1 || run.status == 5)
        #expect(run.err.contains("item.json"))
        #expect(try sandbox.itemText(id).hasPrefix("{ oops"))
        // The person's text is kept somewhere.
        let draft = try sandbox.draft(id, "item.json")
        let isKept = sandbox.scratch.exists(draft) ? try sandbox.scratch.text(draft).contains("Ours") : false
        #expect(try isKept || !sandbox.conflicts(id).isEmpty)
    }

    @Test func `an unfinished edit does not undo later changes`() throws {
        try sandbox.useEditor("echo oops >> \"$1\"")
        try sandbox.sbfs("edit", id, exits: 1)
        try sandbox.sbfs("tag", "add", id, "later")
        try sandbox.useEditor(#"sed -i -e /oops/d -e 's/"Dinner"/"Supper"/' "$1""#)
        try sandbox.sbfs("edit", id)
        #expect(try sandbox.title(id) == "Supper")
        #expect(try sandbox.tags(id) == ["food", "later"])
    }
}
