import Testing

/// `sbfs merge` as a person uses it; `Library.merge` has tests of its own.
struct MergeCommandTests {
    @Test func `undoing a merge says that joined items stay`() throws {
        let sandbox = try Sandbox()
        let id = try sandbox.snippet("words", title: "Bread")
        try sandbox.shell("cp -a '\(sandbox.library)' there && rm -rf there/.sbfs")
        try sandbox.sbfs("--library", "there", "add", "-", "--title", "Only there", input: "alone\n")
        try sandbox.sbfs("--library", "there", "tag", "add", id, "there")
        let run = try sandbox.sbfs("merge", "there")
        #expect(run.out.contains("1 added, 1 joined"), "\(run)")
        // The other devices' items are not trashed without a question.
        let asked = try sandbox.sbfs("undo", exits: 1).err
        #expect(asked.contains("Put the item that came with step 2 (sbfs merge there) into the trash"), "\(asked)")
        #expect(try sandbox.ids().count == 2)
        // Nor are those that a later step changed.
        let new = try #require(try sandbox.ids().first { $0 != id })
        try sandbox.sbfs("tag", "add", new, "mine")
        #expect(try sandbox.sbfs("undo", "--count", "2", exits: 1).err.contains("Put the items that came with step 2"))
        try sandbox.sbfs("undo")
        let undo = try sandbox.sbfs("undo", "--yes")
        #expect(undo.err.contains("1 item") && undo.err.contains("items that were joined stay as they are"), "\(undo)")
        #expect(try sandbox.ids() == [id] && sandbox.ids("tag:there") == [id])
    }

