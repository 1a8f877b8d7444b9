import Testing

/// `sbfs conflicts` in a clone that merged without the driver.
struct UnmergedFilesTests {
    let sandbox: Sandbox
    let ids: [String]

    /// Two clones of a library; neither is set up.
    init() throws {
        sandbox = try .withGit()
        var ids: [String] = []
        for number in 1...4 {
            ids.append(try sandbox.snippet("Feed.\n\nWait.\n\nBake.\n", title: "Bread \(number)"))
        }
        self.ids = ids
        try sandbox.shell(
            """
            set -e; git init -q -b main "$SBFS_LIBRARY"; sbfs git setup; cd "$SBFS_LIBRARY"
            printf 'base\\n' >"items/\(ids[0].suffix(2))/\(ids[0])/mine.txt"; git add -A; git commit -qm first
            cd "$HOME/../desk"; for clone in one two; do git clone -q "$SBFS_LIBRARY" $clone; done
            """)
    }

    private func folder(_ id: String) -> String { sandbox.folderInLibrary(id) }

    /// Both clones change the titles and the texts of some items, and the first one merges.
    private func merge(_ ids: some Sequence<String>) throws {
        for clone in ["one", "two"] {
            for id in ids {
                try sandbox.sbfs("--library", clone, "title", id, "Bread of \(clone)")
                try sandbox.shell("sed -i 's/Wait\\./Wait for \(clone)./' \(clone)/\(folder(id))/text.md")
            }
            try sandbox.shell("git -C \(clone) add -A; git -C \(clone) commit -qm edit")
        }
        try sandbox.shell("cd one; git fetch -q ../two; git merge -q FETCH_HEAD", exits: 1)
    }

    private func conflicts(_ words: String..., exits status: Int32) throws -> Run {
        try sandbox.sbfs(words: ["--library", "one", "conflicts"] + words, exits: status)
    }

    /// The command in a message, which runs to the end of its line.
    private func command(_ run: Run) throws -> String {
        let line = try #require(run.err.split(separator: "\n").first { $0.contains("to have sbfs join, run: ") })
        return String(line.split(separator: "run: ", maxSplits: 1)[1])
    }

    @Test func `items with git's markers are named, and the command that is named joins them`() throws {
        try merge([ids[0]])
        let run = try conflicts(exits: 4)
        #expect(run.err.contains("\(folder(ids[0]))/item.json:") && run.err.contains("found \"<<<<<<<\""))
        #expect(run.err.contains("git merged 2 files without sbfs and left its markers; to have sbfs join, run: sbfs "))
        #expect(!run.err.contains("no conflicts"))
        #expect(try conflicts(ids[0], exits: 4).err.contains("git merged 2 files"))
        try sandbox.shell(command(run))
        let after = try conflicts(exits: 0)
        #expect(after.lines.count == 2 && after.lines[1].contains("\ttitle\t"), "\(after)")
        #expect(!after.err.contains("git"))
        let rest = try sandbox.shell("cd one; git commit -qm merged; git status --porcelain; git diff").out
        #expect(rest == "")
        #expect(try sandbox.shell("git -C one ls-files | grep -c conflicts/").out == "2\n")
        #expect(try sandbox.sbfs("--library", "one", "check", "--read-data").err.contains("0 errors"))
    }

    @Test func `nothing is appended to a text with git's markers`() throws {
        let text = folder(ids[0]) + "/text.md"
        for clone in ["one", "two"] {
            try sandbox.shell("cd \(clone); sed -i 's/Wait\\./Wait for \(clone)./' \(text); git commit -qam edit")
        }
        try sandbox.shell("cd one; git fetch -q ../two; git merge -q FETCH_HEAD", exits: 1)
        let run = try sandbox.sbfs("--library", "one", "append", ids[0], "Cool.", exits: 1)
        #expect(run.err.contains("\(text) has git's conflict markers; to have sbfs join it, run: "))
        #expect(try sandbox.sbfs("--library", "one", "append", ids[0], "Cool.", "-n", exits: 1).err == run.err)
        #expect(try !sandbox.shell("cat one/\(text)").out.contains("Cool."))
        let line = try #require(run.err.split(separator: "\n").first { $0.contains("run: ") })
        try sandbox.shell(String(line.split(separator: "run: ", maxSplits: 1)[1]))
        try sandbox.sbfs("--library", "one", "append", ids[0], "Cool.")
        let after = try sandbox.shell("cat one/\(text)").out
        #expect(after.hasSuffix("Cool.\n") && !after.contains("<<<<<<<"))
    }

