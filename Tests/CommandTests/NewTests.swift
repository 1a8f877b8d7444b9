import Testing

struct NewTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test func `saved text becomes a snippet`() throws {
        try sandbox.useEditor("printf '# Soup\\n\\nwith salt\\n' > \"$1\"")
        let run = try sandbox.sbfs("new", "--tag", "food", "-c", "Recipes", "--json")
        let item = try #require(try run.array().first)
        let id = try #require(item["id"] as? String)
        #expect(try sandbox.text(id) == "# Soup\n\nwith salt\n")
        #expect(try sandbox.tags(id) == ["food", "collection:Recipes"])
        #expect(item["title"] == nil)
        #expect(try !sandbox.scratch.exists(sandbox.draft("new", "text.md")))
    }

    @Test func `a title is given on the line`() throws {
        try sandbox.useEditor("echo text > \"$1\"")
        let run = try sandbox.sbfs("new", "Some", "ideas")
        let id = try #require(run.out.split(separator: "\t").first.map(String.init))
        #expect(try sandbox.title(id) == "Some ideas")
    }

    @Test(arguments: ["true", "printf ' \\n\\t\\n' > \"$1\""])
    func `an empty text adds nothing`(script: String) throws {
        try sandbox.useEditor(script)
        let said = try sandbox.sbfs("new", exits: 1).err
        #expect(said.hasPrefix("sbfs: the text is empty; nothing was added"))
        #expect(said.contains("the editor ended at once") == (script == "true"))
        #expect(try sandbox.ids().isEmpty)
    }

    @Test func `a text that an earlier new left is added when it is saved, and goes with --discard`() throws {
        func leave() throws {
            try sandbox.useEditor("echo first > \"$1\"; exit 1")
            try sandbox.sbfs("new", exits: 1)
        }
        try leave()
        try sandbox.useEditor("true")
        #expect(try sandbox.sbfs("new", exits: 1).err.contains("nothing was changed; the unfinished edit is kept in "))
        #expect(try sandbox.ids().isEmpty)
        try sandbox.useEditor("echo second >> \"$1\"")
        try sandbox.sbfs("new")
        #expect(try sandbox.ids().map(sandbox.text) == ["first\nsecond\n"])
        try leave()
        try sandbox.useEditor("echo second >> \"$1\"")
        try sandbox.sbfs("new", "--discard")
        #expect(try Set(sandbox.ids().map(sandbox.text)) == ["first\nsecond\n", "second\n"])
    }

    @Test func `a text that could not be added is offered again`() throws {
        try sandbox.useEditor("echo first > \"$1\"; exit 1")
        #expect(
            try sandbox.sbfs("new", exits: 1).err.contains(
                "the text is kept in \(sandbox.home)/state/sbfs/drafts/"))
        #expect(try sandbox.scratch.text(sandbox.draft("new", "text.md")) == "first\n")
        #expect(try sandbox.ids().isEmpty)
        try sandbox.useEditor("echo second >> \"$1\"")
        let run = try sandbox.sbfs("new")
        #expect(run.err.contains("continuing with the text in"))
        let id = try #require(try sandbox.ids().first)
        #expect(try sandbox.text(id) == "first\nsecond\n")
    }

    @Test func `a text that is not UTF-8 is kept and not added`() throws {
        try sandbox.useEditor("printf 'a\\377b' > \"$1\"")
        #expect(try sandbox.sbfs("new", exits: 1).err.contains("the text is not UTF-8; it is kept in"))
        #expect(try sandbox.ids().isEmpty)
    }

    @Test func `the first new says nothing of a text that was left`() throws {
        try sandbox.useEditor("true")
        try sandbox.sbfs("new", exits: 1)
        try sandbox.useEditor("echo text > \"$1\"")
        #expect(!(try sandbox.sbfs("new").err.contains("left")))
    }

    @Test func `two texts that are written at once become two snippets`() throws {
        let inner = sandbox.home + "/inner"
        try sandbox.useEditor(
            """
            if [ -e '\(inner)' ]; then echo inner >> "$1"; else
            touch '\(inner)'; sbfs new; echo outer >> "$1"; fi
            """)
        try sandbox.sbfs("new")
        let texts = try sandbox.ids().map { try sandbox.text($0) }
        #expect(Set(texts) == ["inner\n", "outer\n"])
    }
}
