import Testing

struct CompletionTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// The offers of "sbfs complete" for a line whose last word is unfinished.
    private func offers(_ words: String...) throws -> [String] {
        try sandbox.sbfs(words: ["complete", "--"] + words).lines.dropFirst().map { line in
            String(line.prefix { $0 != "\t" })
        }
    }

    /// The offers of bash's own completion function for a line, with the cursor at its end.
    private func bash(_ line: String) throws -> [String] {
        let run = try sandbox.shell(
            #"""
            cat > line <<'END'
            \#(line)
            END
            bash -c 'source <(sbfs completion bash); COMP_LINE=$(cat line; echo x); COMP_LINE=${COMP_LINE%?x}
            COMP_POINT=${#COMP_LINE}; last=${COMP_LINE##*[\" :=@]}; _sbfs sbfs "$last" before
            printf "%s\n" "${COMPREPLY[@]}"'
            """#)
        return run.lines
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `each shell's script passes the shell's own check`(shell: String) throws {
        try skipWithout([shell])
        let run = try sandbox.shell("sbfs completion \(shell) | \(shell) -n")
        #expect(run.err.isEmpty)
    }

    @Test func `verbs, second words, options and their values are completed`() throws {
        #expect(try offers("se") == ["search", "set", "service"])
        #expect(try Set(offers("tag", "")).isSuperset(of: ["add", "rm", "set"]))
        #expect(try offers("list", "--nd") == ["--ndjson"])
        #expect(
            try offers("--library", "x", "res") == [
                "restore", "restore-snapshot", "restore-version", "reset", "resolve",
            ])
        #expect(try offers("list", "--sort", "ne") == ["newest"])
        #expect(try offers("list", "--sort=ne") == ["--sort=newest"])
        #expect(try offers("completion", "z") == ["zsh"])
        #expect(try offers("help", "qu") == ["query"])
        #expect(try offers("set", "x", "linkT") == ["linkTitle="])
        #expect(try offers("nonsense", "x").isEmpty)
    }

    @Test func `each filter is completed, authors and languages by the library`() throws {
        let id = try sandbox.snippet("x", title: "A")
        try sandbox.sbfs("set", id, "linkAuthor=Donald Knuth", "linkLanguage=en-GB")
        #expect(try sandbox.sbfs("list", "author:knuth", "lang:en", "--ids").lines == [id])
        #expect(try offers("list", "-un") == [])
        #expect(try Set(offers("list", "a")).isSuperset(of: ["after:", "author:"]))
        #expect(try offers("list", "-tit") == ["-title:"])
        #expect(try offers("list", "is:un") == ["is:untitled", "is:untagged", "is:uncategorized"])
        #expect(try offers("list", "has:s") == ["has:snapshot"])
        #expect(try offers("list", "after:y") == ["after:yesterday", "after:year"])
        #expect(try offers("list", "author:do") == ["author:\"donald knuth\""])
        #expect(try offers("list", "lang:e") == ["lang:en", "lang:en-gb"])
    }

    @Test func `the first line says which paths fit`() throws {
        #expect(try sandbox.sbfs("complete", "--", "add", "").lines.first == "files")
        #expect(try sandbox.sbfs("complete", "--", "init", "").lines.first == "folders")
        #expect(try sandbox.sbfs("complete", "--", "list", "").lines.first == "none")
    }

    @Test func `the formats of export are its own`() throws {
        #expect(try Set(offers("export", "--format", "")) == ["html", "csv", "json", "ndjson", "markdown"])
        #expect(try offers("export", "--format=h") == ["--format=html"])
    }

    @Test func `names that no item has any more are not offered, and counts are of items as they are`() throws {
        try sandbox.snippet("x", title: "One", tags: "zz,kept,collection:Work")
        try sandbox.snippet("y", title: "Two", tags: "kept")
        try sandbox.sbfs("list")
        try sandbox.sbfs("tag", "rm", "One", "zz")
        try sandbox.sbfs("collection", "rename", "Work", "Job")
        try sandbox.sbfs("list")
        #expect(try offers("list", "tag:z").isEmpty)
        #expect(try offers("list", "collection:").filter { $0.contains("Work") || $0.contains("work") }.isEmpty)
        #expect(try sandbox.sbfs("complete", "--", "tag", "add", "One", "kept").lines.last == "kept\t2 items")
    }

    @Test func `titles, tags and collections of the library are completed without case and diacritics`() throws {
        try sandbox.sbfs("add", "-", "--title", "Crème brûlée", "--tag", "Dessert,desk work", input: "eggs")
        try sandbox.sbfs("add", "-", "--title", "Bread", "--collection", "Kitchen/Recipes", input: "flour")
        let trashed = try sandbox.sbfs("add", "-", "--title", "Cremation", input: "x").out
        try sandbox.sbfs("trash", String(trashed.prefix(36)))
        try sandbox.sbfs("reindex")
        #expect(try offers("open", "crem") == ["Crème brûlée"])
        #expect(try Set(offers("show", "")) == ["Bread", "Crème brûlée"])
        #expect(try offers("tag", "add", "Bread", "desk") == ["desk work"])
        #expect(try offers("tag", "add", "Bread", "new,DES") == ["new,desk work", "new,Dessert"])
        #expect(try offers("collection", "add", "Bread", "kit") == ["Kitchen", "Kitchen/Recipes"])
        // Shells show what begins alike, so all have quotes if one needs them.
        #expect(try offers("list", "tag:des") == ["tag:\"desk work\"", "tag:\"Dessert\""])
        #expect(try offers("list", "tag:\"dess") == ["tag:\"Dessert\""])
        #expect(try offers("list", "-q") == [])
        #expect(try offers("trash", "-q", "type:link tag:dess") == ["type:link tag:Dessert"])
        #expect(try offers("list", "-tag:dess") == ["-tag:Dessert"])
        #expect(try offers("list", "is:pi") == ["is:pinned"])
        #expect(try offers("search", "flo") == ["flour"])
    }

    @Test func `items of one title are offered by their ids, and rows of the last list by number`() throws {
        let first = try sandbox.sbfs("add", "-", "--title", "Twin", input: "one").out
        let second = try sandbox.sbfs("add", "-", "--title", "Twin", input: "two").out
        try sandbox.sbfs("reindex")
        let ids = Set([first, second].map { String($0.prefix(36).suffix(8)) })
        #expect(try Set(offers("open", "twi")) == ids)
    }

    @Test func `without a library only the program's own words are offered`() throws {
        sandbox.environment["SBFS_LIBRARY"] = "/nonexistent"
        #expect(try offers("open", "").isEmpty)
        #expect(try offers("co").contains("collection"))
        #expect(try offers("list", "ty") == ["type:"])
    }

    @Test func `a title that is no name is offered by its id, and a tag that cannot be typed not at all`() throws {
        let titles = ["-rf", "@3", "2026", "https://example.org/", "turn\u{202E}ed", "title=x"]
        let ids = try titles.map { try sandbox.snippet("x", title: $0, tags: "a\u{200B}b,-n,plain") }
        try sandbox.sbfs("reindex")
        #expect(try Set(offers("show", "")) == Set(ids.map { String($0.suffix(8)) }))
        #expect(try offers("tag", "add", "x", "").contains("plain"))
        #expect(try offers("tag", "add", "x", "").allSatisfy { $0 != "-n" && !$0.contains("\u{200B}") })
        #expect(try offers("list", "tag:").allSatisfy { !$0.contains("\u{200B}") })
    }

    @Test func `bash joins words that readline splits, and quotes as needed`() throws {
        try sandbox.sbfs("add", "-", "--title", "Bread & butter", "--tag", "Dessert,desk work", input: "eggs")
        try sandbox.sbfs("reindex")
        #expect(try bash("sbfs li").sorted() == ["links", "list"])
        #expect(try bash("sbfs open bre") == ["Bread\\ \\&\\ butter"])
        #expect(try bash("sbfs open \"bre") == ["Bread & butter\""])
        #expect(try bash("sbfs list tag:dess") == ["Dessert"])
        #expect(try bash("sbfs list tag:") == ["\\\"desk\\ work\\\"", "Dessert"])
        // Case differs behind what was typed: the common beginning is empty, so that nothing typed is taken away.
        #expect(try bash("sbfs list tag:des") == ["'\"'desk\\ work\\\"", "\\\"Dessert\\\""])
        // Readline adds names of files itself.
        try sandbox.file("report.pdf")
        #expect(try bash("sbfs add rep").isEmpty)
    }

    @Test(arguments: [[], ["tcsh"], ["bash", "zsh"]])
    func `another shell is a usage error`(words: [String]) throws {
        #expect(
            try sandbox.sbfs(words: ["completion"] + words, exits: 2).err.contains("which shell? bash, zsh or fish"))
    }
}
