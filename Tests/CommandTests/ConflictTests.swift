import Files
import Testing

/// `conflicts` and `resolve`: what could not be joined is shown, and ends as one undoable step.
struct ConflictTests {
    let sandbox: Sandbox
    let id: String

    init() throws {
        sandbox = try Sandbox()
        id = try sandbox.snippet("Feed.\n\nWait for a day.\n\nBake.\n", title: "Bread", tags: "dough")
    }

    /// Writes a conflict as the merge driver does, and returns the file's name.
    @discardableResult
    private func conflict(_ field: String, _ one: String, _ two: String, base: String = "null") throws -> String {
        let bytes =
            "{\n  \"field\": \"\(field)\",\n  \"base\": \(base),\n  \"values\": [\n    \(one),\n    \(two)\n  ]\n}\n"
        let name = String(SHA256.hex(Array(bytes.utf8)).prefix(16)) + ".json"
        try sandbox.scratch.write(sandbox.folder(id) + "/conflicts/" + name, bytes)
        return name
    }

    @Test func `an item without conflicts has none to list or resolve`() throws {
        #expect(try sandbox.sbfs("conflicts", exits: 3).err.contains("no conflicts"))
        #expect(try sandbox.sbfs("conflicts", id, "--json", exits: 3).out == "[]\n")
        #expect(try sandbox.sbfs("resolve", id, "--take", "1", exits: 3).err.contains("has no conflicts"))
    }

    @Test func `conflicts of items in the trash are told with what lists them`() throws {
        try conflict("title", "\"Bread\"", "\"Sourdough\"")
        #expect(try !sandbox.sbfs("conflicts").err.contains("trash"))
        try sandbox.sbfs("trash", id)
        let run = try sandbox.sbfs("conflicts", exits: 3)
        let query = "sbfs conflicts -q 'is:conflicted is:trashed'"
        #expect(run.out.isEmpty)
        #expect(run.err == "sbfs: no conflicts outside the trash; 1 item in the trash has some: \(query)\n")
        #expect(try sandbox.shell(query).out.contains("Sourdough"))
        let other = try sandbox.snippet("Mix.", title: "Rye")
        try sandbox.sbfs("trash", other)
        let folder = sandbox.folderInLibrary(id) + "/conflicts"
        try sandbox.shell(
            "cd \"$SBFS_LIBRARY\"; mkdir \(sandbox.folderInLibrary(other))/conflicts; cp \(folder)/* \(sandbox.folderInLibrary(other))/conflicts"
        )
        try sandbox.sbfs("restore", id)
        let both = try sandbox.sbfs("conflicts")
        #expect(both.out.contains("Sourdough"))
        #expect(both.err == "sbfs: 1 item in the trash has conflicts, too: \(query)\n")
    }

    @Test func `a conflict that was reopened and resolved again comes back under a name that no version ends`() throws {
        try conflict("title", "\"Bread\"", "\"Sourdough\"")
        try sandbox.sbfs("resolve", id, "--take", "2")
        for command in ["undo", "redo", "undo"] { try sandbox.sbfs(command) }
        try sandbox.sbfs("tag", "add", id, "rye")
        #expect(try sandbox.ids("is:conflicted") == [id])
        #expect(try sandbox.sbfs("conflicts", id).lines.count == 1)
    }

    @Test func `conflicts are listed with both values and the one that stands`() throws {
        try conflict("title", "\"Bread\"", "\"Sourdough\"", base: "\"Loaf\"")
        try conflict("servings", "1.50e1", "2")
        let list = try sandbox.sbfs("conflicts", "--json").array()
        #expect(list.map { $0["field"] as? String } == ["servings", "title"])
        #expect(list[1]["standing"] as? Int == 1 && list[1]["base"] as? String == "Loaf")
        #expect(list[1]["values"] as? [String] == ["Bread", "Sourdough"])
        let rows = try sandbox.sbfs("conflicts", id).lines
        #expect(rows[0].contains("\tservings\t") && rows[0].contains("\t1.50e1\t2\t"))
        #expect(try sandbox.sbfs("conflicts", "--ndjson").stream().count == 2)
        #expect(try sandbox.ids("is:conflicted") == [id])
    }

