import Foundation
import Testing

/// `sbfs import` of an archive that somebody else has made; `Scripts/hostile archives` has many more of them.
struct ImportArchiveTests {
    private static let id = "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"
    private static let folder = "items/c4/" + id

    /// A folder with an item, which a script turns into an archive.
    private func sandbox(_ script: String) throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.file(
            "x/\(Self.folder)/item.json", #"{"id":"\#(Self.id)","type":"snippet","title":"Theirs"}"# + "\n")
        try sandbox.file("x/\(Self.folder)/text.md", "words\n")
        try sandbox.shell(
            "cd x && item=\(Self.folder) && { \(script)\n} && tar -cf ../a.tar --no-recursion -T - <<.\n$(find * .[!.]* -depth 2>/dev/null)\n."
        )
        return sandbox
    }

    @Test func `nothing of an archive is run by the next commit in a library under git`() throws {
        let sandbox = try sandbox(
            """
            mkdir -p .git/hooks .vscode $item/.git && for f in .git/hooks/pre-commit .envrc Makefile .vscode/tasks.json
            do printf '#!/bin/sh\\ntouch "%s/P"\\n' "$PWD" > $f && chmod 755 $f; done
            printf '[core]\\n\\tfsmonitor = touch %s/P2; :\\n' "$PWD" > $item/.git/config
            """)
        try sandbox.shell(
            "cd '\(sandbox.library)' && git init -q && git config user.email a@b && git config user.name a")
        let hooks = try sandbox.shell("ls '\(sandbox.library)/.git/hooks'").out
        let run = try sandbox.sbfs("import", "a.tar", exits: 4)
        #expect(run.err.contains(".git/hooks/pre-commit: names that begin with a dot are not taken at the top"))
        #expect(try sandbox.shell("ls '\(sandbox.library)/.git/hooks'").out == hooks)
        try sandbox.shell(
            "cd '\(sandbox.library)' && git add -A && git commit -qm a && git status && cd \(Self.folder) && git status"
        )
        #expect(!sandbox.scratch.exists("desk/x/P") && !sandbox.scratch.exists("desk/x/P2"))
        for name in [".envrc", "Makefile", ".vscode/tasks.json", "\(Self.folder)/.git"] {
            #expect(!sandbox.scratch.exists("library/" + name), "\(name)")
        }
        #expect(try sandbox.ids() == [Self.id])
    }

    @Test func `no work tree of a repository elsewhere comes in, and no folder that a tool obeys`() throws {
        let sandbox = try sandbox(
            """
            d=$item/document; mkdir -p $d/wt $d/common/objects $d/common/refs && echo x > $d/common/objects/x
            echo x > $d/common/refs/x && echo 'ref: refs/heads/main' > $d/wt/HEAD && echo ../common > $d/wt/commondir
            printf '[core]\n\tbare = false\n\tworktree = .\n' > $d/wt/config.worktree && echo --exec=true > $item/.proverc
            printf '[core]\n\trepositoryformatversion = 1\n\tfsmonitor = touch %s/P; :\n[extensions]\n\tworktreeConfig = true\n' "$PWD" > $d/common/config
            """)
        let run = try sandbox.sbfs("import", "a.tar", exits: 4)
        for name in ["wt/commondir", "wt/config.worktree"] { #expect(run.err.contains(name), "\(run)") }
        #expect(run.err.contains(".proverc"))
        // Of a repository around the test's own folder, perhaps.
        try sandbox.shell("cd '\(sandbox.library)/\(Self.folder)/document/wt' && git status || true")
        #expect(!sandbox.scratch.exists("desk/x/P"))
    }

    @Test func `a person's own files in an item come back, without execute bits or special modes`() throws {
        let sandbox = try sandbox(
            "mkdir -p \"$item/my notes\" && echo a > \"$item/my notes/Größe.txt\" && echo b > $item/run && chmod 6777 $item/run && echo c > $item/.hidden && chmod 600 $item/.hidden"
        )
        try sandbox.sbfs("import", "a.tar")
        let modes = try sandbox.shell(
            "cd '\(sandbox.library)/\(Self.folder)' && find . -type f -printf '%m %p\\n' | sort"
        ).lines
        #expect(
            modes == ["600 ./.hidden", "644 ./item.json", "644 ./my notes/Größe.txt", "644 ./run", "644 ./text.md"])
    }

