import Testing

/// Queries that probably mean something else: reported when items are shown, refused when items are changed.
struct DoubtfulQueryTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.snippet("keep old soup", title: "First", tags: "keep")
        try sandbox.snippet("soup and tag", title: "Second", tags: "collection:Work")
    }

    @Test(arguments: [
        ("tga:keep", "there is no filter \"tga:\"; did you mean \"tag:\"? It is searched as text"),
        ("in:Work", "there is no filter \"in:\"; did you mean \"collection:\"? It is searched as text"),
        ("foo:bar", "there is no filter \"foo:\". It is searched as text"),
        ("soup or stew", "\"or\" is searched as a word; write OR for one of both, or the word in quotes"),
        (
            "soup and tag",
            "\"and\" is searched as a word; leave it out or write AND for both, or write the word in quotes"
        ),
        ("soup OR", "an \"OR\" with nothing on one side is ignored"),
        ("AND soup", "an \"AND\" with nothing on one side is ignored"),
        ("soup NOT", "a \"NOT\" with nothing after it is ignored"),
        ("\"old soup", "a quote without its partner is ignored"),
        ("(soup", "a \"(\" is closed at the end"),
        ("soup)", "a \")\" without \"(\" is ignored"),
        ("!tag:keep", "a \"!\" is ignored; \"-\" excludes"),
        ("tag: keep", "\"tag:\" has no value and is searched as text; the value must directly follow the colon"),
        ("#keep", "\"#keep\" is searched as a word; tag:keep asks for the tag"),
        ("created>2025", "\"created>2025\" is searched as text; as a filter it is created:>2025"),
        ("tag=keep", "\"tag=keep\" is searched as text; as a filter it is tag:keep"),
        ("tag:keep|old", "\"|\" joins whole conditions: what follows tag:keep| is a word; write tag: again"),
        ("k*p", "\"k*p\": a \"*\" counts only at the end"),
        ("soup ––tag:keep", "\"––\" is read as one \"-\": what follows is excluded"),
        ("soup (-–tag:keep)", "\"-–\" is read as one \"-\": what follows is excluded"),
        ("NOT -tag:keep", "an exclusion of an exclusion asks for it: write what is wanted without both"),
        ("-tag:kepe", "-tag:kepe excludes nothing, because nothing has it; did you mean -tag:keep?"),
        (
            "soup -collection:Wrk",
            "-collection:Wrk excludes nothing, because nothing has it; did you mean -collection:Work?"
        ),
        ("-tag:keep,old", "-tag:keep,old excludes nothing, because nothing has it; did you mean -tag:keep -tag:old?"),
        (
            "soup -source:improt",
            "-source:improt excludes nothing, because nothing has it; did you mean -source:import?"
        ),
        ("–tag:keep", "\"–\" is read as \"-\": what follows is excluded"),
        ("-t:keep", "there is no filter \"t:\". It is searched as text"),
        ("c:Work", "there is no filter \"c:\". It is searched as text"),
        ("smart:Nothing", "there is no smart folder \"Nothing\"; it matches nothing"),
        ("is:red", "\"is:red\" is searched as text; is: takes favorite, pinned, trashed, dead, untitled"),
        ("created:soon", "\"created:soon\" is searched as text; created: takes dates such as 2025-03"),
        ("site:https://a.org", "\"site:https://a.org\" is searched as text; site: takes a host such as example.org"),
    ])
    func `commands that show items report a doubt, and commands that change items stop`(query: String, note: String)
        throws
    {
        // As one argument and word by word, as typed.
        #expect(try sandbox.sbfs("list", query, exits: nil).err.contains("sbfs: note: \(note)"))
        #expect(
            try sandbox.sbfs(words: ["search"] + query.split(separator: " ").map(String.init), exits: nil).err
                .contains("sbfs: note: \(note)"))
        let before = try sandbox.sbfs("list", "--json").out
        for words in [
            ["trash"], ["tag", "add"], ["purge", "--yes", "--now"], ["pin"], ["archive"], ["favicon"], ["check-links"],
            ["set"],
        ] {
            let rest = words == ["tag", "add"] ? ["x"] : words == ["set"] ? ["title=x"] : []
            let run = try sandbox.sbfs(words: words + ["-q", query] + rest, exits: 2)
            #expect(run.err.contains("nothing is changed, because the query may be a mistake:\n  \(note)"))
        }
        #expect(try sandbox.sbfs("bulk", query, exits: 2).err.contains("nothing is changed"))
        #expect(try sandbox.sbfs("bulk", "--print", query, exits: 2).err.contains(note))
        #expect(try sandbox.sbfs("list", "--json").out == before)
    }

    @Test(arguments: ["10:30", "https://example.org/a?b=c", "C:\\x", "std::vector", "\"tga:keep\"", "localhost:80"])
    func `times, URLs, paths and quoted words are no doubt`(query: String) throws {
        #expect(try sandbox.sbfs("list", query, exits: 3).err == "")
        #expect(try sandbox.sbfs("trash", "-q", query, exits: 3).err == "sbfs: nothing matches \(query)\n")
    }

    @Test func `one argument with a space is one value, and is not acted on`() throws {
        try sandbox.snippet("x", title: "Third", tags: "old soup")
        #expect(try sandbox.sbfs("list", "tag:old soup").lines.count == 1)
        #expect(try sandbox.sbfs("list", "tag:old soup").err == "")
        #expect(
            try sandbox.sbfs("list", "tag:keep soup", exits: 3).err.contains(
                "one argument is one value: tag:\"keep soup\""))
        let run = try sandbox.sbfs("trash", "-q", "tag:old soup", exits: 2)
        #expect(run.err.contains("one argument is one value: tag:\"old soup\""))
        #expect(try sandbox.sbfs("trash", "-q", "tag:\"old soup\"").err == "sbfs: trashed 1 item\n")
        #expect(try sandbox.sbfs("trash", "-q", "soup tag:keep").err == "sbfs: trashed 1 item\n")
    }

    @Test func `signs without a meaning are reported only if nothing is found`() throws {
        #expect(try sandbox.sbfs("search", "old", "-", "soup").err == "")
        #expect(try sandbox.sbfs("search", "none", "-", "soup", exits: 3).err.contains("excludes nothing"))
        #expect(try sandbox.sbfs("trash", "-q", "old - soup", exits: 2).err.contains("excludes nothing"))
        #expect(try sandbox.sbfs("trash", "-q", "old +", exits: 2).err.contains("has no letters or digits"))
    }

    @Test(arguments: ["🎉", "*", "\\", "<", "🎉 *"])
    func `a query of which nothing is left is said to find all items`(query: String) throws {
        for command in ["list", "search"] {
            let run = try sandbox.sbfs(command, query, "--ids")
            #expect(run.lines.count == 2)
            #expect(run.err.contains("has no letters or digits and is ignored"), "\(run.err)")
        }
        #expect(try sandbox.sbfs("list").err == "")
    }

    @Test(arguments: ["-tag:done", "-collection:Later", "soup -tag:2027", "-site:example.org", "-tag:zz*"])
    func `an exclusion that excludes nothing is said, and stops no command where it resembles nothing`(
        query: String
    ) throws {
        try sandbox.snippet("x", title: "Third", tags: "2026")
        let note = "sbfs: note: \(query.split(separator: " ").last ?? "") excludes nothing, because nothing has it\n"
        #expect(try sandbox.sbfs("list", query).err == note)
        #expect(try sandbox.sbfs("tag", "add", "-q", query, "y").err.contains(note))
        // What removes items asks, also for a group.
        #expect(
            try sandbox.sbfs("trash", "-q", "-(tag:zz OR tag:yy)", exits: 2).err.contains("-tag:zz excludes nothing"))
        let all = try sandbox.ids()
        #expect(try sandbox.sbfs("trash", "-q", query, exits: 2).err.contains("--yes does it all the same"))
        #expect(try sandbox.ids() == all)
        #expect(try sandbox.sbfs("trash", "-q", query, "--yes").err.contains(note))
    }

    @Test(arguments: [
        ("-stew", "stew"), ("-ste*", "ste*"), ("-\"no such\"", "\"no such\""), ("-title:stew", "title:stew"),
        ("-is:pinned -stew", "stew"), ("-(stew OR pie)", "(stew OR pie)"),
    ])
    func `an excluded word that occurs nowhere lets no command change every item without --yes`(
        query: String, typed: String
    ) throws {
        #expect(try sandbox.sbfs("list", query).err == "")
        let note = "nothing has \(typed), so the query selects all 2 items"
        let before = try sandbox.snapshot()
        for words in [["trash"], ["tag", "add", "x"], ["set", "title=x"], ["append", "x"], ["edit"], ["archive"]] {
            let run = try sandbox.sbfs(words: words + ["-q", query], exits: 2)
            #expect(run.err.contains("nothing is changed, because \(note); --yes does it all the same"), "\(run)")
        }
        #expect(try sandbox.sbfs("bulk", "--print", query, exits: 2).err.contains(note))
        #expect(try sandbox.changes(since: before, in: "library/items").isEmpty)
        #expect(try sandbox.sbfs("trash", "-q", query, "--dry-run").err.contains("note: \(note)"))
        #expect(try sandbox.sbfs("tag", "add", "x", "-q", query, "--yes").err.contains("note: \(note)"))
        #expect(try sandbox.ids("tag:x").count == 2)
        // Another condition narrows the query, and an item with the word is excluded.
        #expect(try sandbox.sbfs("tag", "add", "y", "-q", "old \(query)").err == "sbfs: tagged 1 item\n")
        try sandbox.snippet("no such stew", title: "Stew")
        #expect(try sandbox.sbfs("tag", "add", "z", "-q", query).err == "sbfs: tagged 2 items\n")
    }

    @Test(arguments: ["-tag:keep", "-is:pinned", "-tag:gone", "-collection:Work", "-tag:ke*", "-type:link"])
    func `excluding an existing name, a state or a word is no doubt`(query: String) throws {
        try sandbox.snippet("x", title: "Third", tags: "gone")
        try sandbox.sbfs("trash", "Third")
        #expect(try sandbox.sbfs("list", query).err == "")
        #expect(try !sandbox.sbfs("tag", "add", "-q", query, "y").err.contains("note"))
    }

    @Test func `two hyphens are an option or one exclusion, and nothing is changed by them`() throws {
        #expect(try sandbox.sbfs("list", "--tag:keep", exits: 2).err.contains("--tag:keep"))
        let run = try sandbox.sbfs("list", "--", "--tag:keep")
        #expect(run.lines.count == 1 && run.out.contains("Second"), "\(run)")
        #expect(run.err == "sbfs: note: \"--\" is read as one \"-\": what follows is excluded\n")
        for query in ["--tag:keep", "---tag:keep", "-(--tag:keep)"] {
            #expect(try sandbox.sbfs("trash", "-q", query, exits: 2).err.contains("is read as one \"-\""), "\(query)")
        }
        #expect(try sandbox.sbfs("search", "old", "--", "--", "soup").err == "")
    }
}