    @Test func `what a copying program left in conflicts is no conflict`() throws {
        try sandbox.scratch.write(sandbox.folder(id) + "/conflicts/.syncthing.0123456789abcdef.json.tmp", "{}")
        #expect(try sandbox.ids("is:conflicted") == [])
        #expect(try !sandbox.sbfs("show", id).out.contains("Conflicts"))
        #expect(try !sandbox.sbfs("list", "--format", "table").out.contains("≠"))
        #expect(try sandbox.sbfs("conflicts", exits: 3).err.contains("no conflicts"))
    }

    @Test func `taking a value sets the field, and undo brings both back`() throws {
        let name = try conflict("title", "\"Bread\"", "\"Sourdough\"")
        try sandbox.sbfs("resolve", id, "--take", "2", "--dry-run")
        #expect(try sandbox.title(id) == "Bread" && sandbox.conflicts(id) == [name])
        try sandbox.sbfs("resolve", id, "title", "--take", "2")
        #expect(try sandbox.title(id) == "Sourdough" && sandbox.conflicts(id) == [])
        #expect(try sandbox.ids("is:conflicted") == [])
        try sandbox.sbfs("undo")
        // A version says that the first one is resolved, so it comes back under another name.
        #expect(try sandbox.title(id) == "Bread" && sandbox.conflicts(id).count == 1 && sandbox.conflicts(id) != [name])
        #expect(try sandbox.ids("is:conflicted") == [id])
        try sandbox.sbfs("redo")
        #expect(try sandbox.title(id) == "Sourdough" && sandbox.conflicts(id) == [])
    }

    @Test func `a resolution that was undone stays undone when the item is joined again`() throws {
        let name = try conflict("title", "\"Bread\"", "\"Sourdough\"")
        func join() throws {
            // A copying program brings the conflict again, and an editor gives the join something to do.
            try conflict("title", "\"Bread\"", "\"Sourdough\"")
            try sandbox.scratch.write(sandbox.folder(id) + "/text.md", "Feed \(UInt32.random(in: 0...UInt32.max)).\n")
            try sandbox.sbfs("conflicts", exits: nil)
        }
        try sandbox.sbfs("resolve", id, "--take", "2")
        try join()
        #expect(try sandbox.conflicts(id) == [])
        try sandbox.sbfs("undo")
        try join()
        let again = try sandbox.conflicts(id)
        #expect(again.count == 1 && again != [name])
        try sandbox.sbfs("redo")
        try join()
        #expect(try sandbox.conflicts(id) == [])
    }

    @Test func `a resolution can be undone where a copying program brought the conflict's file again`() throws {
        let name = try conflict("title", "\"Bread\"", "\"Sourdough\"")
        try sandbox.sbfs("resolve", id, "--take", "2")
        try conflict("title", "\"Bread\"", "\"Sourdough\"")
        try sandbox.sbfs("undo")
        try sandbox.sbfs("tag", "add", id, "rye")
        #expect(try sandbox.title(id) == "Bread")
        #expect(try sandbox.conflicts(id).count == 1 && sandbox.conflicts(id) != [name])
        #expect(try sandbox.ids("is:conflicted") == [id])
    }

    @Test func `a value and the editor together are one error that says so`() throws {
        let name = try conflict("title", "\"Bread\"", "\"Sourdough\"")
        let run = try sandbox.sbfs("resolve", id, "--take", "1", "--edit", exits: 2)
        #expect(run.err.hasPrefix("sbfs: give --take or --edit, not both\n"))
        #expect(try sandbox.conflicts(id) == [name])
    }

