import Testing

/// The repairs of `check --repair`, after asking.
struct RepairTests {
    static let id = "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.sbfs("list")
    }

    struct Repair: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let files: [String: String]
        let question: String
    }

    static let repairs = [
        Repair(
            testDescription: "the wrong shard", files: ["items/00/\(id)/item.json": #"{"title": "Soup"}"#],
            question: "Shall sbfs move it to items/c4/\(id)?"),
        Repair(
            testDescription: "a copied folder",
            files: ["items/c4/\(id)/item.json": #"{"id": "01a19b7c-a680-7000-8f3e-000000000001", "title": "Soup"}"#],
            question: "Shall sbfs give it an id of its own?"),
        Repair(
            testDescription: "a folder that is no UUID",
            files: ["items/c4/copy of soup/item.json": #"{"title": "Soup"}"#, "items/c4/copy of soup/text.md": "salt"],
            question: "Shall sbfs give it an id of its own?"),
        Repair(
            testDescription: "a tombstone of a living item",
            files: [
                "items/c4/\(id)/item.json": #"{"title": "Soup"}"#,
                "tombstones/c4/\(id).json": #"{"purgedAt": "2026-01-01T00:00:00Z"}"#,
            ], question: "Shall sbfs remove the tombstone?"),
    ]

    @Test func `a copied folder in the wrong shard gets an id of its own at once`() throws {
        let other = "01a19b7c-a680-7000-8f3e-000000000001"
        try sandbox.scratch.write("library/items/00/\(Self.id)/item.json", #"{"id": "\#(other)", "title": "Soup"}"#)
        let run = try sandbox.sbfs("check", "--repair", "--yes")
        #expect(!run.err.contains("cannot"), "\(run)")
        #expect(try sandbox.sbfs("list").lines.count == 1)
        #expect(try sandbox.sbfs("check").err.contains("0 errors, 0 warnings"))
    }

    @Test func `repair puts back the item json of an item that has no versions`() throws {
        let id = try sandbox.snippet("Text.", title: "Bread")
        try sandbox.sbfs("list")
        let folder = "library/items/\(id.suffix(2))/\(id)"
        #expect(!sandbox.scratch.exists(folder + "/history"))
        let whole = try sandbox.scratch.text(folder + "/item.json")
        for broken in ["", "{", "[]"] {
            try sandbox.scratch.write(folder + "/item.json", broken)
            try sandbox.sbfs("repair", id)
            #expect(try sandbox.scratch.text(folder + "/item.json") == whole)
        }
        #expect(try sandbox.sbfs("show", id).lines.first == "Bread")
    }

    @Test(arguments: repairs)
    func `repairs are offered, and then made`(repair: Repair) throws {
        for (path, text) in repair.files { try sandbox.scratch.write("library/" + path, text) }
        let before = try sandbox.snapshot()
        let alone = try sandbox.sbfs("check", "--repair", exits: 1)
        #expect(alone.err.contains(repair.question))
        #expect(alone.err.contains("There is no terminal to ask on; --yes answers yes"))
        let kept = try sandbox.ask("check", "--repair", typing: "n\n", exits: nil)
        #expect(kept.terminal.contains(repair.question + " [y/N]"))
        #expect(try sandbox.changes(since: before).isEmpty)
        try sandbox.ask("check", "--repair", typing: "y\n")
        #expect(try sandbox.sbfs("check", "--notes").out.isEmpty)
        #expect(try sandbox.sbfs("show", "Soup", "--json").array().count == 1)
    }

    @Test func `a copied folder keeps its files and the original stays`() throws {
        let original = try sandbox.snippet("salt", title: "Soup")
        try sandbox.shell("cd '\(sandbox.library)/items/\(original.suffix(2))' && cp -a \(original) copy")
        #expect(try sandbox.ids() == [original])
        let run = try sandbox.sbfs("check", "--repair", "--yes")
        #expect(run.err.contains("items/\(original.suffix(2))/copy is now the item "))
        let all = try sandbox.ids()
        #expect(all.count == 2 && all.contains(original))
        for id in all {
            #expect(try sandbox.text(id) == "salt")
            #expect(try sandbox.title(id) == "Soup")
            #expect(try sandbox.item(id)["id"] as? String == id)
        }
    }

    @Test func `a document that was edited on purpose is recorded as it is`() throws {
        try sandbox.file("a.txt", "abc")
        let id = try #require(try sandbox.sbfs("add", "a.txt").lines.first)
        try sandbox.scratch.write(sandbox.folder(id) + "/document/a.txt", "abd")
        let run = try sandbox.ask("check", "--read-data", "--repair", typing: "y\n")
        #expect(run.terminal.contains("Shall sbfs record the document as it is now? [y/N]"))
        #expect(try sandbox.sbfs("check", "--read-data").out.isEmpty)
        #expect(try sandbox.scratch.text(sandbox.folder(id) + "/document/a.txt") == "abd")
    }

    @Test func `faults that cannot be repaired stay and are reported`() throws {
        let id = try sandbox.snippet("x")
        try sandbox.plant(id, "{ oops")
        let before = try sandbox.snapshot()
        let run = try sandbox.sbfs("check", "--repair", "--yes", exits: 1)
        #expect(run.out.contains("item.json:1:3: expected a key in double quotes"))
        #expect(try sandbox.changes(since: before).isEmpty)
    }

    @Test(arguments: ["s/\"id\": \"0/\"id\": \"1/", "1s/{/{ oops/"])
    func `an item.json that cannot be used comes back from history, and makes no second item`(_ damage: String) throws {
        let id = try sandbox.snippet("salt", title: "Soup")
        try sandbox.sbfs("title", id, "Stew")
        let file = sandbox.scratch.full(sandbox.folder(id) + "/item.json")
        let whole = try sandbox.shell("cat '\(file)'").out
        let advice = "\"sbfs repair \(id.suffix(8))\" puts back the one of the item's last version"
        for way in ["check", "repair"] {
            try sandbox.shell("sed -i '\(damage)' '\(file)'")
            let told = try sandbox.sbfs("check", exits: 1)
            #expect(told.lines.count == 1 && told.out.contains(advice), "\(told)")
            #expect(!told.out.contains("copied folder"))
            #expect(try sandbox.sbfs("list", exits: nil).err.contains(advice))
            #expect(try sandbox.sbfs("show", id, exits: nil).err.contains(advice))
            if way == "check" {
                let run = try sandbox.sbfs("check", "--repair", "--yes")
                #expect(run.err.contains("put back the item.json of the last version of \(id)"), "\(run)")
            } else {
                let damaged = try sandbox.shell("cat '\(file)'").out
                let run = try sandbox.sbfs("repair", String(id.suffix(8)))
                let kept = try #require(run.err.firstMatch(of: /the damaged files are in ([^,]+),/)).1
                #expect(try sandbox.shell("cat '\(kept)'/*").out == damaged, "\(run)")
            }
            #expect(try sandbox.shell("cat '\(file)'").out == whole)
            #expect(try sandbox.ids() == [id] && sandbox.title(id) == "Stew" && sandbox.text(id) == "salt")
            #expect(try sandbox.shell("ls -d '\(sandbox.library)'/items/*/*").lines.count == 1)
        }
    }

    @Test func `a copied folder gets an id of its own though it has the history of the original`() throws {
        let id = try sandbox.snippet("salt", title: "Soup")
        try sandbox.sbfs("title", id, "Stew")
        let copy = "01a19b7c-a680-7000-8f3e-0000000000\(id.suffix(2))"
        try sandbox.shell("cd '\(sandbox.library)/items/\(id.suffix(2))' && cp -a \(id) \(copy)")
        let run = try sandbox.sbfs("check", "--repair", "--yes")
        #expect(run.err.contains("\(copy) is now the item "), "\(run)")
        #expect(try sandbox.ids().count == 2)
    }

    @Test func `an item that an exchange has is taken for no copy, and comes back from there`() throws {
        let id = try sandbox.snippet("salt", title: "Soup")
        try sandbox.sbfs("remote", "add", "box", sandbox.scratch.full("exchange"))
        try sandbox.sbfs("sync")
        let file = sandbox.scratch.full(sandbox.folder(id) + "/item.json")
        let whole = try sandbox.shell("cat '\(file)'").out
        for damage in ["s/\"id\": \"0/\"id\": \"1/", "1s/{/{ oops/"] {
            let history = sandbox.scratch.full(sandbox.folder(id)) + "/history"
            try sandbox.shell("rm -rf '\(history)'; sed -i '\(damage)' '\(file)'")
            let run = try sandbox.sbfs("check", "--repair", "--yes", exits: 1)
            #expect(run.out.contains("\"sbfs repair --from REMOTE \(id.suffix(8))\" may bring it back"), "\(run)")
            #expect(try sandbox.shell("ls '\(sandbox.library)'/items/*").out.contains(id))
            try sandbox.sbfs("repair", "--from", "box", String(id.suffix(8)))
            #expect(try sandbox.shell("cat '\(file)'").out == whole)
            #expect(try sandbox.ids() == [id])
        }
    }

    @Test func `a damaged text of history comes from its second name, or from text.md`() throws {
        let id = try sandbox.snippet("salt", title: "Soup")
        try sandbox.sbfs("append", id, "pepper")
        let history = sandbox.scratch.full(sandbox.folder(id)) + "/history"
        let names = try sandbox.shell("cd '\(history)' && ls *.md && sha256sum *.md").out
        for damage in ["sed -i s/salt/sand/ *.md", "for f in *.md; do cp $f x; echo sand >> x; mv x $f; done"] {
            try sandbox.shell("cd '\(history)' && \(damage)")
            #expect(try sandbox.sbfs("check", "--read-data", exits: nil).out.contains("history/"))
            let run = try sandbox.sbfs("repair", String(id.suffix(8)))
            #expect(run.lines.count == 2, "\(run)")
            #expect(try sandbox.shell("cd '\(history)' && ls *.md && sha256sum *.md").out == names)
        }
    }

    @Test func `an item.json with git's markers is not put back from history`() throws {
        let id = try sandbox.snippet("salt", title: "Soup")
        try sandbox.sbfs("title", id, "Stew")
        let file = sandbox.scratch.full(sandbox.folder(id)) + "/item.json"
        try sandbox.shell("sed -i '2i<<<<<<< ours\\n=======\\n>>>>>>> theirs' '\(file)'")
        let before = try sandbox.snapshot()
        let run = try sandbox.sbfs("check", "--repair", "--yes", exits: 1)
        #expect(run.out.contains("found \"<<<<<<<\"") && !run.out.contains("sbfs repair"), "\(run)")
        #expect(try sandbox.changes(since: before).isEmpty)
    }

    @Test func `an item in two shards is not written`() throws {
        let id = try sandbox.snippet("x", title: "Soup")
        let own = id.suffix(2), other = own == "00" ? "01" : "00"
        try sandbox.shell("cd '\(sandbox.library)/items' && mkdir -p \(other) && cp -a \(own)/\(id) \(other)/\(id)")
        let before = try sandbox.snapshot()
        let run = try sandbox.sbfs("title", id, "New", exits: 1)
        #expect(
            run.err.contains("is in two places, items/\(own)/\(id) and items/\(other)/\(id); neither was changed"))
        try sandbox.sbfs("check", "--repair", "--yes", exits: 1)
        #expect(try sandbox.changes(since: before).isEmpty)
        #expect(try sandbox.ids() == [id])
    }

    @Test func `answers are taken one by one`() throws {
        try sandbox.scratch.write("library/items/00/\(Self.id)/item.json", "{}")
        try sandbox.scratch.write("library/items/c4/copy/item.json", "{}")
        let run = try sandbox.ask("check", "--repair", typing: "n\ny\n", exits: nil)
        #expect(run.terminal.components(of: "[y/N]") == 2)
        let left = try sandbox.sbfs("check", exits: nil).lines
        #expect(left.count == 1)
    }

    @Test func `reindex makes .sbfs again and names unreadable items`() throws {
        let id = try sandbox.snippet("x")
        try sandbox.shell("rm -r '\(sandbox.library)/.sbfs' '\(sandbox.library)/schema'")
        #expect(try sandbox.sbfs("reindex").err == "sbfs: 1 item, all read\n")
        #expect(sandbox.scratch.exists("library/.sbfs/owner") && sandbox.scratch.exists("library/schema/item-1.json"))
        try sandbox.plant(id, "{")
        #expect(try sandbox.sbfs("reindex", exits: 4).err.contains("item.json:1:2: expected"))
    }
}

extension String {
    /// The number of occurrences in the text.
    fileprivate func components(of word: String) -> Int { ranges(of: word).count }
}
