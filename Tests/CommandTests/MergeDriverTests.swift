import Testing

/// `sbfs merge-driver`, started by git itself in two clones of a library.
struct MergeDriverTests {
    let sandbox: Sandbox
    let id: String
    /// The item's folder in a clone.
    let folder: String

    init() throws {
        sandbox = try Sandbox()
        id = try sandbox.snippet("Feed the starter.\n\nWait.\n\nBake.\n", title: "Bread", tags: "dough,to read")
        folder = String(sandbox.folder(id).dropFirst("library/".count))
        try sandbox.shell(
            """
            cd "$SBFS_LIBRARY"
            printf '.sbfs\\n' >.gitignore
            printf '%s merge=sbfs\\n' item.json text.md library.json 'tags/*.json' >.gitattributes
            git init -q -b main
            git config user.email a@b; git config user.name a
            git add -A; git commit -qm first
            cd "$HOME/../desk"
            git clone -q "$SBFS_LIBRARY" one
            git clone -q "$SBFS_LIBRARY" two
            for clone in one two; do
                git -C $clone config user.email a@b; git -C $clone config user.name a
                git -C $clone config merge.sbfs.driver 'sbfs merge-driver -- %O %A %B %L %P'
            done
            """)
    }

    /// Edits in both clones, and both commit.
    private func edit(_ one: String, _ two: String) throws {
        for (clone, script) in [("one", one), ("two", two)] {
            try sandbox.shell(
                """
                set -e; export SBFS_LIBRARY="$PWD/\(clone)" ID=\(id) ITEM="$PWD/\(clone)/\(folder)"
                \(script)
                cd \(clone); git add -A; git commit -qm edit
                """)
        }
    }

    private func text(_ clone: String, _ name: String) throws -> String {
        try sandbox.shell("cat '\(clone)/\(folder)/\(name)'").out
    }

    private static let edits = (
        """
        sbfs title "$ID" Sourdough; sbfs tag rm "$ID" 'to read'
        sed -i 's/Wait\\./Wait for twelve hours./' "$ITEM/text.md"
        """,
        """
        sbfs tag add "$ID" weekend
        printf '\\nCool.\\n' >>"$ITEM/text.md"
        """
    )