    @Test func `the value that stands can be taken, and undo brings the file back`() throws {
        let name = try conflict("title", "\"Bread\"", "\"Sourdough\"")
        let before = try sandbox.itemText(id)
        #expect(try sandbox.sbfs("resolve", id, "--take", "1").err.contains("its value stays"))
        #expect(try sandbox.itemText(id) == before && sandbox.conflicts(id) == [])
        try sandbox.sbfs("undo")
        #expect(try sandbox.conflicts(id).count == 1 && sandbox.conflicts(id) != [name])
    }

    @Test(arguments: [
        ("1", "Feed.\n\nWait a bit.\n\nBake.\n"), ("2", "Feed.\n\nWait for a day.\n\nBake.\n"),
        ("both", "Feed.\n\nWait a bit.\n\nWait for a day.\n\nBake.\n"),
    ])
    func `a paragraph is taken where it stands`(_ choice: String, _ text: String) throws {
        let name = try conflict("text", "\"Wait a bit.\"", "\"Wait for a day.\"", base: "\"Wait.\"")
        try sandbox.sbfs("resolve", id, "text", "--take", choice)
        #expect(try sandbox.text(id) == text && sandbox.conflicts(id) == [])
        try sandbox.sbfs("undo")
        #expect(try sandbox.text(id) == "Feed.\n\nWait for a day.\n\nBake.\n")
        #expect(try sandbox.conflicts(id).count == 1 && sandbox.conflicts(id) != [name])
    }

    @Test func `a paragraph that is gone is not guessed`() throws {
        let name = try conflict("text", "\"Wait a bit.\"", "\"Wait a year.\"")
        let run = try sandbox.sbfs("resolve", id, "--take", "1", exits: 1)
        #expect(run.err.contains("neither paragraph is in text.md any more; nothing was changed; use --edit"))
        #expect(try sandbox.conflicts(id) == [name])
    }

    @Test func `one of several conflicts of a field is named by its file, and the others stay`() throws {
        let one = try conflict("title", "\"Bread\"", "\"Sourdough\""),
            two = try conflict("title", "\"Bread\"", "\"Rye\"")
        #expect(try sandbox.sbfs("resolve", id, "title", "--take", "2", exits: 1).err.contains("2 such conflicts"))
        try sandbox.sbfs("resolve", id, String(two.prefix(8)), "--take", "2")
        #expect(try sandbox.title(id) == "Rye" && sandbox.conflicts(id) == [one])
    }

