import TestSupport
import Testing

/// The hooks that `sbfs git setup` makes: which commits they refuse, and which hooks of a person stay.
struct GitHookTests: GitLibraryTests {
    let library: GitLibrary

    init() throws { library = try GitLibrary() }

    @Test func `a commit of damaged files is refused and names each place`() throws {
        try setUp()
        let item = "\(folder)/item.json"
        try sandbox.shell(
            """
            cd "$SBFS_LIBRARY"; cp \(item) "$HOME/good"; printf '{\\n  "id": 1,\\n}\\n' >\(item)
            printf '{\\n<<<<<<< ours\\n=======\\n>>>>>>> theirs\\n}\\n' >library.json; echo '[]' >tags/x.json
            echo '{"a":1,"a":2}' >smart/x.json
            mkdir mine; echo '{ // mine' >mine/library.json; git add -A
            """)
        let run = try git("commit -qm bad", exits: 1)
        #expect(
            run.err == """
                sbfs: \(item):3:1: expected a key in double quotes, found "}" after a trailing comma
                sbfs: library.json:2:1: this is a conflict marker of git
                sbfs: smart/x.json:1:8: expected a key that this object does not have yet, found "a" a second time
                sbfs: tags/x.json:1:1: this is no JSON object
                sbfs: 4 staged files are damaged, and nothing was committed; correct and add again (git commit \
                --no-verify checks nothing)

                """)
        // What is staged counts, not what is in the work tree.
        try sandbox.shell(
            "cd \"$SBFS_LIBRARY\" && git checkout -q HEAD library.json && git rm -qf tags/x.json smart/x.json")
        try sandbox.shell("cp \"$HOME/good\" \"$SBFS_LIBRARY/\(item)\"")
        #expect(try git("commit -qm bad", exits: 1).err.contains("1 staged file is damaged"))
        try git("commit -qam good")
        try sandbox.shell("cd \"$SBFS_LIBRARY\" && echo '{' >\(item)")
        try git("commit -qam bad --no-verify")
        try git("rm -q --cached \(item)")
        try git("commit -qm removed")
    }

    @Test func `the first commit and many files are checked`() throws {
        try sandbox.sbfs("git", "setup")
        try sandbox.shell(
            """
            cd "$SBFS_LIBRARY"; mkdir -p tags
            i=0; while [ $i -lt 3000 ]; do echo "{\\"name\\":\\"$i\\"}" >tags/t-$i.json; i=$((i+1)); done
            echo '{' >tags/z.json; git add -A
            """)
        #expect(try git("commit -qm first", exits: 1).err.contains("tags/z.json:2:1"))
        try git("rm -q --cached tags/z.json")
        try git("commit -qm first")
    }

    @Test func `a hook of the person stays, and the line for it is named`() throws {
        let hook = "#!/bin/sh\nexit 0\n"
        try sandbox.scratch.write("library/.git/hooks/pre-commit", hook)
        let run = try sandbox.sbfs("git", "setup", exits: 4)
        #expect(
            run.err.contains(
                ".git/hooks/pre-commit is there already and stays; put this line into it: sbfs git check-staged || exit 1"
            ))
        #expect(try text(".git/hooks/pre-commit") == hook)
        let own = "#!/bin/sh\nsbfs git check-staged || exit 1\nexit 0\n"
        try sandbox.scratch.write("library/.git/hooks/pre-commit", own)
        #expect(try sandbox.sbfs("git", "setup").err.contains("nothing was changed"))
        #expect(
            try sandbox.sbfs("git", "setup", "--remove", exits: 4).err.contains("take \"sbfs git check-staged\" out"))
        #expect(try text(".git/hooks/pre-commit") == own)
        // The other hook is not the person's, and comes and goes.
        #expect(!sandbox.scratch.exists("library/.git/hooks/prepare-commit-msg"))
    }

    @Test func `a hook of the person for the message stays, and the line for it is named`() throws {
        let hook = "#!/bin/sh\nexit 0\n"
        try sandbox.scratch.write("library/.git/hooks/prepare-commit-msg", hook)
        let run = try sandbox.sbfs("git", "setup", exits: 4)
        #expect(
            run.err.contains(
                ".git/hooks/prepare-commit-msg is there already and stays; put this line into it: "
                    + "sbfs git check-staged --rebase || exit 1"))
        #expect(try text(".git/hooks/prepare-commit-msg") == hook)
        #expect(try text(".git/hooks/pre-commit").contains("git check-staged"))
    }

    @Test func `core.hooksPath is followed, unless other repositories may share it`() throws {
        try git("config core.hooksPath .githooks")
        try sandbox.sbfs("git", "setup")
        #expect(try text(".githooks/pre-commit").contains("git check-staged"))
        #expect(!sandbox.scratch.exists("library/.git/hooks/pre-commit"))
        try sandbox.sbfs("git", "setup", "--remove")
        #expect(!sandbox.scratch.exists("library/.githooks/pre-commit"))
        try sandbox.shell("mkdir shared")
        try git("config core.hooksPath \(sandbox.desk)/shared")
        #expect(try sandbox.sbfs("git", "setup", exits: 4).err.contains("core.hooksPath is \(sandbox.desk)/shared"))
        #expect(try sandbox.shell("ls shared").out == "")
    }

    @Test func `without sbfs the hook says so and lets the commit through`() throws {
        try setUp()
        sandbox.environment["PATH"] = "/usr/bin:/bin"
        try sandbox.shell("echo x >\"$SBFS_LIBRARY/x\"")
        try git("add x")
        #expect(
            try git("commit -qm x").err == "pre-commit: sbfs is not installed, so the staged files are not checked\n")
    }
}
