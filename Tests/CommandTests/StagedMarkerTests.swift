import Testing

/// The hook of `sbfs git setup` refuses conflict markers that git left, and no others.
struct StagedMarkerTests {
    let sandbox: Sandbox
    /// The document, in a clone.
    let document: String

    /// Two clones of a library with a document, each set up.
    init() throws {
        sandbox = try .withGit()
        try sandbox.shell("seq 1 12 | sed 's/^/line /' >notes.txt")
        try sandbox.sbfs("add", "notes.txt")
        let id = try #require(try sandbox.ids().first)
        document = sandbox.folderInLibrary(id) + "/document/notes.txt"
        try sandbox.shell("git init -q -b main \"$SBFS_LIBRARY\" && sbfs git setup")
        try sandbox.cloneTwice()
    }

    /// Both clones change a line, and the first one fetches the other's commit.
    private func change(_ line: Int, _ other: Int? = nil) throws {
        try sandbox.shell(
            """
            set -e; export D=\(document)
            sed -i 's/^line \(line)$/& of one/' one/$D; git -C one commit -qam edit
            sed -i 's/^line \(other ?? line)$/& of two/' two/$D; git -C two commit -qam edit
            git -C one fetch -q ../two
            """)
    }

    /// Runs a line in the first clone.
    @discardableResult
    private func one(
        _ line: String, exits status: Int32? = 0, _ place: SourceLocation = #_sourceLocation
    ) throws -> Run {
        try sandbox.shell("cd one; export D=\(document); \(line)", exits: status, sourceLocation: place)
    }

    private static let block = "<<<<<<< HEAD\\nline 5\\n=======\\nline five\\n>>>>>>> topic\\n"

    @Test(arguments: [
        ("merge -q FETCH_HEAD", "commit -qm merged"),
        ("-c merge.conflictStyle=diff3 merge FETCH_HEAD", "merge --continue"),
        ("cherry-pick FETCH_HEAD", "cherry-pick --continue"),
    ])
    func `a document with git's markers is refused until it is resolved`(_ start: String, _ end: String) throws {
        try change(5)
        try one("git \(start)", exits: 1)
        try one("git add -A")
        let run = try one("GIT_EDITOR=true git \(end)", exits: nil)
        #expect(run.status != 0 && run.err.contains("sbfs: \(document):5:1: this is a conflict marker of git\n"))
        #expect(run.err.contains("1 staged file is damaged, and nothing was committed"))
        try one("sed -i '/^[<=>|]\\{7\\}/d' $D; git add -A; GIT_EDITOR=true git \(end)")
        #expect(try one("git status --porcelain").out == "")
    }

    @Test func `markers of git stash pop are refused as well`() throws {
        try change(5)
        try one("git reset -q --soft HEAD^; git stash -q; git merge -q --ff-only FETCH_HEAD; git stash pop", exits: 1)
        try one("git add -A")
        #expect(try one("git commit -qm popped", exits: 1).err.contains(":5:1: this is a conflict marker of git"))
    }

    @Test(arguments: [("merge", "commit -qm merged"), ("rebase", "rebase --continue")])
    func `markers in a text that git merged without the driver are refused`(_ start: String, _ end: String) throws {
        let id = try sandbox.snippet("One.\n", title: "Text")
        let text = sandbox.folderInLibrary(id) + "/text.md"
        try sandbox.shell(
            """
            set -e; git -C "$SBFS_LIBRARY" add -A; git -C "$SBFS_LIBRARY" commit -qm text
            for clone in one two; do
                git -C $clone pull -q; echo "$clone." >$clone/\(text); git -C $clone commit -qam edit
            done
            git -C one fetch -q ../two; echo '/items/*/*/text.md merge' >one/.git/info/attributes
            """)
        try one("git \(start) -q FETCH_HEAD", exits: 1)
        try one("git add -A")
        let run = try one("GIT_EDITOR=true git \(end)", exits: 1)
        #expect(run.err.contains("sbfs: \(text):1:1: this is a conflict marker"))
    }