    @Test(arguments: [
        "not JSON", #"{"format":1}"#, #"{"format":99,"minReader":1,"id":"01a1961f-5c00-7000-9d41-3b7e60a2f25a"}"#,
    ])
    func `a library json that cannot be used replaces nothing`(_ text: String) throws {
        let sandbox = try sandbox("printf '%s' '\(text)' > library.json")
        let good = try sandbox.scratch.text("library/library.json")
        let run = try sandbox.sbfs("import", "a.tar", exits: 4)
        #expect(run.err.contains("library.json: it cannot be used: "))
        #expect(try sandbox.scratch.text("library/library.json") == good)
        #expect(try sandbox.ids() == [Self.id])
    }

    @Test func `nothing is taken of a library of a newer format`() throws {
        let sandbox = try sandbox(#"echo '{"format":99,"id":"01a1961f-5c00-7000-9d41-3b7e60a2f25a"}' > library.json"#)
        let before = try sandbox.snapshot()
        #expect(try sandbox.sbfs("import", "a.tar", exits: 1).err.contains("has format 99"))
        #expect(try sandbox.changes(since: before, in: "library").allSatisfy { $0.hasPrefix("library/.sbfs") })
        #expect(try sandbox.ids().isEmpty)
    }

    @Test func `files of one item may stand far from each other, and what cannot be taken stops nothing`() throws {
        let sandbox = try sandbox("true")
        let other = "01a1a275-eeba-7400-b21a-90e4c6d8371f"
        try sandbox.file("x/items/1f/\(other)/item.json", #"{"id":"\#(other)","type":"snippet"}"# + "\n")
        try sandbox.file("x/library.json/x", "x")
        try sandbox.file("x/\(Self.folder)/\(String(repeating: "n", count: 200))", "own")
        try sandbox.shell(
            """
            cd x && a=\(Self.folder) && b=items/1f/\(other)
            tar --hard-dereference -cf ../a.tar $a/item.json library.json $b/item.json --transform 's,n\\{200\\}$,&&,' $a/nnn* $a/text.md $b/item.json
            """)
        let run = try sandbox.sbfs("import", "a.tar", exits: 4)
        #expect(run.err.contains("library.json/x: a library has no place for it"))
        #expect(run.err.contains("its name cannot be used: File name too long"))
        #expect(run.err.contains("\(other)/item.json: the archive has it again"))
        #expect(run.err.contains("2 items added"))
        #expect(try sandbox.text(Self.id) == "words\n")
        #expect(try sandbox.ids() == [Self.id, other])
    }

    @Test func `one undo takes back all that an archive brought, and redo brings it again`() throws {
        let sandbox = try sandbox(
            """
            mkdir -p collections smart tombstones/1f inbox && echo '{"format":1,"id":"01a1961f-5c00-7000-9d41-3b7e60a2f25a","name":"Theirs"}' > library.json
            echo '{"name":"Work","colour":"red"}' > collections/work-00e13ed7.json && echo in > inbox/a.txt
            echo '{"name":"Today","query":"x"}' > smart/today-e0f4f767.json
            echo '{"id":"01a1a275-eeba-7400-b21a-90e4c6d8371f","purgedAt":"2026-01-01T00:00:00Z"}' > tombstones/1f/01a1a275-eeba-7400-b21a-90e4c6d8371f.json
            """)
        let contents =
            "cd '\(sandbox.library)' && find library.json collections smart tags tombstones inbox -type f | sort | xargs sha256sum"
        let before = try sandbox.shell(contents).out
        try sandbox.sbfs("import", "a.tar")
        let after = try sandbox.shell(contents).out
        #expect(after.contains("collections/work") && after.contains("tombstones/1f") && after.contains("inbox/a.txt"))
        #expect(try sandbox.scratch.text("library/library.json").contains("Theirs"))
        try sandbox.sbfs("undo")
        #expect(try sandbox.shell(contents).out == before)
        #expect(try sandbox.ids().isEmpty)
        try sandbox.sbfs("redo")
        #expect(try sandbox.shell(contents).out == after)
        #expect(try sandbox.ids() == [Self.id])
    }

    @Test func `an archive of which nothing is taken ends with 3, and a second import of one changes nothing`() throws {
        let sandbox = try sandbox("true")
        try sandbox.sbfs("import", "a.tar")
        let before = try sandbox.snapshot()
        #expect(try sandbox.sbfs("import", "a.tar").err.contains("0 items added, 1 in the library already"))
        #expect(try sandbox.changes(since: before, in: "library").isEmpty)
        try sandbox.shell("cd x && echo x > own && tar -cf ../b.tar own")
        let run = try sandbox.sbfs("import", "b.tar", "--report", "report.tsv", exits: 3)
        #expect(run.err.contains("own: a library has no place for it; it was left out"))
        #expect(try sandbox.scratch.text("desk/report.tsv") == "left out\town\t\t\ta library has no place for it\n")
    }
}
