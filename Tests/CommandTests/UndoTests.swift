import TestSupport
import Testing

/// `log`, `undo` and `redo` as a person uses them.
struct UndoTests {
    let box: Sandbox

    init() throws { box = try Sandbox() }

    @Test func `each command is undone and redone`() throws {
        let id = try box.snippet("first\n", title: "Old", tags: "soup")
        let paper = try box.file("paper.txt", "paper\n")
        let other = try box.file("other.txt", "other\n")
        let folder = box.folder(id)
        func state() throws -> String {
            let document = box.scratch.exists(folder + "/document") ? try box.scratch.names(folder + "/document") : []
            let documents = try document.map { $0 + ":" + (try box.scratch.text(folder + "/document/" + $0)) }
            let text = box.scratch.exists(folder + "/text.md") ? try box.text(id) : "none"
            let item = try box.item(id)
            let fields = item.filter { $0.key != "updatedAt" }.sorted { $0.key < $1.key }
            return "\(fields) \(text) \(documents)"
        }
        let commands: [[String]] = [
            ["title", id, "New"], ["set", id, "isPinned=true", "description=x"], ["tag", "add", id, "salt"],
            ["tag", "rm", id, "soup"], ["tag", "set", id, "a,b"], ["collection", "add", id, "Work/Projects"],
            ["append", id, "second"], ["attach", id, paper], ["attach", id, other, "--replace", "--yes"],
            ["detach", id, "document", "--yes"], ["detach", id, "text", "--yes"], ["trash", id], ["restore", id],
            ["attach", id, "https://example.org/"], ["detach", id, "link", "--yes"],
        ]
        for words in commands {
            let before = try state()
            try box.sbfs(words: words)
            let after = try state()
            #expect(before != after, "\(words)")
            try box.sbfs("undo")
            #expect(try state() == before, "undo of \(words)")
            try box.sbfs("redo")
            #expect(try state() == after, "redo of \(words)")
        }
        try box.sbfs("check")
        // All of them, in reverse order.
        try box.sbfs("undo", "--count", "\(commands.count)")
        #expect(try box.title(id) == "Old")
        #expect(try box.text(id) == "first\n")
        #expect(try box.tags(id) == ["soup"])
        try box.sbfs("check")
    }

    @Test(arguments: ["no line feed", "12", "", "{\"end\":{}}", "61 0 0123456789abcdef"])
    func `an undo that puts back a text without a last line feed is finished, and redone`(_ text: String) throws {
        let id = try box.snippet(text + "|", title: "Old")
        try box.scratch.write(box.folder(id) + "/text.md", text)
        for _ in 1...2 {
            try box.sbfs("append", id, "second")
            let after = try box.text(id)
            try box.sbfs("undo")
            #expect(try box.text(id) == text)
            #expect(try !box.sbfs("log").out.contains("unfinished"))
            try box.sbfs("redo")
            #expect(try box.text(id) == after)
            #expect(try !box.sbfs("log").out.contains("unfinished"))
            try box.sbfs("undo")
        }
    }

