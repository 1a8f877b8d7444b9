import Foundation
import TestSupport
import Testing

/// `sbfs git setup`, with git itself.
struct GitSetupTests: GitLibraryTests {
    let library: GitLibrary

    init() throws { library = try GitLibrary() }

    // MARK: Writing and taking out

    @Test func `setup writes once, a second run changes nothing, remove takes out exactly that`() throws {
        try sandbox.sbfs("check")
        let before = try sandbox.snapshot()
        let dry = try sandbox.sbfs("git", "setup", "--dry-run")
        #expect(dry.out.contains("merge.sbfs.driver = sbfs merge-driver -- %O %A %B %L %P\n"))
        #expect(dry.out.contains("/items/*/*/item.json merge=sbfs diff=sbfs-item\n"))
        #expect(
            dry.err
                == "sbfs: would write .git/config, .git/hooks/pre-commit, .git/hooks/prepare-commit-msg, "
                + ".git/hooks/pre-applypatch, .git/hooks/post-merge, .gitignore, .gitattributes\n"
        )
        #expect(try sandbox.changes(since: before).isEmpty)
        let run = try sandbox.sbfs("git", "setup")
        #expect(
            run.err.hasPrefix(
                "sbfs: wrote .git/config, .git/hooks/pre-commit, .git/hooks/prepare-commit-msg, "
                    + ".git/hooks/pre-applypatch, .git/hooks/post-merge, .gitignore, .gitattributes\n"
            ))
        #expect(try text(".gitattributes").hasPrefix("* -text\n# Begin"))
        #expect(try text(".gitignore").hasPrefix("/.sbfs/\n# Begin"))
        let after = try sandbox.snapshot()
        #expect(
            try sandbox.sbfs("git", "setup").err == "sbfs: git is set up already; nothing was changed\n")
        #expect(try sandbox.sbfs("git", "setup", "--replace").err.contains("nothing was changed"))
        #expect(try sandbox.changes(since: after).isEmpty)
        #expect(try sandbox.sbfs("git", "setup", "--remove", "-n").err.contains("would change or remove .git/config"))
        #expect(try sandbox.changes(since: after).isEmpty)
        try sandbox.sbfs("git", "setup", "--remove")
        #expect(try sandbox.changes(since: before).isEmpty)
        #expect(try sandbox.sbfs("git", "setup", "--remove").err == "sbfs: git has nothing of sbfs here\n")
    }

    @Test func `files that setup made are removed with their last line`() throws {
        try sandbox.shell(
            "cd \"$SBFS_LIBRARY\" && printf '*.txt text' >.gitattributes && : >.gitignore && rm -r .git/hooks")
        try sandbox.sbfs("git", "setup")
        #expect(try text(".gitattributes").hasPrefix("*.txt text\n# Begin"))
        #expect(try text(".gitignore").hasPrefix("# Begin"))
        try git("diff --quiet")
        try sandbox.sbfs("git", "setup", "--remove")
        #expect(try text(".gitattributes") == "*.txt text\n")
        #expect(!sandbox.scratch.exists("library/.gitignore"))
    }

    @Test func `a missing file of attributes begins as the library's own`() throws {
        try sandbox.scratch.removeFile("library/.gitattributes")
        try sandbox.sbfs("git", "setup")
        #expect(try text(".gitattributes").hasPrefix("* -text\n# Begin"))
    }

    @Test func `lines of the person stay, and those that set a merge are named`() throws {
        let own = "* -text\r\n*.json merge=union\n# merge=sbfs is a comment\n*.md binary\n*.txt merge=x\n"
        try sandbox.scratch.write("library/.gitattributes", own)
        try sandbox.scratch.write("library/.gitignore", "*.bak\n")
        let run = try sandbox.sbfs("git", "setup", exits: 4)
        #expect(
            run.err.contains(
                "line 2, sets merge for library.json, collections/*.json, tags/*.json, smart/*.json, "
                    + "tombstones/*/*.json, item.json: "
                    + "\"*.json merge=union\"; it stays"))
        #expect(run.err.contains("line 4, sets merge for text.md") && !run.err.contains("line 5"))
        let text = try text(".gitattributes")
        #expect(text.hasPrefix(own) && text.contains("/items/*/*/item.json diff=sbfs-item\n"))
        #expect(!text.dropFirst(own.count).contains("merge=sbfs"))
        #expect(try self.text(".gitignore").hasPrefix("*.bak\n# Begin"))
        #expect(try git("check-attr merge -- \(folder)/item.json").out.contains("merge: union"))
        // A line below the block is named, too, and the block then moves to the end.
        try sandbox.sbfs("git", "setup", "--replace")
        try sandbox.shell("echo 'item.json merge=union' >>\"$SBFS_LIBRARY/.gitattributes\"")
        #expect(try sandbox.sbfs("git", "setup", exits: 4).err.contains("sets merge for item.json"))
        try sandbox.sbfs("git", "setup", "--replace")
        #expect(try git("check-attr merge -- \(folder)/item.json").out.contains("merge: sbfs"))
        // What was replaced stays so.
        #expect(try sandbox.sbfs("git", "setup").err.contains("nothing was changed"))
        #expect(try git("check-attr merge -- \(folder)/item.json").out.contains("merge: sbfs"))
        #expect(try self.text(".gitattributes").hasPrefix(own + "item.json merge=union\n# Begin"))
        try sandbox.sbfs("git", "setup", "--remove")
        #expect(try self.text(".gitattributes") == own + "item.json merge=union\n")
    }

    @Test func `other files of attributes that win are named`() throws {
        try sandbox.shell("echo 'item.json -merge' >\"$SBFS_LIBRARY/.git/info/attributes\"")
        #expect(try sandbox.sbfs("git", "setup").err.contains("has git join item.json without sbfs"))
    }

    @Test func `a half of the block is not guessed at`() throws {
        try sandbox.sbfs("git", "setup")
        try sandbox.shell("sed -i '/^# End/d' \"$SBFS_LIBRARY/.gitattributes\"")
        let before = try sandbox.snapshot()
        for words in [["git", "setup"], ["git", "setup", "--remove"]] {
            #expect(
                try sandbox.sbfs(words: words, exits: 1).err.contains(".gitattributes, line 2: the lines that mark"))
        }
        #expect(try sandbox.changes(since: before).isEmpty)
    }

    @Test func `what --replace replaced in the settings comes back with --remove`() throws {
        try git("config merge.renames true")
        try git("config --add merge.sbfs.driver 'mine %A'")
        try git("config --add merge.sbfs.driver 'mine too %A'")
        try sandbox.sbfs("git", "setup", "--replace")
        try sandbox.sbfs("git", "setup", "--replace")
        #expect(try git("config merge.renames").out == "false\n")
        try sandbox.sbfs("git", "setup", "--remove")
        #expect(try git("config merge.renames").out == "true\n")
        #expect(try git("config --get-all merge.sbfs.driver").out == "mine %A\nmine too %A\n")
        #expect(!(try text(".git/config").contains("was-")))
    }

    @Test func `settings of the person stay unless --replace is given`() throws {
        try git("config merge.sbfs.driver 'mine %A'")
        let run = try sandbox.sbfs("git", "setup", exits: 4)
        #expect(run.err.contains(".git/config has merge.sbfs.driver = mine %A; it stays. --replace sets sbfs merge"))
        #expect(try git("config merge.sbfs.driver").out == "mine %A\n")
        #expect(try sandbox.sbfs("git", "setup", "--remove", exits: 4).err.contains("merge.sbfs.driver"))
        #expect(try git("config merge.sbfs.driver").out == "mine %A\n")
        try sandbox.sbfs("git", "setup", "--replace")
        #expect(try git("config merge.sbfs.driver").out == "sbfs merge-driver -- %O %A %B %L %P\n")
        #expect(try sandbox.sbfs("git", "setup", "--replace", "--remove", exits: 2).err.contains("not both"))
    }

    @Test func `settings that cannot be written give one clear error, and nothing is changed`() throws {
        try sandbox.sbfs("check")
        // git makes this file while it writes; as root, permissions stop nobody.
        try sandbox.scratch.write("library/.git/config.lock", "")
        let before = try sandbox.snapshot()
        let run = try sandbox.sbfs("git", "setup", exits: 1)
        #expect(run.err.hasPrefix("sbfs: git says: ") && run.err.contains("could not lock config file"))
        #expect(run.err.split(separator: "\n").count == 1)
        #expect(try sandbox.changes(since: before).isEmpty)
        try sandbox.scratch.removeFile("library/.git/config.lock")
        // A folder has the name that the new file takes first.
        try sandbox.scratch.makeDirectory("library/..gitignore.new")
        let half = try sandbox.sbfs("git", "setup", exits: 1)
        #expect(
            half.err.contains(
                "; .git/config, .git/hooks/pre-commit, .git/hooks/prepare-commit-msg, "
                    + ".git/hooks/pre-applypatch, .git/hooks/post-merge changed before that. Run this again"
            ))
        try sandbox.shell("rmdir \"$SBFS_LIBRARY/..gitignore.new\"")
        #expect(try sandbox.sbfs("git", "setup").err.hasPrefix("sbfs: wrote .gitignore, .gitattributes\n"))
        try sandbox.scratch.write("library/.git/config", "[core\n")
        #expect(try sandbox.sbfs("git", "setup", exits: 1).err.contains("bad config line"))
    }

    // MARK: Where

    @Test func `a library outside of git is refused with what to do`() throws {
        let plain = sandbox.scratch.full("plain it's")
        try sandbox.sbfs("init", plain)
        let run = try sandbox.sbfs("--library", plain, "git", "setup", exits: 1)
        #expect(
            run.err == "sbfs: \(plain) is not in git yet; run: git -C '\(plain.replacing("'", with: "'\\''"))' init\n")
        try sandbox.sbfs("init", "--force", sandbox.library + "/part")
        let part = try sandbox.sbfs("--library", sandbox.library + "/part", "git", "setup", exits: 1)
        #expect(part.err.contains("a folder within the work tree \(sandbox.library)"))
        try sandbox.shell("mkdir bin && ln -s \"$(command -v sbfs)\" bin/sbfs")
        sandbox.environment["PATH"] = sandbox.desk + "/bin"
        #expect(try sandbox.sbfs("git", "setup", exits: 1).err == "sbfs: there is no program git; install it first\n")
    }

    @Test func `variables of a hook do not choose another repository`() throws {
        try sandbox.shell("git init -q other && GIT_DIR=$PWD/other/.git GIT_INDEX_FILE=x sbfs git setup")
        #expect(try text(".git/config").contains("merge-driver"))
        #expect(try !sandbox.shell("cat other/.git/config").out.contains("sbfs"))
    }

    @Test func `names with spaces and quotes work, and a program that is not on PATH`() throws {
        try setUp()
        let place = "a 'b' \"c\" 50%O $HOME"
        let run = try sandbox.shell(
            """
            set -e; D='\(place.replacing("'", with: "'\\''"))'; mkdir "$D" "$D/bin"; programs=$(dirname "$(command -v sbfs)")
            ln "$programs/sbfs" "$D/bin/sbfs" 2>/dev/null || cp "$programs/sbfs" "$D/bin/sbfs"
            git clone -q "$SBFS_LIBRARY" "$D/one"; git clone -q "$SBFS_LIBRARY" "$D/two"
            for clone in one two; do "$D/bin/sbfs" --library "$D/$clone" git setup; done
            sbfs --library "$D/one" tag add \(id) weekend; sbfs --library "$D/two" title \(id) Sourdough
            PATH=/usr/bin:/bin
            for clone in one two; do git -C "$D/$clone" commit -qam edit; done
            git -C "$D/one" fetch -q ../two && git -C "$D/one" merge -q --no-edit FETCH_HEAD
            git -C "$D/one" log -p | grep '+tags: weekend'
            cat "$D/one/.git/hooks/pre-commit"
            echo '{' >"$D/one/library.json"; ! git -C "$D/one" commit -qam bad
            grep -q Sourdough "$D/one/\(folder)/item.json"; grep weekend "$D/one/\(folder)/item.json"
            """)
        #expect(run.out.contains("+tags: weekend") && run.err.contains("library.json:"))
        #expect(run.out.contains("program='\(sandbox.desk)/a '\\''b'\\''"))
    }

    @Test func `a linked work tree shares the settings and the hook`() throws {
        try setUp()
        try git("worktree add -q ../desk/tree -b side")
        #expect(try sandbox.sbfs("--library", "tree", "git", "setup").err.contains("set up already"))
        try sandbox.sbfs("git", "setup", "--remove")
        #expect(try sandbox.sbfs("--library", "tree", "title", id, "New").err.contains("does not join items yet"))
        #expect(
            try sandbox.sbfs("--library", "tree", "git", "setup").err
                .contains(
                    "wrote \(sandbox.library)/.git/config, \(sandbox.library)/.git/hooks/pre-commit, "
                        + "\(sandbox.library)/.git/hooks/prepare-commit-msg, \(sandbox.library)/.git/hooks/pre-applypatch, "
                        + "\(sandbox.library)/.git/hooks/post-merge\n"
                ))
        #expect(try !sandbox.sbfs("--library", "tree", "title", id, "Newer").err.contains("join"))
        #expect(
            try sandbox.shell("cd tree && echo '{' >library.json && git commit -qam bad", exits: 1).err
                .contains("library.json:2:1"))
    }

    @Test func `a submodule has its own settings`() throws {
        try setUp()
        try sandbox.shell(
            """
            set -e; git init -q outer; cd outer
            git -c protocol.file.allow=always submodule --quiet add "$SBFS_LIBRARY" lib
            sbfs --library lib title \(id) One 2>warned; grep 'run "sbfs git setup"' warned
            sbfs --library lib git setup; sbfs --library lib title \(id) Two 2>warned; ! grep setup warned
            grep -q merge-driver .git/modules/lib/config; test -x .git/modules/lib/hooks/pre-commit; ! test -e .git/hooks/pre-commit
            """)
    }

    // MARK: Clones

    @Test func `a clone that does not join is told so by writing commands alone`() throws {
        try setUp()
        try sandbox.shell("git clone -q \"$SBFS_LIBRARY\" one")
        let warning = "sbfs: this clone does not join items yet; run \"sbfs git setup\"\n"
        #expect(try sandbox.sbfs("--library", "one", "title", id, "New").err.contains(warning))
        for words in [["list"], ["title", id, "Newer", "-n"], ["--quiet", "title", id, "Newest"]] {
            #expect(try !sandbox.sbfs(words: ["--library", "one"] + words).err.contains(warning), "\(words)")
        }
        try sandbox.sbfs("--library", "one", "git", "setup")
        #expect(try !sandbox.sbfs("--library", "one", "title", id, "A").err.contains(warning))
        #expect(try !sandbox.sbfs("title", id, "A").err.contains(warning))
    }

    @Test func `a driver for all repositories, or in a file that is included, is enough`() throws {
        try setUp()
        try sandbox.shell("git clone -q \"$SBFS_LIBRARY\" one")
        func isWarned() throws -> Bool {
            try sandbox.sbfs("--library", "one", "title", id, UUID().uuidString).err.contains("does not join")
        }
        #expect(try isWarned())
        try sandbox.file("global", "[Merge \"sbfs\"] Driver = x\n")
        try sandbox.shell("git -C one config include.path \(sandbox.desk)/global")
        #expect(try !isWarned())
        try sandbox.shell("git -C one config --unset include.path")
        #expect(try isWarned())
        sandbox.environment["GIT_CONFIG_GLOBAL"] = sandbox.desk + "/global"
        #expect(try !isWarned())
    }

    @Test func `tracked files of one device are named`() throws {
        try sandbox.sbfs("title", id, "New")
        try git("add -f .sbfs \(folder)/history")
        #expect(try sandbox.sbfs("git", "setup").err.contains("git tracks files of this device alone"))
        try git("rm -r -q --cached --ignore-unmatch .sbfs 'items/*/*/history/*'")
        #expect(try !sandbox.sbfs("git", "setup").err.contains("git tracks"))
    }
}