    @Test func `notes, fields of the assistant and unknown keys get their values`() throws {
        try sandbox.plant(
            id,
            """
            {"id": "\(id)", "a.b": 1, "a": {"b": {"c": 2}}, "aiSummary": "old",
             "annotations": [{"id": "n", "note": "one"}, "kept"], "updatedAt": "2026-11-21T10:15:00.000Z"}
            """)
        try conflict("a.b.c", "2", "3.0")
        try conflict("annotations.n", #"{"id": "n", "note": "one"}"#, #"{"id": "n", "note": "two"}"#)
        try conflict("ai", #"["new", null, "m", null]"#, #"["old", null, null, null]"#)
        try sandbox.sbfs("resolve", id, "a.b.c", "--take", "2")
        try sandbox.sbfs("resolve", id, "annotations.n", "--take", "both")
        try sandbox.sbfs("resolve", id, "ai", "--take", "1")
        let item = try sandbox.item(id)
        #expect(((item["a"] as? [String: Any])?["b"] as? [String: Any])?["c"] as? Double == 3)
        #expect(try sandbox.itemText(id).contains("3.0"))
        #expect(item["a.b"] as? Int == 1)
        #expect(item["aiSummary"] as? String == "new" && item["aiModelID"] as? String == "m")
        let notes = try #require(item["annotations"] as? [Any])
        #expect(notes.count == 3 && (notes[2] as? [String: Any])?["note"] as? String == "two")
        #expect(try sandbox.conflicts(id) == [])
    }

    @Test func `a field that holds one value does not take both, and own fields none`() throws {
        try conflict("title", "\"Bread\"", "\"Sourdough\"")
        try conflict("documentRelativePath", "\"../../x\"", "null")
        try conflict("isPinned", "\"yes\"", "true")
        #expect(try sandbox.sbfs("resolve", id, "title", "--take", "both", exits: 1).err.contains("holds one value"))
        #expect(
            try sandbox.sbfs("resolve", id, "documentRelativePath", "--take", "1", exits: 1).err
                .contains("sbfs sets this field itself"))
        #expect(try sandbox.sbfs("resolve", id, "isPinned", "--take", "1", exits: nil).status != 0)
        #expect(try sandbox.conflicts(id).count == 3)
    }

    @Test func `a conflict does not come back without its item`() throws {
        try conflict("title", "\"Bread\"", "\"Sourdough\"")
        try sandbox.sbfs("resolve", id, "--take", "1")
        try sandbox.shell("rm -rf '\(sandbox.library)/items/'*/'\(id)'")
        try sandbox.sbfs("undo", exits: nil)
        #expect(!sandbox.scratch.exists(sandbox.folder(id)))
    }

    @Test func `broken files are named and in nobody's way`() throws {
        let name = try conflict("title", "\"Bread\"", "\"Sourdough\"")
        let folder = sandbox.folder(id) + "/conflicts/"
        try sandbox.scratch.write(folder + "0123456789abcdef.json", "{}")
        try sandbox.scratch.write(folder + "20261121T101500Z-ca3d163b.item.json", "{}\n")
        try sandbox.shell("ln -s /etc/passwd '\(sandbox.path(id, "conflicts"))/fedcba9876543210.json'")
        let run = try sandbox.sbfs("conflicts")
        #expect(run.lines.count == 1)
        #expect(run.err.contains("0123456789abcdef.json does not match the hash in its name: passed over"))
        #expect(run.err.contains("fedcba9876543210.json is no regular file"))
        #expect(run.err.contains("20261121T101500Z-ca3d163b.item.json is a whole version"))
        #expect(try sandbox.sbfs("check", "--read-data", exits: nil).out.contains("0123456789abcdef.json"))
        try sandbox.sbfs("resolve", id, "--take", "2")
        #expect(try sandbox.conflicts(id).contains(name) == false)
    }

    @Test func `the editor sees both values between marks, and marks may not stay`() throws {
        let name = try conflict("title", "\"Bread\"", "\"Sourdough\"", base: "\"Loaf\"")
        try sandbox.useEditor("cp \"$1\" \"$HOME/seen\"")
        let run = try sandbox.sbfs("resolve", id, "--edit", exits: 1)
        #expect(run.err.contains("is still in it; nothing was changed"))
        #expect(try sandbox.conflicts(id) == [name])
        #expect(
            try sandbox.scratch.text("home/seen")
                == "<<<<<<< 1\nBread\n||||||| before\nLoaf\n=======\nSourdough\n>>>>>>> 2\n")
        try sandbox.useEditor("printf 'Sourdough bread\\n' >\"$1\"")
        try sandbox.sbfs("resolve", id, "--edit")
        #expect(try sandbox.title(id) == "Sourdough bread" && sandbox.conflicts(id) == [])
    }

