import Testing

/// What git leaves for a person to decide in a merge is named, and no commit of the merge hides it.
struct StagedMergeTests {
    let sandbox: Sandbox
    /// The folder of an item with a document.
    let folder: String
    let id: String

    /// Two clones of a library, each set up.
    init() throws {
        sandbox = try .withGit()
        try sandbox.shell("seq 1 12 | sed 's/^/line /' >notes.txt; printf 'a\\0b' >blob.bin")
        try sandbox.sbfs("add", "notes.txt")
        id = try #require(try sandbox.ids().first)
        folder = sandbox.folderInLibrary(id)
        try sandbox.shell(
            """
            set -e; git init -q -b main "$SBFS_LIBRARY"; sbfs git setup; cp blob.bin "$SBFS_LIBRARY/\(folder)/page.html"
            sbfs tag add \(id) work; sbfs tag colour work red
            """)
        try sandbox.cloneTwice()
    }

    /// Runs a line in the first clone.
    @discardableResult
    private func one(
        _ line: String, exits status: Int32? = 0, _ place: SourceLocation = #_sourceLocation
    ) throws -> Run {
        try sandbox.shell("cd one; export F=\(folder); \(line)", exits: status, sourceLocation: place)
    }

    /// One clone purges the item, and the other one changes it.
    private func purge(in clone: String) throws {
        let other = clone == "one" ? "two" : "one"
        try sandbox.shell(
            """
            set -e; sbfs --library \(clone) trash \(id); sbfs --library \(clone) purge -q is:trashed --now -y
            sbfs --library \(other) title \(id) Changed
            for clone in one two; do git -C $clone add -A; git -C $clone commit -qm edit; done
            git -C one fetch -q ../two
            """)
    }

    /// The command behind a colon and some words, to the end of the sentence.
    private func command(_ run: Run, after words: String) throws -> String {
        let parts = run.err.split(separator: words, maxSplits: 1)
        try #require(parts.count == 2)
        return String(parts[1].prefix { $0 != ";" && $0 != "\n" })
    }

    @Test(arguments: [("one", "merge"), ("two", "merge"), ("one", "rebase"), ("two", "rebase")])
    func `an item that one side purged and the other changed keeps its files or goes`(
        _ clone: String, _ how: String
    ) throws {
        try purge(in: clone)
        try one("git \(how) -q FETCH_HEAD", exits: 1)
        let end = how == "merge" ? "git commit -qm merged" : "GIT_EDITOR=true git rebase --continue"
        let told = try sandbox.sbfs("--library", "one", "conflicts", exits: 4)
        #expect(told.err.contains("\(folder): one side purged this item, and the other changed it"), "\(told.err)")
        let run = try one("git add -A; \(end)", exits: nil)
        #expect(run.status != 0 && run.err.contains("\(folder): one side purged this item"), "\(run.err)")
        #expect(run.err.contains("the merge is not ended, and nothing was committed"))
        try one(command(run, after: "to keep all its files: ") + "; \(end)")
        #expect(try one("git status --porcelain; git ls-files $F").out.split(separator: "\n").count == 3)
        #expect(try sandbox.sbfs("--library", "one", "check").err.contains("0 errors, 0 warnings"))
        #expect(try sandbox.sbfs("--library", "one", "show", id).out.contains("notes.txt"))
    }

    @Test func `an item that is purged in the end goes whole`() throws {
        try purge(in: "two")
        try one("git merge -q FETCH_HEAD", exits: 1)
        let told = try sandbox.sbfs("--library", "one", "conflicts", exits: 4)
        try sandbox.shell(command(told, after: "to purge it: "))
        try one("git commit -qm merged; test ! -e $F; test -z \"$(git status --porcelain)\"")
    }