    @Test func `an edit in the editor is undone`() throws {
        let id = try box.snippet("first\n", title: "Old")
        try box.useEditor(#"sed -i s/Old/New/ "$1""#)
        try box.sbfs("edit", id)
        try box.useEditor(#"sed -i s/first/second/ "$1""#)
        try box.sbfs("edit", id, "--text")
        try box.sbfs("undo")
        #expect(try box.text(id) == "first\n")
        try box.sbfs("undo")
        #expect(try box.title(id) == "Old")
    }

    @Test func `an import of a few hundred goes into the trash and comes back`() throws {
        var html = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n<DT><H3>Empty</H3>\n<DL><p></DL><p>\n"
        for number in 0..<300 { html += "<DT><A HREF=\"https://example.org/\(number)\">Page \(number)</A>\n" }
        let file = try box.file("bookmarks.html", html + "</DL><p>\n")
        try box.sbfs("import", file)
        #expect(try box.ids("example").count == 300)
        let run = try box.sbfs("undo")
        #expect(run.err.contains("300 items"))
        #expect(try box.ids("example").isEmpty)
        #expect(try box.ids("is:trashed").count == 300)
        try box.sbfs("redo")
        #expect(try box.ids("example").count == 300)
        try box.sbfs("check")
    }

    @Test func `an import that changes nothing is no step`() throws {
        let file = try box.file(
            "bookmarks.html",
            "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p><DT><H3>empty</H3><DL><p></DL><p>"
                + "<DT><A HREF=\"https://example.org/\">one</A></DL><p>\n")
        try box.sbfs("import", file)
        let log = try box.sbfs("log").out
        #expect(log.contains("1 new, 1 file"))
        try box.sbfs("import", file)
        #expect(try box.sbfs("log").out == log)
        try box.sbfs("undo")
        #expect(try box.sbfs("list", "--ids").out.isEmpty)
        #expect(try box.sbfs("collections").out.isEmpty)
    }

    @Test func `values changed since are left and named, and the others go back`() throws {
        let first = try box.snippet("a", title: "first"), second = try box.snippet("b", title: "second")
        try box.sbfs("set", first, second, "description=old")
        try box.sbfs("title", first, "first again")
        try box.plant(second, #"{"title": "second", "description": "by hand"}"#)
        let before = try box.itemText(second)
        let left = try box.sbfs("undo", "3", exits: 5)
        #expect(left.err.contains("description was changed since"))
        #expect(try box.itemText(second) == before)
        #expect(try box.item(first)["description"] == nil)
        #expect(try box.title(first) == "first again")
        #expect(try box.sbfs("log", "--json").array().contains { $0["state"] as? String == "partly undone" })
    }

    @Test func `after something new nothing is done again`() throws {
        let id = try box.snippet("a", title: "one")
        try box.sbfs("title", id, "two")
        try box.sbfs("undo")
        try box.sbfs("tag", "add", id, "x")
        let run = try box.sbfs("redo", exits: 3)
        #expect(run.err.contains("since the last undo"))
        #expect(try box.title(id) == "one")
    }

    @Test func `there is nothing to undo at first, and an unknown step is reported`() throws {
        #expect(try box.sbfs("undo", exits: 3).err.contains("nothing to undo"))
        #expect(try box.sbfs("undo", exits: 3).err.contains("restore-version\" takes back what a merge"))
        #expect(try box.sbfs("redo", exits: 3).err.contains("nothing"))
        try box.sbfs("log")
        try box.snippet("a")
        try box.sbfs("undo", "7", exits: 3)
        try box.sbfs("undo", "x", exits: 2)
        try box.sbfs("log", "7", exits: 3)
        try box.sbfs("undo")
        #expect(try box.sbfs("undo", exits: 3).err.contains("nothing left"))
        #expect(try box.sbfs("undo", "1", exits: 1).err.contains("undone already"))
        #expect(try box.sbfs("undo", "2", exits: 1).err.contains("redo"))
    }

    @Test func `a dry run changes nothing`() throws {
        let id = try box.snippet("a", title: "one")
        try box.sbfs("title", id, "two")
        let before = try box.snapshot()
        let run = try box.sbfs("undo", "--dry-run")
        #expect(run.err.contains("would change"))
        #expect(try box.changes(since: before).isEmpty)
        #expect(try box.sbfs("log", "--json").array().count == 2)
    }

    @Test func `a purge cannot be undone, and the step before it can`() throws {
        let id = try box.snippet("a", title: "one")
        let other = try box.snippet("b", title: "other")
        try box.sbfs("title", other, "another")
        try box.sbfs("trash", id)
        try box.sbfs("purge", id, "--now", "--yes")
        let run = try box.sbfs("undo", exits: nil)
        #expect(run.status != 0)
        #expect(run.err.contains("purged") || run.err.contains("no item"))
        #expect(run.err.contains("sbfs undo 3"))
        try box.sbfs("undo", "3")
        #expect(try box.title(other) == "other")
    }

    @Test func `log shows the steps and what changed in them`() throws {
        let id = try box.snippet("one\ntwo\nthree\n", title: "it's")
        try box.sbfs("title", id, "new\u{1B}[31m name")
        try box.useEditor(#"sed -i s/two/2/ "$1""#)
        try box.sbfs("edit", id, "--text")
        let steps = try box.sbfs("log", "--ndjson").stream()
        #expect(steps.compactMap { $0["step"] as? Int } == [3, 2, 1])
        #expect(steps[2]["command"] as? String == "sbfs add - --type snippet --title 'it'\\''s'")
        #expect(try box.sbfs("log", "--limit", "1").lines.count == 1)
        let title = try box.sbfs("log", "2").out
        #expect(title.contains("title: \"it's\" -> \"new"))
        #expect(!title.contains("\u{1B}"))
        let text = try box.sbfs("log", "3").out
        #expect(text.contains("- two\n") && text.contains("+ 2\n") && !text.contains("one"))
        let fields = try box.sbfs("log", "2", "--json").array()
        #expect(fields.count == 1 && fields[0]["id"] as? String == id)
    }

    /// The journal's folder.
    private func log() throws -> String {
        let names = try box.scratch.names("library/.sbfs").filter { $0.hasPrefix("log-") }
        return "library/.sbfs/" + (try #require(names.first))
    }

    @Test func `a step of a killed command is unfinished, and names changes that were not made`() throws {
        let first = try box.snippet("a", title: "one"), second = try box.snippet("b", title: "two")
        try box.sbfs("set", first, second, "description=x")
        // As if the command had been killed before it changed the second item.
        let path = try log() + "/00000003"
        let lines = try box.scratch.text(path).split(separator: "\n", omittingEmptySubsequences: false)
        try box.scratch.write(path, lines.dropLast(3).joined(separator: "\n") + "\n")
        try box.plant(second, #"{"title": "two"}"#)
        #expect(try box.sbfs("log").out.contains("unfinished"))
        let shown = try box.sbfs("log", "3").out
        #expect(shown.contains("one  made") && shown.contains("two  not made"))
        try box.sbfs("undo")
        #expect(try box.item(first)["description"] == nil)
        try box.sbfs("check")
    }

    @Test func `a step that is still running is not undone`() throws {
        let first = try box.snippet("a", title: "one")
        try box.sbfs("title", first, "two")
        let step = try log() + "/00000002"
        let path = "'\(box.scratch.full(step))'"
        let bytes = try box.scratch.text(step)
        // As a running command leaves and locks it.
        try box.scratch.write(
            step,
            bytes.split(separator: "\n", omittingEmptySubsequences: false).dropLast(3).joined(separator: "\n") + "\n")
        let log = try box.shell("flock \(path) sbfs log").out
        #expect(log.contains("running") && !log.contains("unfinished"))
        for command in ["undo", "undo 2", "undo --count 2"] {
            #expect(try box.shell("flock \(path) sbfs \(command)", exits: 1).err.contains("still running"))
        }
        #expect(try box.item(first)["title"] as? String == "two")
        try box.sbfs("undo")
        #expect(try box.item(first)["title"] as? String == "one")
    }

    @Test func `a cleared log forgets all, after asking`() throws {
        try box.snippet("secret words")
        try box.sbfs("log", "--clear", exits: 1)
        try box.sbfs("log", "--clear", "--yes")
        #expect(try box.sbfs("log").out.isEmpty)
        try box.sbfs("undo", exits: 3)
    }

    @Test func `an undo without write access fails`() throws {
        try box.snippet("a", title: "one")
        try box.shell("chmod -R a-w '\(box.library)'")
        defer { _ = try? box.shell("chmod -R u+w '\(box.library)'") }
        let run = try box.sbfs("undo", exits: nil)
        // The superuser can write all the same.
        #expect(run.status == 0 || run.status == 1 || run.status == 3)
    }

    @Test func `undo reports purged items, also for earlier steps`() throws {
        let id = try box.snippet("a", title: "one")
        try box.sbfs("trash", id)
        try box.sbfs("purge", id, "--now", "--yes")
        for words in [["undo"], ["undo", "2"]] {
            let run = try box.sbfs(words: words, exits: nil)
            #expect(run.status != 0 && run.err.contains("was purged, and returns only from another copy"), "\(run)")
        }
    }

    @Test func `a command line of one character with very many marks is cut where it is told`() throws {
        let id = try box.snippet("a", title: "one")
        try box.sbfs("title", id, "e" + String(repeating: "\u{301}", count: 30_000))
        for words in [["undo", "--dry-run"], ["undo"], ["redo"], ["undo", "2"], ["log"]] {
            let run = try box.sbfs(words: words)
            #expect(run.err.utf8.count + run.out.utf8.count < 4000, "\(run.err.utf8.count) \(words)")
        }
    }

    @Test func `the hint after an undo that failed names a step that can be undone`() throws {
        let other = try box.snippet("b", title: "other")
        let id = try box.snippet("a", title: "one")
        try box.sbfs("title", other, "another")
        try box.sbfs("title", id, "two")
        try box.sbfs("trash", id)
        try box.sbfs("purge", id, "--now", "--yes")
        let run = try box.sbfs("undo", exits: nil)
        #expect(run.status != 0)
        // The trashing, the title and the adding of what is gone cannot be undone either.
        #expect(run.err.contains("\"sbfs undo 3\" undoes an earlier step"), "\(run)")
        #expect(try box.sbfs("undo", "3").status == 0)
        try box.sbfs("trash", other)
        try box.sbfs("purge", other, "--now", "--yes")
        #expect(try !box.sbfs("undo", exits: nil).err.contains("undoes an earlier step"))
    }

    @Test func `a damaged record of a step is named, and the step does not count as undone`() throws {
        let id = try box.snippet("words", title: "A")
        try box.sbfs("title", id, "B")
        try box.shell("sed -i 's/\"title\":\"A\"/\"title\":\"Z\"/' '\(box.library)'/.sbfs/log-*/00000002")
        let run = try box.sbfs("undo", exits: nil)
        #expect(run.status != 0 && run.err.contains("step 2 of the journal is damaged"), "\(run)")
        #expect(try box.title(id) == "B")
        #expect(try !box.sbfs("log").lines[0].contains("undone"))
    }

    @Test func `undo passes over a command that failed before it changed anything`() throws {
        let sandbox = try Sandbox()
        let id = try sandbox.snippet("One.", title: "One")
        try sandbox.sbfs("tag", "add", id, "green")
        let folder = sandbox.scratch.full(sandbox.folder(id))
        try sandbox.shell(
            "chmod 555 '\(folder)'; \(Sbfs.bound)'\(Sbfs.binary)' title \(id) Two; status=$?; chmod 755 '\(folder)'; exit $status",
            exits: 1)
        #expect(try sandbox.sbfs("log").lines.first?.contains("\tnothing\tsbfs title") == true)
        #expect(try sandbox.sbfs("undo").err.contains("undid step 2 (sbfs tag add"))
        #expect(try sandbox.tags(id).isEmpty)
    }
}
