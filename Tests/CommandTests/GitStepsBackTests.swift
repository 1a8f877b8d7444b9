import Foundation
import TestSupport
import Testing

/// Earlier bytes that git puts back are steps back: sbfs keeps them, and brings nothing newer from history/.
struct GitStepsBackTests {
    let sandbox: Sandbox
    let id: String
    /// The item's folder in the library.
    let folder: String

    /// Three commits: the item as it was added, one with another title, tag and paragraph, and one with another title and a
    /// tag less.
    init() throws {
        sandbox = try .withGit()
        id = try sandbox.snippet("Feed the starter.\n\nWait.\n\nBake.\n", title: "Bread", tags: "dough")
        folder = sandbox.folderInLibrary(id)
        try git(
            """
            git init -q -b main; sbfs git setup; git add -A; git commit -qm first
            sbfs title \(id) Two; sbfs tag add \(id) rye; sed -i 's/Wait\\./Wait long./' \(folder)/text.md; sbfs list
            git commit -qam second
            sbfs title \(id) Three; sbfs tag rm \(id) dough; git commit -qam third
            """)
    }

    @discardableResult
    private func git(_ script: String, _ place: SourceLocation = #_sourceLocation) throws -> String {
        try sandbox.shell("set -e; cd \"$SBFS_LIBRARY\"\n\(script)", sourceLocation: place).out
    }

    /// What is expected of the item: its title, its tags, and the second paragraph.
    private func expect(
        _ title: String, _ tags: String, _ paragraph: String, _ place: SourceLocation = #_sourceLocation
    ) throws {
        let item = try git("tr -d '\\n ' <\(folder)/item.json"), text = try git("cat \(folder)/text.md")
        let list = tags.split(separator: ",").map { "\"\($0)\"" }.joined(separator: ",")
        #expect(item.contains("\"title\":\"\(title)\""), "\(item)", sourceLocation: place)
        #expect(item.contains("\"tags\":[\(list)]"), "\(item)", sourceLocation: place)
        #expect(text == "Feed the starter.\n\n\(paragraph)\n\nBake.\n", sourceLocation: place)
    }

    @Test func `checkout of an earlier commit stays, and so does the way back`() throws {
        try git("git checkout -q HEAD~2; sbfs list; sbfs check; test -z \"$(git status --porcelain)\"")
        try expect("Bread", "dough", "Wait.")
        try git("sbfs tag add \(id) here")
        try expect("Bread", "dough,here", "Wait.")
        try git("git checkout -q -f main; sbfs list; test -z \"$(git status --porcelain)\"; sbfs tag add \(id) there")
        try expect("Three", "rye,there", "Wait long.")
        #expect(try git("sbfs conflicts || test $? = 3").isEmpty)
    }

    @Test func `files that checkout takes back lose what was not committed`() throws {
        try git(
            "sbfs tag add \(id) draft; sed -i 's/Bake/Bake hot/' \(folder)/text.md; sbfs list; git checkout -q -- .; sbfs tag add \(id) new"
        )
        try expect("Three", "rye,new", "Wait long.")
    }

    @Test func `a hard reset stays`() throws {
        try git("git reset -q --hard HEAD~1; sbfs list; test -z \"$(git status --porcelain)\"; sbfs tag add \(id) new")
        try expect("Two", "dough,rye,new", "Wait long.")
        try git("git reset -q --hard HEAD~1; sbfs tag add \(id) newer")
        try expect("Bread", "dough,newer", "Wait.")
    }

    @Test func `stash takes an edit away, and pop joins it with what came meanwhile`() throws {
        try git("sbfs title \(id) Stashed; sed -i 's/long/a night/' \(folder)/text.md; git stash -q; sbfs list")
        try expect("Three", "rye", "Wait long.")
        try git("sbfs tag add \(id) meanwhile; git commit -qam meanwhile; git stash pop -q; sbfs list")
        try expect("Stashed", "rye,meanwhile", "Wait a night.")
        #expect(try git("sbfs conflicts || test $? = 3").isEmpty)
    }

    @Test(arguments: ["git reset -q --hard HEAD~1", "git revert --no-edit HEAD"])
    func `a step back behind the resolution of a conflict opens it again`(step: String) throws {
        try git(
            """
            git checkout -q -b other HEAD~1; sbfs title \(id) Other; git commit -qam other; git checkout -q main
            git merge -q --no-commit other > /dev/null 2>&1 || true; git add -A; git commit -qm joined
            sbfs conflicts --json | grep -q title; sbfs resolve \(id) title --take 1; git add -A; git commit -qm resolved
            sbfs list; test "$(sbfs conflicts 2>&1)" = "sbfs: no conflicts"
            """)
        let found = try git("sleep 1; \(step) > /dev/null 2>&1; sbfs list > /dev/null; sbfs conflicts")
        #expect(found.contains("Other") && found.contains("Three"), "\(found)")
        // It can be resolved, and stays so.
        try git(
            "sbfs resolve \(id) title --take 1; sbfs list; test \"$(sbfs conflicts 2>&1)\" = \"sbfs: no conflicts\"")
    }

    @Test
    func `another branch and the way back open no conflict that was resolved, and a stash of the resolution does`()
        throws
    {
        try git(
            """
            git checkout -q -b other HEAD~1; sbfs title \(id) Other; git commit -qam other; git checkout -q main
            git merge -q --no-commit other > /dev/null 2>&1 || true; git add -A; git commit -qm joined; git branch before
            sbfs resolve \(id) title --take 1; sleep 1; git stash -q; sbfs list > /dev/null; sbfs conflicts | grep -q Other
            sbfs resolve \(id) title --take 1; git stash drop -q; git add -A; git commit -qm resolved; sbfs list
            sleep 1; git checkout -q before; sbfs list > /dev/null; git checkout -q -f main; sbfs list > /dev/null
            """)
        #expect(try git("sbfs conflicts || test $? = 3").isEmpty)
        #expect(try git("git status --porcelain").isEmpty)
    }