    @Test func `many files are joined by one line`() throws {
        try merge(ids)
        let run = try conflicts(exits: 4)
        #expect(run.err.contains("git merged 8 files"))
        let line = try command(run)
        #expect(line.utf8.count < 500)
        try sandbox.shell(line)
        #expect(try conflicts(exits: 0).lines.count == 8)
    }

    @Test func `a clone with a hook of its own, and another library set up by default, are no hindrance`() throws {
        try sandbox.shell("printf '#!/bin/sh\n' >one/.git/hooks/pre-commit; chmod +x one/.git/hooks/pre-commit")
        try merge([ids[0]])
        let run = try sandbox.shell(command(conflicts(exits: 4)))
        #expect(run.err.contains("pre-commit is there already and stays"))
        #expect(try conflicts(exits: 0).lines.count == 2)
    }

    @Test func `files that sbfs does not join are named, and edited ones are left`() throws {
        for clone in ["one", "two"] { try sandbox.shell("echo \(clone) >\(clone)/'\(folder(ids[0]))/mine.txt'") }
        try merge([ids[1]])
        try sandbox.sbfs("--library", "one", "git", "setup")
        try sandbox.shell("cd one; printf 'Mine.\\n' >\(folder(ids[1]))/text.md")
        let run = try conflicts(exits: 4)
        #expect(run.err.contains("git merged 1 file without sbfs"))
        #expect(try command(run).hasPrefix("git -C one checkout"))
        #expect(
            run.err.contains("\(folder(ids[0]))/mine.txt has git's conflict markers; edit it, then: git -C one add "))
        #expect(try !command(run).contains("text.md"))
    }

    @Test func `a broken item is named outside of git, too`() throws {
        try sandbox.scratch.write(sandbox.folder(ids[0]) + "/item.json", "{\n<<<<<<< HEAD\n")
        let run = try sandbox.sbfs("conflicts", exits: 4)
        #expect(run.err.contains("item.json:2:1") && !run.err.contains("no conflicts"))
    }

    @Test func `markers in a library within another repository are named`() throws {
        let id = ids[0], file = "lib/\(folder(id))/text.md"
        try sandbox.shell(
            """
            set -e; git init -q -b main outer; cp -a "$SBFS_LIBRARY" outer/lib; rm -rf outer/lib/.git; cd outer
            git add -A; git commit -qm first; cd ..; git clone -q outer other
            for clone in outer other; do sed -i "s/Wait\\./Wait for $clone./" $clone/\(file); git -C $clone commit -qam edit; done
            """)
        try sandbox.shell("cd outer; git fetch -q ../other; git merge -q FETCH_HEAD", exits: 1)
        let run = try sandbox.sbfs("--library", "outer/lib", "conflicts", exits: 4)
        #expect(run.err.contains("\(folder(id))/text.md has git's conflict markers; edit it, then: git -C "))
        #expect(!run.err.contains("git setup"))
        try sandbox.shell(
            "sed -i '/^[<=>]/d' outer/\(file); " + #require(
                run.err.split(separator: "edit it, then: ", maxSplits: 1).last.map { String($0.prefix { $0 != "\n" }) })
        )
        #expect(try !sandbox.sbfs("--library", "outer/lib", "conflicts", exits: nil).err.contains("markers"))
    }
}