    @Test func `an edit of a purged item does not go into a new item of a like text`() throws {
        try sandbox.shell(
            """
            set -e; export text='Date:\n\nWhat happened today:\n\nWhat I learned:\n\nTomorrow:\n'
            printf "$text" | sbfs --library one add - --title Daily >daily; cd one; git add -A; git commit -qm daily; cd ..
            git -C two pull -q ../one; sbfs --library two trash $(cat daily); sbfs --library two purge -q is:trashed --now -y
            printf "$text" | sed 's/Date:/Date: Friday/' | sbfs --library two add - --title Friday >friday
            sed -i 's/I learned:/I learned: much/' one/items/*/$(cat daily)/text.md
            for clone in one two; do git -C $clone add -A; git -C $clone commit -qm edit; done; git -C one fetch -q ../two
            """)
        let run = try one("git merge -q FETCH_HEAD", exits: 1)
        #expect(run.err.contains("one side purged this item"), "\(run)")
        // git before 2.50 makes a rename of it.
        if run.err.contains("git merge -s recursive") {
            try one("git merge --abort; git merge -q -s recursive FETCH_HEAD", exits: 1)
        }
        let told = try sandbox.sbfs("--library", "one", "conflicts", exits: 4)
        #expect(told.err.contains("to keep all its files: "), "\(told)")
        try one("! grep -r much items/*/$(cat ../friday); grep -q much items/*/$(cat ../daily)/text.md")
    }

    @Test func `tombstones of an item that both clones purged are united`() throws {
        try sandbox.shell(
            """
            set -e; for clone in one two; do
                sbfs --library $clone title \(id) $clone; sbfs --library $clone trash \(id)
                sbfs --library $clone purge -q is:trashed --now -y; git -C $clone add -A; git -C $clone commit -qm purge
            done
            git -C one fetch -q ../two
            """)
        try one("git merge -q FETCH_HEAD; test -z \"$(git status --porcelain)\"; test ! -e $F")
        let path = "one/tombstones/*/\(id).json"
        // Each clone's purge found a version that the other's did not.
        try sandbox.shell(
            """
            hashes() { grep -cE '"[0-9a-f]{64}"'; }
            test $(cat \(path) | hashes) -gt $(git -C two show HEAD:./$(cd two; ls tombstones/*/\(id).json) | hashes)
            """)
    }

    @Test func `a commit of all files takes none that nobody decided on`() throws {
        try sandbox.shell(
            """
            set -e; printf 'a\\0one' >one/\(folder)/page.html; printf 'a\\0two' >two/\(folder)/page.html
            for clone in one two; do
                sbfs --library $clone tag colour work $([ $clone = one ] && echo blue || echo green)
                sbfs --library $clone title \(id) $clone; git -C $clone add -A; git -C $clone commit -qm edit
            done
            git -C one fetch -q ../two
            """)
        try one("git merge -q FETCH_HEAD", exits: 1)
        let told = try sandbox.sbfs("--library", "one", "conflicts", exits: 4)
        #expect(told.err.contains("\(folder)/page.html: git kept one version; choose"))
        #expect(told.err.contains(": git kept one version") && told.err.contains("tags/"))
        #expect(told.lines.count == 1)
        #expect(try sandbox.sbfs("--library", "one", "check").err.contains("page.html: git kept one version; choose"))
        // A person who joined it by hand is not asked to choose a side.
        try one("printf 'a\\0both' >$F/page.html")
        let joined = try sandbox.sbfs("--library", "one", "conflicts", exits: 4)
        #expect(
            joined.err.contains("page.html: it was joined or edited") && !joined.err.contains("page.html: git kept"))
        try one("git checkout -q --ours $F/page.html")
        let all = try one("git commit -qam merged", exits: 1)
        #expect(all.err.contains("\(folder)/page.html: both sides changed it, and git kept one"), "\(all.err)")
        #expect(all.err.contains("tags/") && all.err.contains("/conflicts/"))
        try one("git checkout -q --theirs $F/page.html; git add $F/page.html tags")
        let rest = try one("git commit -qm merged", exits: 1)
        #expect(rest.err.contains("a conflict of this merge; git add it") && rest.err.contains("(1 to decide;"))
        try one("git add -A; git commit -qm merged; test -z \"$(git status --porcelain)\"")
        #expect(try sandbox.sbfs("--library", "one", "conflicts").lines.count == 1)
    }
}