    @Test func `a draft of before does not go over a text that changed since`() throws {
        let name = try conflict("text", "\"Wait a bit.\"", "\"Wait for a day.\"", base: "\"Wait.\"")
        try sandbox.useEditor("printf 'Feed.\\n\\n<<<<<<< 1\\nMy draft.\\n' >\"$1\"")
        #expect(try sandbox.sbfs("resolve", id, "--edit", exits: 1).err.contains("is still in it; nothing was changed"))
        try sandbox.useEditor("printf 'Feed.\\n\\nWait a bit.\\n\\nBake longer.\\n' >\"$1\"")
        try sandbox.sbfs("edit", id, "--text")
        try sandbox.useEditor("cp \"$1\" \"$HOME/seen\"; printf 'Feed.\\n\\nWait.\\n' >\"$1\"")
        let refused = try sandbox.sbfs("resolve", id, "--edit", exits: 1)
        #expect(refused.err.contains("the text has changed since the unfinished draft in "))
        #expect(!sandbox.scratch.exists("home/seen"))
        #expect(try sandbox.text(id) == "Feed.\n\nWait a bit.\n\nBake longer.\n" && sandbox.conflicts(id) == [name])
        let draft = try #require(refused.err.split(separator: " ").first { $0.hasSuffix("/text.md") })
        #expect(try String(contentsOfFile: String(draft), encoding: .utf8).contains("My draft."))
        try sandbox.sbfs("resolve", id, "--edit", "--discard")
        #expect(try sandbox.scratch.text("home/seen").contains("Bake longer."))
        #expect(try sandbox.text(id) == "Feed.\n\nWait.\n" && sandbox.conflicts(id) == [])
    }