    @Test(arguments: ["merge -q --no-edit FETCH_HEAD", "rebase -q FETCH_HEAD", "cherry-pick FETCH_HEAD"])
    func `edits of both clones are there after`(_ operation: String) throws {
        try edit(Self.edits.0, Self.edits.1)
        try sandbox.shell("cd one && git fetch -q ../two && git \(operation)")
        let item = try text("one", "item.json")
        #expect(item.contains("Sourdough") && item.contains("weekend") && !item.contains("to read"))
        #expect(
            try text("one", "text.md") == "Feed the starter.\n\nWait for twelve hours.\n\nBake.\n\nCool.\n")
        #expect(try sandbox.shell("git -C one status --porcelain").out == "")
        try sandbox.shell("SBFS_LIBRARY=$PWD/one sbfs check")
    }

    @Test(arguments: [("one", "two"), ("two", "one")])
    func `a replaced document and its hash come together when the other clone edited the title`(
        _ taking: String, from other: String
    ) throws {
        try sandbox.shell(
            """
            set -e; cd one; export SBFS_LIBRARY="$PWD"
            echo first >../plan.txt; sbfs attach \(id) ../plan.txt
            git add -A; git commit -qm document; cd ../two; git pull -q --ff-only ../one main
            echo second >../plan.txt
            """)
        try edit("sbfs attach \"$ID\" plan.txt --replace --yes", "sbfs title \"$ID\" Sourdough")
        try sandbox.shell("cd \(taking) && git fetch -q ../\(other) && git merge -q --no-edit FETCH_HEAD")
        #expect(try text(taking, "document/plan.txt") == "second\n" && text(taking, "item.json").contains("Sourdough"))
        for words in ["check --read-data", "tag add \(id) rye", "check --read-data"] {
            let said = try sandbox.shell("SBFS_LIBRARY=$PWD/\(taking) sbfs \(words) 2>&1").out
            #expect(!said.contains("documentSHA256"), "\(said)")
        }
    }

    @Test func `a text that both replaced and git joined by lines has no hash that it does not have`() throws {
        try sandbox.shell(
            """
            set -e; cd one; export SBFS_LIBRARY="$PWD"
            seq 1 30 >../plan.txt; sbfs attach \(id) ../plan.txt
            git add -A; git commit -qm document; cd ../two; git pull -q --ff-only ../one main; cd ..
            mkdir a b; sed 's/^3$/three/' plan.txt >a/plan.txt; sed 's/^27$/late/' plan.txt >b/plan.txt
            """)
        try edit(
            "sbfs attach \"$ID\" a/plan.txt --replace --yes", "sbfs attach \"$ID\" b/plan.txt --replace --yes")
        try sandbox.shell(
            """
            set -e; git -C one fetch -q ../two; git -C two fetch -q ../one
            git -C one merge -q --no-edit FETCH_HEAD; git -C two merge -q --no-edit FETCH_HEAD
            diff -r -x .git -x .sbfs -x history one two
            """)
        let plan = try text("one", "document/plan.txt")
        #expect(plan.contains("three") && plan.contains("late"))
        #expect(try text("one", "item.json").contains("document/plan.txt"))
        for words in ["check --read-data", "tag add \(id) rye", "check --read-data"] {
            let said = try sandbox.shell("SBFS_LIBRARY=$PWD/one sbfs \(words) 2>&1").out
            #expect(!said.contains("documentSHA256"), "\(said)")
        }
        // What one side replaced and the other did not is still compared.
        try edit("sbfs attach \"$ID\" plan.txt --replace --yes", "sbfs title \"$ID\" Sourdough")
        try sandbox.shell("cd one && git fetch -q ../two && git merge -q --no-edit FETCH_HEAD")
        #expect(try text("one", "item.json").contains("documentSHA256"))
        try sandbox.shell("echo bad >>one/\(folder)/document/plan.txt")
        #expect(try sandbox.shell("SBFS_LIBRARY=$PWD/one sbfs check --read-data 2>&1").out.contains("documentSHA256"))
    }

    @Test func `both directions give the same bytes`() throws {
        try edit(Self.edits.0, Self.edits.1)
        try sandbox.shell(
            """
            set -e; git -C one fetch -q ../two; git -C two fetch -q ../one
            git -C one merge -q --no-edit FETCH_HEAD; git -C two merge -q --no-edit FETCH_HEAD
            diff -r -x .git -x .sbfs one two
            """)
    }

    @Test func `stash pop joins with what came meanwhile`() throws {
        try edit(Self.edits.0, Self.edits.1)
        try sandbox.shell(
            """
            set -e; cd one; git reset -q --soft HEAD^; git stash -q; git pull -q --ff-only ../two main; git stash pop -q
            """)
        let item = try text("one", "item.json")
        #expect(item.contains("Sourdough") && item.contains("weekend") && !item.contains("to read"))
    }

    @Test func `what both changed is kept in conflicts, the same in both clones`() throws {
        try edit("sbfs title \"$ID\" Sourdough", "sbfs title \"$ID\" 'Bread, slow'")
        let run = try sandbox.shell("cd one && git fetch -q ../two && git merge -q --no-edit FETCH_HEAD")
        #expect(run.err.contains("both sides changed one place"))
        #expect(try text("one", "item.json").contains("Bread, slow"))
        let kept = try sandbox.shell("cat one/\(folder)/conflicts/*.json").out
        #expect(kept.contains("Sourdough") && kept.contains("Bread, slow") && kept.contains("\"base\": \"Bread\""))
        try sandbox.shell(
            "git -C two fetch -q ../one main && git -C two merge -q --no-edit FETCH_HEAD~1 && diff -r -x .git -x .sbfs one two"
        )
        #expect(try sandbox.shell("SBFS_LIBRARY=$PWD/one sbfs list is:conflicted --ids").out.contains(id))
    }

    @Test func `longer markers of an attribute hide no conflict`() throws {
        try sandbox.shell(
            "for clone in one two; do echo '* conflict-marker-size=40' >>$clone/.gitattributes; git -C $clone commit -qam size; done"
        )
        try edit("sbfs title \"$ID\" Sourdough", "sbfs title \"$ID\" 'Bread, slow'")
        let run = try sandbox.shell("cd one && git fetch -q ../two && git merge -q --no-edit FETCH_HEAD")
        #expect(run.err.contains("both sides changed one place"))
        #expect(try sandbox.shell("cat one/\(folder)/conflicts/*.json").out.contains("Sourdough"))
    }

    @Test func `a version that does not parse is left to git, and ours stays`() throws {
        try edit("sbfs title \"$ID\" Sourdough", "printf '{ \"title\": ' >\"$ITEM/item.json\"")
        let ours = try text("one", "item.json")
        let run = try sandbox.shell("cd one && git fetch -q ../two && git merge -q --no-edit FETCH_HEAD", exits: 1)
        #expect(run.err.contains("their version is not JSON"))
        #expect(try text("one", "item.json") == ours)
        #expect(try sandbox.shell("git -C one status --porcelain").out == "UU \(folder)/item.json\n")
    }

    @Test func `conflicts are not written through a symbolic link`() throws {
        try edit(
            "sbfs title \"$ID\" Sourdough; mkdir ../desk/elsewhere; ln -s \"$PWD/elsewhere\" \"$ITEM/conflicts\"",
            "sbfs title \"$ID\" 'Bread, slow'")
        let ours = try text("one", "item.json")
        try sandbox.shell("cd one && git fetch -q ../two && git merge -q --no-edit FETCH_HEAD", exits: 1)
        #expect(try text("one", "item.json") == ours)
        #expect(try sandbox.shell("ls -A elsewhere").out == "")
    }

    @Test func `a library of a newer format is left to git`() throws {
        try edit(
            "sbfs config name Ours", "sed -i 's/\"format\": 1/\"format\": 99/' two/library.json")
        let run = try sandbox.shell("cd one && git fetch -q ../two && git merge -q --no-edit FETCH_HEAD", exits: 1)
        #expect(run.err.contains("format 99"))
        #expect(try sandbox.shell("git -C one status --porcelain").out == "UU library.json\n")
    }

    @Test func `a document with the name of an item's file is left to git`() throws {
        for (name, text) in [("base", "A\n"), ("ours", "A one\n"), ("theirs", "A\n\nB\n")] {
            try sandbox.file(name, text)
        }
        let path = "\(folder)/document/text.md"
        let run = try sandbox.sbfs("merge-driver", "base", "ours", "theirs", "7", path, exits: 1)
        #expect(run.err.contains("does not join such files"))
        #expect(try sandbox.shell("cat ours").out == "A one\n")
        try sandbox.sbfs("merge-driver", "base", "ours", "theirs", "7", "\(folder)/text.md")
        #expect(try sandbox.shell("cat ours").out == "A one\n\nB\n")
    }
}
