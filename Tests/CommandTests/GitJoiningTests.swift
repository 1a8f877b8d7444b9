import TestSupport
import Testing

/// What git joins and shows in clones that `sbfs git setup` made ready.
struct GitJoiningTests: GitLibraryTests {
    let library: GitLibrary

    init() throws { library = try GitLibrary() }

    @Test(arguments: ["merge -q --no-edit FETCH_HEAD", "rebase -q FETCH_HEAD", "cherry-pick FETCH_HEAD"])
    func `edits of two clones are joined by`(_ operation: String) throws {
        try self.clone()
        try sandbox.shell(
            """
            set -e
            sbfs --library one title \(id) Sourdough; sbfs --library one tag add \(id) weekend
            sbfs --library two tag rm \(id) 'to read'; printf '\\nBake.\\n' >>two/\(folder)/text.md
            for clone in one two; do git -C $clone add -A; git -C $clone commit -qm edit; done
            cd one; git fetch -q ../two; git \(operation)
            test -z "$(git status --porcelain)"; ! git ls-files | grep -E 'history/|merge_file|\\.sbfs'
            sbfs --library . check
            """)
        let item = try sandbox.shell("cat one/\(folder)/item.json").out
        #expect(item.contains("Sourdough") && item.contains("weekend") && !item.contains("to read"))
        #expect(try sandbox.shell("cat one/\(folder)/text.md").out == "Feed the starter.\n\nWait.\n\nBake.\n")
    }

    @Test(arguments: ["one", "two"]) func `a smart folder that one clone deleted and the other changed stays, changed`(
        _ clone: String
    ) throws {
        try sandbox.sbfs("smart", "add", "Soup", "soup")
        try self.clone()
        let other = clone == "one" ? "two" : "one"
        try sandbox.shell(
            """
            set -e; sbfs --library one smart rm Soup; sed -i 's/"soup"/"soup stew"/' two/smart/soup-*.json
            for clone in one two; do git -C $clone commit -qam edit; done
            cd \(clone); git fetch -q ../\(other); git merge -q --no-edit FETCH_HEAD; test -z "$(git status --porcelain)"
            """)
        #expect(try sandbox.sbfs("--library", clone, "smart", "list").out.contains("soup stew"))
        // Nobody changed it since: it is deleted.
        try sandbox.shell(
            """
            set -e; cd \(other); git pull -q ../\(clone) main; sbfs --library . smart rm Soup; git commit -qam removed
            cd ../\(clone); sbfs --library . tag add \(id) weekend; git commit -qam edit; git pull -q --no-rebase ../\(other) main
            """)
        #expect(try !sandbox.sbfs("--library", clone, "smart", "list").out.contains("soup"))
    }

    @Test func `a page that both changed gets no conflict markers`() throws {
        try sandbox.scratch.write("library/\(folder)/page.html", "<p>base\n")
        try self.clone()
        let run = try sandbox.shell(
            """
            for clone in one two; do echo "<p>$clone" >$clone/\(folder)/page.html; git -C $clone commit -qam page; done
            cd one; git show | grep -c Binary; git fetch -q ../two; git merge -q FETCH_HEAD >merged; cat \(folder)/page.html
            git status --porcelain -uno
            """)
        #expect(run.out == "1\n<p>one\nUU \(folder)/page.html\n")
    }

    @Test(arguments: [false, true]) func `of documents of two names that both put there a person chooses`(
        isReplaced: Bool
    ) throws {
        if isReplaced {
            try sandbox.scratch.write("base.txt", "base")
            try sandbox.sbfs("attach", id, sandbox.scratch.full("base.txt"))
        }
        try self.clone()
        let run = try sandbox.shell(
            """
            for clone in one two; do
                echo "by $clone" >$clone.txt; sbfs --library $clone attach --replace --yes \(id) $clone.txt
                sbfs --library $clone tag add \(id) $clone; git -C $clone add -A; git -C $clone commit -qm document
            done
            cd one; git fetch -q ../two; git merge -q FETCH_HEAD >../merged 2>&1 && exit 9
            cat ../merged; ls \(folder)/document; git status --porcelain -uno
            """)
        // The later side stands, and the rest of the item is joined.
        let path = "\(folder)/document"
        #expect(run.out.contains("document/two.txt is the document now, and document/one.txt lies beside it"))
        #expect(run.out.contains("\"git rm \(path)/one.txt\""))
        #expect(
            run.out.hasSuffix("one.txt\ntwo.txt\nAA \(folder)/item.json\n")
                || run.out.contains("UU \(folder)/item.json\n"))
        let item = try sandbox.shell("cat one/\(folder)/item.json").out
        #expect(item.contains("document/two.txt") && item.contains("\"one\"") && item.contains("\"two\""))
        let command = try #require(run.out.firstRange(of: "git mv ")).lowerBound
        let line = String(run.out[command...].prefix { $0 != "\"" })
        #expect(line.hasPrefix("git mv \(path)/one.txt \(path)/one.conflict-"))
        try sandbox.shell("set -e; cd one; \(line); git add -A; git commit -qm joined")
        #expect(try sandbox.sbfs("--library", "one", "conflicts").out.contains("one.conflict-"))
    }

    @Test func `differences of items are shown a field a line`() throws {
        try setUp()
        try sandbox.sbfs("title", id, "Sourdough")
        try sandbox.sbfs("tag", "add", id, "weekend")
        func changed(_ text: String) -> [String] {
            text.split(separator: "\n").map(String.init)
                .filter { ($0.hasPrefix("+") || $0.hasPrefix("-")) && !$0.hasPrefix("++") && !$0.hasPrefix("--") }
                .filter { !$0.contains("updatedAt") }
        }
        let expected = ["-title: Bread", "+title: Sourdough", "+tags: weekend"]
        #expect(changed(try git("diff").out) == expected)
        try git("commit -qam edit")
        #expect(changed(try git("log -p -1").out) == expected)
        // Where nobody ever commits, no name of a committer is needed.
        for name in ["AUTHOR", "COMMITTER"] {
            sandbox.environment["GIT_\(name)_NAME"] = nil
            sandbox.environment["GIT_\(name)_EMAIL"] = nil
        }
        try git("config user.useConfigOnly true")
        #expect(changed(try git("log -p -1").out) == expected)
    }

    @Test func `the printed lines tell each value apart, and nothing in them controls the terminal`() throws {
        let json = #"""
            {"title": "A\u001b[2J", "n": 5, "s": "5", "e": "", "list": ["a", "b"], "none": [], "o": {"k\n": {"x": null}},
            "text": "one\ntwo\n", "space": " x", "quote": "\"q\"", "long": "\#(String(repeating: "x", count: 300))"}
            """#
        let file = try sandbox.file("item.json", json)
        #expect(
            try sandbox.sbfs("git", "textconv", file).out == #"""
                title: A\x1b[2J
                n: 5
                s: "5"
                e: ""
                list: a
                list: b
                none: []
                o.k\n.x: null
                text: one
                    two
                    \#("")
                space: " x"
                quote: "\"q\""
                long: \#(String(repeating: "x", count: 300))

                """#)
        try sandbox.file("bad.json", "{ \"title\": \n<<<<<<< x\u{1B}\n")
        #expect(try sandbox.sbfs("git", "textconv", "bad.json").out == "{ \"title\": \n<<<<<<< x\\x1b\n")
        try sandbox.sbfs("git", "textconv", "absent", exits: 1)
    }
}