    @Test func `a text is edited whole`() throws {
        try conflict("text", "\"Wait a bit.\"", "\"Wait for a day.\"", base: "\"Wait.\"")
        try sandbox.useEditor("cp \"$1\" \"$HOME/seen\"; printf 'Feed.\\n\\nWait.\\n\\nBake.\\n' >\"$1\"")
        try sandbox.sbfs("resolve", id, "--edit")
        #expect(
            try sandbox.scratch.text("home/seen")
                == "Feed.\n\n<<<<<<< 1\nWait a bit.\n||||||| before\nWait.\n=======\nWait for a day.\n>>>>>>> 2\n\nBake.\n"
        )
        #expect(try sandbox.text(id) == "Feed.\n\nWait.\n\nBake.\n" && sandbox.conflicts(id) == [])
    }

    @Test func `a merge tool gets each side in a file of its own, and its result is taken`() throws {
        let tool = #"cat "$LOCAL" "$BASE" "$REMOTE" >"$HOME/seen"; printf 'Feed.\n\nWait.\n' >"$MERGED""#
        try sandbox.sbfs("config", "mergetool", tool)
        try sandbox.useEditor("false")
        try conflict("text", "\"Wait a bit.\"", "\"Wait for a day.\"", base: "\"Wait.\"")
        try sandbox.sbfs("resolve", id, "--edit")
        let sides = ["Wait a bit.", "Wait.", "Wait for a day."].map { "Feed.\n\n\($0)\n\nBake.\n" }
        #expect(try sandbox.scratch.text("home/seen") == sides.joined())
        #expect(try sandbox.text(id) == "Feed.\n\nWait.\n" && sandbox.conflicts(id) == [])
        try sandbox.sbfs("config", "mergetool", "false")
        let name = try conflict("title", "\"Bread\"", "\"Sourdough\"")
        let failed = try sandbox.sbfs("resolve", id, "--edit", exits: 1)
        #expect(failed.err.contains("ended with status 1; nothing was changed"))
        try sandbox.sbfs("config", "mergetool", "true")
        #expect(try sandbox.sbfs("resolve", id, "--edit", exits: 1).err.contains("is still in it; nothing was changed"))
        #expect(try sandbox.conflicts(id) == [name])
    }

    // MARK: Where conflicts are seen

    private func status() throws -> [String: Any] {
        try sandbox.sbfs("status", "--json", exits: 3).object()
    }

    @Test func `show, lists, the overview and the status count conflicts`() throws {
        let whole = try sandbox.snippet("No conflict.", title: "Whole")
        for words in [["show", id], [], ["status"]] {
            #expect(!(try sandbox.sbfs(words: words, exits: nil).out.contains("onflicts")), "\(words)")
        }
        try conflict("title", "\"Bread\"", "\"Sourdough\"")
        try conflict("servings", "1", "2")
        #expect(try sandbox.sbfs("show", id).out.contains("\nconflicts   Conflicts (2); see \"sbfs conflicts "))
        #expect(!(try sandbox.sbfs("show", whole).out.contains("onflicts")))
        #expect(try sandbox.sbfs("list", "--format", "table").lines.filter { $0.contains("≠ Bread") }.count == 1)
        #expect(!(try sandbox.sbfs("list", "--format", "table").out.contains("≠ Whole")))
        #expect(try sandbox.sbfs().out.contains("\nConflicts (2 in 1 item)\n  see \"sbfs conflicts\"\n"))
        #expect(try sandbox.sbfs("status", exits: 3).out.contains("conflicts   2 in 1 item; see \"sbfs conflicts\"\n"))
        let status = try self.status()
        #expect(status["conflictedItems"] as? Int == 1 && status["conflicts"] as? Int == 2)
        let derived = try sandbox.sbfs("list", "--json").array().map { $0["sbfs"] as? [String: Any] }
        #expect(derived.compactMap { $0?["conflicts"] as? Int } == [2])
    }

    @Test func `what a copying tool brought is joined before conflicts are listed`() throws {
        let copy = sandbox.library + "-copy"
        try sandbox.sbfs("title", id, "Loaf")
        try sandbox.shell("cp -a '\(sandbox.library)' '\(copy)'; rm -r '\(copy)/.sbfs'")
        try sandbox.sbfs("title", id, "Bread")
        try sandbox.sbfs("--library", copy, "title", id, "Sourdough")
        try sandbox.shell("rsync -a --exclude=.sbfs '\(copy)/' '\(sandbox.library)'")
        #expect(try sandbox.sbfs("list", "--ids").lines == [id])
        #expect(try status()["changedItems"] as? Int == 1)
        #expect(try sandbox.sbfs("status", exits: 3).out.contains("changed     1 item by other programs; "))
        let rows = try sandbox.sbfs("conflicts").lines
        #expect(rows.count == 1 && rows[0].contains("\tBread\tSourdough\tLoaf\t2"), "\(rows)")
        #expect(try status()["changedItems"] as? Int == 0)
        let before = try sandbox.snapshot()
        #expect(try sandbox.sbfs("conflicts").lines == rows)
        #expect(try sandbox.changes(since: before, in: "library").isEmpty)
    }

    @Test func `what waits to be joined is shown, also in a library that cannot be written`() throws {
        let copy = sandbox.library + "-copy"
        try sandbox.sbfs("title", id, "Loaf")
        for words in [["show", id], [], ["status"], ["conflicts"]] {
            #expect(!(try sandbox.sbfs(words: words, exits: nil).out.contains("to be joined")), "\(words)")
        }
        try sandbox.shell("cp -a '\(sandbox.library)' '\(copy)'; rm -r '\(copy)/.sbfs'")
        try sandbox.sbfs("title", id, "Bread")
        try sandbox.sbfs("--library", copy, "title", id, "Sourdough")
        try sandbox.shell("rsync -a --exclude=.sbfs '\(copy)/' '\(sandbox.library)'")
        try sandbox.scratch.write(sandbox.folder(id) + "/item (1).json", "{")
        try sandbox.scratch.write("library/tags/dough-1.json", "{}")
        try sandbox.scratch.write("library/tags/dough-1 (1).json", "{\"name\": \"x\"}")
        // A newer program wrote the library: this one only reads it, and looks at all items.
        try sandbox.shell(
            "sed -i 's/\"format\": 1,/\"format\": 1, \"minWriter\": 99,/' '\(sandbox.library)/library.json'")
        let before = try sandbox.snapshot()
        #expect(
            try sandbox.sbfs("show", id).out.contains(
                "\nwaiting     2 versions to join; the conflict copy item (1).json, which sbfs cannot join: compare, then delete\n"
            ))
        #expect(try sandbox.sbfs().out.contains("\nWaiting to be joined (2)\n"))
        #expect(try status()["waitingJoins"] as? Int == 2)
        #expect(try sandbox.sbfs("conflicts", exits: nil).err.contains("waits: 2 versions to join; the conflict copy"))
        let list = try sandbox.sbfs("conflicts", "--json", exits: nil).array()
        #expect((list.first?["waiting"] as? [String: Any])?["versions"] as? Int == 2)
        #expect(list.last?["path"] as? String == "tags/dough-1 (1).json")
        let shown = try sandbox.sbfs("show", id, "--json").array().first?["sbfs"] as? [String: Any]
        #expect(((shown?["waiting"] as? [String: Any])?["copies"] as? [String])?.count == 1)
        #expect(((shown?["waiting"] as? [String: Any])?["copiesForPerson"] as? [String])?.count == 1)
        #expect(try sandbox.changes(since: before, in: "library").isEmpty)
        // Where it can be written, the versions are joined, and the copies that cannot be joined stay named.
        try sandbox.shell("sed -i 's/ \"minWriter\": 99,//' '\(sandbox.library)/library.json'")
        #expect(try sandbox.sbfs("conflicts", exits: nil).err.contains("waits: the conflict copy item (1).json"))
        #expect(
            try sandbox.sbfs("show", id).out.contains(
                "\nwaiting     the conflict copy item (1).json, which sbfs cannot join"))
    }

    @Test func `a purge of another copy that met no trash here waits, and is named`() throws {
        let id = try sandbox.snippet("One.", title: "Bread")
        let copy = sandbox.scratch.full("copy")
        try sandbox.shell("cp -a '\(sandbox.library)' '\(copy)'; rm -r '\(copy)/.sbfs'")
        try sandbox.sbfs("--library", copy, "trash", id)
        try sandbox.sbfs("--library", copy, "purge", id, "--now", "--yes")
        #expect(try sandbox.sbfs("conflicts", exits: 3).err == "sbfs: no conflicts\n")
        // It deletes nothing, and brings the tombstone.
        try sandbox.shell("rsync -a --exclude=.sbfs '\(copy)/' '\(sandbox.library)'")
        let words = "a purge in another copy, made before the item was in the trash here; \"sbfs merge\" of that copy"
        #expect(try sandbox.sbfs().out.contains("\nWaiting to be joined (1)\n"))
        #expect(try status()["waitingJoins"] as? Int == 1)
        #expect(try sandbox.sbfs("show", id).out.contains("\nwaiting     \(words)"))
        #expect(try sandbox.sbfs("conflicts").err.hasPrefix("sbfs: \(id.suffix(8)) waits: \(words)"))
        let waiting = try sandbox.sbfs("conflicts", "--json").array().first?["waiting"] as? [String: Any]
        #expect(waiting?["purgedElsewhere"] as? Bool == true)
        try sandbox.sbfs("title", id, "Kept")
        #expect(try sandbox.sbfs("conflicts", exits: 3).err == "sbfs: no conflicts\n")
    }

    @Test func `a whole version in conflicts is not said to be no conflict`() throws {
        try sandbox.scratch.write(sandbox.folder(id) + "/conflicts/20261121T101500Z-ca3d163b.item.json", "{}\n")
        let run = try sandbox.sbfs("conflicts")
        #expect(run.err.contains("20261121T101500Z-ca3d163b.item.json is a whole version: compare it, then delete it"))
        #expect(!run.err.contains("no conflicts"))
    }

    @Test func `a conflict that cannot be resolved in the way asked for says what to type`() throws {
        try conflict("title", "\"Bread\"", "\"Sourdough\"")
        let run = try sandbox.sbfs("resolve", id, "--take", "both", exits: 1)
        #expect(run.err.contains("title: holds one value; nothing was changed; take 1 or 2, or use --edit"))
    }
}