    @Test func `a damaged log of git stops nothing`() throws {
        try git("mkdir -p \(folder)/conflicts; printf '\\t\\n' > .git/logs/HEAD; sbfs tag add \(id) here")
        try expect("Three", "rye,here", "Wait long.")
    }

    @Test func `a conflict that a pull brings from a clone which had not seen its end goes`() throws {
        try git(
            """
            git checkout -q -b other HEAD~1; sbfs title \(id) Other; git commit -qam other; git checkout -q main
            git merge -q --no-commit other > /dev/null 2>&1 || true; git add -A; git commit -qm joined
            git clone -q . ../clone; sbfs resolve \(id) title --take 1; git add -A; git commit -qm resolved; sbfs list
            cp -r ../clone/\(folder)/conflicts \(folder)/; sbfs list
            """)
        #expect(try git("sbfs conflicts || test $? = 3").isEmpty)
    }

    @Test func `revert takes back one commit and keeps what came after it`() throws {
        try git("sbfs tag add \(id) after; git commit -qam after; git revert --no-edit HEAD~1; sbfs list")
        try expect("Two", "rye,after,dough", "Wait long.")
    }

    @Test func `an item that a commit does not have is not there, though history/ stays`() throws {
        let other = try sandbox.snippet("second", title: "Later")
        try git(
            "sbfs tag add \(other) q; git add -A; git commit -qm later; git checkout -q HEAD~1; sbfs tag add \(id) k")
        #expect(try git("sbfs list --ids") == id + "\n")
        #expect(try git("git status --porcelain") == " M \(folder)/item.json\n")
        try git("git checkout -q -f main; sbfs check")
        #expect(Set(try git("sbfs list --ids").split(separator: "\n").map(String.init)) == [id, other])
        try git("git rm -qr items/*/\(other); git commit -qm gone; sbfs tag add \(id) more; sbfs check")
        #expect(try git("sbfs list --ids") == id + "\n")
    }

    @Test func `a rebase of several commits over several gives what a merge gives, with one conflict`() throws {
        try sandbox.shell(
            """
            set -e
            for clone in one two; do git clone -q "$SBFS_LIBRARY" $clone; sbfs --library $clone git setup; done
            cd one
            sbfs --library . title \(id) Sourdough; git commit -qam a; sbfs --library . tag add \(id) weekend; git commit -qam b
            sed -i 's/Bake/Bake hot/' \(folder)/text.md; git commit -qam c
            # The later edit has to have the later time.
            at=$(sed -n 's/.*"updatedAt": "\\(.*\\)".*/\\1/p' \(folder)/item.json); test -n "$at"
            until test "$(date -u +%FT%T.%3NZ)" '>' "$at"; do sleep 0.01; done; cd ../two
            sbfs --library . title \(id) 'Bread, slow'; git commit -qam d; sbfs --library . tag rm \(id) rye; git commit -qam e
            sed -i 's/Feed/Feed twice/' \(folder)/text.md; git commit -qam f
            cd ..; cp -a one merged
            for clone in one merged; do git -C $clone fetch -q ../two; done
            git -C merged merge -q --no-edit FETCH_HEAD; git -C one rebase -q FETCH_HEAD
            cmp one/\(folder)/text.md merged/\(folder)/text.md
            test "$(cat one/\(folder)/conflicts/*)" = "$(cat merged/\(folder)/conflicts/*)"
            sbfs --library one check; sbfs --library one list
            """)
        for clone in ["one", "merged"] {
            let item = try sandbox.shell("tr -d '\\n ' <\(clone)/\(folder)/item.json").out
            #expect(item.contains("\"title\":\"Bread,slow\"") && item.contains("\"tags\":[\"weekend\"]"), "\(item)")
            let text = try sandbox.shell("cat \(clone)/\(folder)/text.md").out
            #expect(text.contains("Feed twice") && text.contains("Bake hot"))
        }
        let kept = try sandbox.shell("cat one/\(folder)/conflicts/*.json").out
        #expect(kept.contains("Sourdough") && kept.contains("Bread, slow"))
    }

    @Test func `a conflict that was resolved, thrown away with the merge, and made again is a conflict`() throws {
        try git(
            """
            git branch before; git checkout -q -b other HEAD~1; sbfs title \(id) Other; git commit -qam other
            git checkout -q main; sbfs list; git merge -q --no-edit other
            """)
        let first = try git("ls \(folder)/conflicts")
        try git(
            """
            git add -A; git commit -qm merged; sbfs resolve \(id) title --take 1; git commit -qam resolved
            git reset -q --hard before; sbfs list; git merge -q --no-edit other; sbfs list
            """)
        let second = try git("ls \(folder)/conflicts")
        #expect(second != first && second.split(separator: "\n").count == 1)
        let listed = try git("sbfs conflicts")
        #expect(listed.contains("\ttitle\t") && listed.contains("Other") && listed.contains("Three"), "\(listed)")
        // The next time the second name is ended, too.
        try git(
            """
            sbfs resolve \(id) title --take 2; git reset -q --hard before; sbfs list; git merge -q --no-edit other; sbfs list
            """)
        #expect(try !Set(["", first, second]).contains(git("ls \(folder)/conflicts")))
    }
}