    @Test func `undo after a merge that only joined undoes no older step`() throws {
        let sandbox = try Sandbox()
        let id = try sandbox.snippet("words", title: "Bread")
        try sandbox.shell("cp -a '\(sandbox.library)' there && rm -rf there/.sbfs")
        try sandbox.sbfs("--library", "there", "tag", "add", id, "there")
        #expect(try sandbox.sbfs("merge", "there").out.contains("1 joined"))
        let undo = try sandbox.sbfs("undo")
        #expect(
            undo.err.contains("merge there") && undo.err.contains("items that were joined stay as they are"), "\(undo)")
        #expect(try sandbox.ids() == [id] && sandbox.ids("tag:there") == [id])
        // A merge that finds nothing is no step.
        try sandbox.sbfs("merge", "there")
        #expect(try sandbox.sbfs("undo", exits: 5).err.contains("the new item was changed since"))
        #expect(try sandbox.ids() == [id])
    }

    /// A library with a document, and a copy of it in the folder `there`.
    private func twoCopies() throws -> (Sandbox, id: String) {
        let sandbox = try Sandbox()
        try sandbox.file("plan.txt", "first\n")
        try sandbox.sbfs("add", "plan.txt")
        let id = try #require(try sandbox.ids().first)
        try sandbox.shell("cp -a '\(sandbox.library)' there && rm -rf there/.sbfs")
        return (sandbox, id)
    }

    /// Both copies replace the document and change the title and the site.
    private func change(_ sandbox: Sandbox, _ id: String) throws {
        for (library, name) in [("there", "two"), (sandbox.library, "one")] {
            try sandbox.file("plan.txt", "by \(name)\n")
            try sandbox.sbfs("--library", library, "attach", id, "plan.txt", "--replace", "--yes")
            try sandbox.sbfs("--library", library, "title", id, name)
            try sandbox.sbfs("--library", library, "pin", id, exits: nil)
        }
    }

    @Test func `files of the person at the top of the other copy are named unless they are here`() throws {
        let (sandbox, _) = try twoCopies()
        #expect(try !sandbox.sbfs("merge", "there").err.contains("your own files"))
        try sandbox.shell(
            """
            echo one >there/README; echo same >there/notes.txt; cp there/notes.txt "$SBFS_LIBRARY"
            mkdir there/drafts; echo x >there/.hidden; echo here >"$SBFS_LIBRARY/only-here"
            """)
        let words =
            "sbfs: 2 of your own files at the top of there are not joined; copy what you need: README, drafts\n"
        #expect(try sandbox.sbfs("merge", "there", "--dry-run").err.contains(words))
        #expect(try sandbox.sbfs("merge", "there").err.contains(words))
        try sandbox.shell("echo two >\"$SBFS_LIBRARY/README\"; mkdir \"$SBFS_LIBRARY/drafts\"")
        let list = try sandbox.sbfs("merge", "there", "--json").array()
        #expect(list.first?["ownFiles"] as? [String] == ["README"])
        #expect(try sandbox.scratch.text("library/README") == "two\n")
        let both = try sandbox.sbfs("merge", "there", "--both").err
        #expect(both.contains("1 of your own files at the top of there is not joined; copy what you need: README\n"))
        #expect(
            both.contains(
                "2 of your own files at the top of \(sandbox.library) are not joined; copy what you need: README, only-here\n"
            ))
    }

    @Test func `a merge counts conflicts as the list of them does, documents too`() throws {
        let (sandbox, id) = try twoCopies()
        try change(sandbox, id)
        #expect(try sandbox.sbfs("merge", "there", "--dry-run").out.contains("\nConflicts (2) would be there\n"))
        let run = try sandbox.sbfs("merge", "there")
        #expect(run.out.contains("\nConflicts (2): see"), "\(run)")
        #expect(try sandbox.sbfs("conflicts").lines.count == 2)
    }

    @Test func `a document that lost is listed, shown and found until it is deleted`() throws {
        let (sandbox, id) = try twoCopies()
        try change(sandbox, id)
        try sandbox.sbfs("title", id, "two")
        try sandbox.sbfs("merge", "there")
        let names = try sandbox.shell("ls '\(sandbox.path(id, "document"))'").out.split(separator: "\n").map(
            String.init)
        let lost = try #require(names.first { $0.hasPrefix("plan.conflict-") })
        let rows = try sandbox.sbfs("conflicts", id).lines
        #expect(rows.contains("\(id)\tdocument\t\(lost)\tplan.txt\t\(lost)\t\t1"), "\(rows)")
        #expect(try sandbox.sbfs("conflicts").lines == rows)
        let list = try sandbox.sbfs("conflicts", "--json").array().filter { $0["field"] as? String == "document" }
        #expect((list.first?["path"] as? String)?.hasSuffix("/document/\(lost)") == true)
        #expect(try sandbox.sbfs("show", id).out.contains("\nconflicts   Conflicts (\(rows.count)); see"))
        #expect(try sandbox.ids("is:conflicted") == [id])
        #expect(
            try sandbox.sbfs("resolve", id, "document", "--edit", exits: 1).err.contains("document/\(lost) is a file"))
        try sandbox.shell("rm '\(sandbox.path(id, "document"))/\(lost)'")
        #expect(try sandbox.sbfs("conflicts", id, exits: nil).lines.count == rows.count - 1)
    }

    @Test func `two conflicts of one item are two`() throws {
        let (sandbox, id) = try twoCopies()
        for (library, value) in [("there", 1), (sandbox.library, 2)] {
            let file = "\(library)/items/\(id.suffix(2))/\(id)/item.json"
            try sandbox.shell("sed -i 's/^{$/{ \"servings\": \(value),/' '\(file)'")
            try sandbox.sbfs("--library", library, "title", id, "of \(value)")
        }
        #expect(try sandbox.sbfs("merge", "there", "--dry-run").out.contains("\nConflicts (2) would be there\n"))
        #expect(try sandbox.sbfs("merge", "there").out.contains("\nConflicts (2): see"))
        #expect(try sandbox.sbfs("conflicts").lines.count == 2)
    }

    @Test func `a removed item is not counted as equal`() throws {
        let (sandbox, id) = try twoCopies()
        try sandbox.sbfs("--library", "there", "trash", id)
        try sandbox.sbfs("merge", "there")
        try sandbox.sbfs("--library", "there", "purge", id, "--now", "--yes")
        // An old copy of the item lies there again, as a copying program leaves it.
        try sandbox.shell(
            "mkdir -p 'there/items/\(id.suffix(2))'; cp -a '\(sandbox.library)/items/\(id.suffix(2))' there/items")
        let run = try sandbox.sbfs("merge", "there")
        #expect(run.out.contains("1 removed: purged in the other copy\n"), "\(run)")
        #expect(!run.out.contains("equal"))
    }

    @Test func `a value of a tag that differs is named once for both copies`() throws {
        let (sandbox, id) = try twoCopies()
        for library in [sandbox.library, "there"] { try sandbox.sbfs("--library", library, "tag", "add", id, "dough") }
        try sandbox.sbfs("--library", "there", "tag", "colour", "dough", "green")
        try sandbox.shell("find there/tags -name '*.json' -exec touch -d '1 hour ago' {} +")
        try sandbox.sbfs("tag", "colour", "dough", "blue")
        for words in [["--dry-run"], []] {
            let run = try sandbox.sbfs(words: ["merge", "there", "--both"] + words)
            #expect(run.err.split(separator: "\n").count { $0.contains("colour differs") } == 1, "\(run.err)")
        }
    }

    @Test func `a dry run writes nothing, in the folder of the device neither`() throws {
        let (sandbox, id) = try twoCopies()
        try change(sandbox, id)
        try sandbox.sbfs("list")
        try sandbox.scratch.write(sandbox.folder(id) + "/text.md", "By an editor.\n")
        let all = "find \"$SBFS_LIBRARY\" there -printf '%p %T@ %C@ %s %i\\n' | sort"
        let before = try sandbox.shell(all).out
        for words in [[], ["--both"]] {
            let run = try sandbox.sbfs(words: ["merge", "there", "--dry-run"] + words)
            #expect(run.out.contains("1 would be joined"), "\(run)")
        }
        #expect(try sandbox.shell(all).out == before)
        // The change is noted by the next command that writes.
        try sandbox.sbfs("merge", "there")
        #expect(try sandbox.text(id) == "By an editor.\n")
    }
}