    @Test func `a rebase does not go on over git's markers`() throws {
        try change(5)
        try one("git rebase -q FETCH_HEAD", exits: 1)
        try one("git add -A")
        let run = try one("GIT_EDITOR=true git rebase --continue", exits: nil)
        #expect(run.status != 0 && run.err.contains("sbfs: \(document):5:1: this is a conflict marker of git\n"))
        #expect(run.err.contains("git -c core.hooksPath=/dev/null rebase --continue checks nothing"))
        #expect(try one("git log -1 --format=%s; git show HEAD:$D").out.contains("<<<<<<<") == false)
        try one("sed -i '/^[<=>|]\\{7\\}/d' $D; git add -A; GIT_EDITOR=true git rebase --continue")
        #expect(try one("git status --porcelain; git show HEAD:$D | grep -c 'line 5'").out == "2\n")
        // After a rebase git leaves REBASE_HEAD. A document may show markers then, and who wants no check has none.
        try one("mkdir x; printf '\(Self.block)' >x/how-to.txt; git add -A; git commit -qm new")
        try one("echo '{' >tags/z.json; git add -A; git commit -qm bad --no-verify")
    }

    @Test func `a document may show markers`() throws {
        // One that is new, and one that is changed.
        try one("mkdir x; printf '\(Self.block)' >x/how-to.txt; git add -A; git commit -qm new")
        try one("printf 'Type:\\n\(Self.block)' >>x/how-to.txt; git commit -qam changed")
        try one("sed -i 's/^line 5$/&\\n<<<<<<< HEAD\\na\\n=======\\nb\\n>>>>>>> c/' $D; git commit -qam changed")
    }

    @Test func `markers that a side of a merge shows on purpose stay`() throws {
        try sandbox.shell(
            """
            set -e; printf '\(Self.block)' >>one/\(document); git -C one commit -qam shown
            mkdir two/x; printf '\(Self.block)' >two/x/how-to.txt; git -C two add -A; git -C two commit -qm shown
            """)
        try change(3)
        try one("git merge -q FETCH_HEAD", exits: 1)
        try one("git add -A")
        #expect(try one("git commit -qm merged", exits: 1).err.contains("\(document):3:1:"))
        try one("sed -i '3d;5d;6d;7d' $D; git add -A; git commit -qm merged")
        #expect(try one("git grep -c '<<<<<<< HEAD'").out == "\(document):1\nx/how-to.txt:1\n")
    }

    @Test func `several files are named once each, in the order of their paths`() throws {
        try sandbox.shell("for clone in one two; do echo '{\"name\":\"'$clone'\"}' >$clone/tags/z.json; done")
        try sandbox.shell("for clone in one two; do git -C $clone add -A; git -C $clone commit -qm tag; done")
        try change(5)
        try one("git merge -q FETCH_HEAD", exits: 1)
        try one("printf '{\\n<<<<<<< a\\n=======\\n>>>>>>> b\\n}\\n' >tags/z.json; git add -A")
        let lines = try one("git commit -qm merged", exits: 1).err.split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && lines[0].contains("notes.txt:5:1") && lines[1].contains("tags/z.json:2:1"))
    }

    @Test func `a rebase by patches that goes on refuses markers, too`() throws {
        try change(5)
        try one("git rebase --apply FETCH_HEAD", exits: nil)
        try one("test -d .git/rebase-apply; git add -A")
        let run = try one("git rebase --continue", exits: nil)
        #expect(run.status != 0 && run.err.contains("sbfs: \(document):5:1: this is a conflict marker of git\n"))
        try one("sed -i '/^[<=>]/d' $D; git add -A; git rebase --continue; test ! -d .git/rebase-apply")
        #expect(
            try one("cat $D").out.contains("line 5 of one")
                && one("git log --oneline").out.split(separator: "\n").count == 3)
    }
}
