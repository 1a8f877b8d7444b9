import Foundation
import Testing

/// `sbfs import` of a tar file made by a stranger; `Scripts/hostile tar_files` has many more.
struct FullExportImportTests {
    private static let id = "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"
    private static let folder = "items/c4/" + id

    /// A folder with an item, which a script packs into a tar file.
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

    @Test func `an item that was purged comes back, and no tombstone removes it again`() throws {
        let sandbox = try Sandbox(), copy = sandbox.library + "-copy"
        let id = try sandbox.snippet("words", title: "Bread")
        try sandbox.sbfs("title", id, "Loaf")
        try sandbox.shell("cp -a '\(sandbox.library)' '\(copy)'; rm -r '\(copy)/.sbfs'")
        try sandbox.sbfs("export", "--full", "full.tar")
        try sandbox.sbfs("trash", id)
        try sandbox.sbfs("purge", id, "--now", "--yes")
        #expect(
            try sandbox.sbfs("import", "--dry-run", "full.tar").err.contains("0 items added, 0 in the library already"))
        let run = try sandbox.sbfs("import", "full.tar")
        #expect(
            run.err.contains("0 items added, 0 in the library already")
                && run.err.contains("1 back that had been purged"))
        #expect(try sandbox.title(id) == "Loaf")
        // The other copy has what the purge saw.
        try sandbox.sbfs("merge", copy, "--both", exits: nil)
        #expect(try sandbox.sbfs("list", "--ids").lines == [id])
        #expect(try sandbox.sbfs("--library", copy, "list", "--ids").lines == [id])
    }

    @Test func `an item that a tombstone hides comes back out of the trash`() throws {
        let sandbox = try Sandbox()
        let id = try sandbox.snippet("words", title: "Bread")
        try sandbox.sbfs("export", "--full", "full.tar")
        try sandbox.sbfs("trash", id)
        let folder = "\(sandbox.library)/items/\(id.suffix(2))/\(id)"
        try sandbox.shell("cp -a '\(folder)' back && touch back/own.txt")
        try sandbox.sbfs("purge", id, "--now", "--yes")
        try sandbox.shell("cp -a back '\(folder)'")
        #expect(try sandbox.sbfs("list", "--ids").lines.isEmpty)
        let run = try sandbox.sbfs("import", "full.tar")
        #expect(run.err.contains("0 in the library already") && run.err.contains("1 back that had been purged"))
        #expect(try sandbox.sbfs("list", "--ids").lines == [id])
    }

    @Test func `nothing of a full export is run by the next commit in a library under git`() throws {
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
        #expect(run.err.contains(".git/hooks/pre-commit: names that begin with a dot are not taken"))
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

    @Test func `a file whose name begins with a combining mark comes in under its own name`() throws {
        let mark = "$(printf '\\314\\201')"
        let sandbox = try sandbox(
            "mkdir $item/assets; echo a > \"$item/\(mark)x.pdf\"; echo b > \"$item/assets/\(mark)y.css\"")
        let run = try sandbox.sbfs("import", "a.tar", exits: nil)
        #expect(run.status == 0 && !run.err.contains("left out"), "\(run)")
        try sandbox.shell(
            "cd '\(sandbox.library)/\(Self.folder)' && [ \"$(cat \"\(mark)x.pdf\" \"assets/\(mark)y.css\")\" = \"$(printf 'a\\nb')\" ]"
        )
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
        // There may be a repository around the test's own folder.
        try sandbox.shell("cd '\(sandbox.library)/\(Self.folder)/document/wt' && git status || true")
        #expect(!sandbox.scratch.exists("desk/x/P"))
    }

    @Test func `a person's own files in an item come back, without execute bits or special modes`() throws {
        let sandbox = try sandbox(
            "mkdir -p \"$item/my notes\" && echo a > \"$item/my notes/Größe.txt\" && echo b > $item/run && chmod 6777 $item/run && chmod 600 $item/text.md"
        )
        try sandbox.sbfs("import", "a.tar")
        let modes = try sandbox.shell(
            "cd '\(sandbox.library)/\(Self.folder)' && find . -type f -printf '%m %p\\n' | sort"
        ).lines
        #expect(modes == ["600 ./text.md", "644 ./item.json", "644 ./my notes/Größe.txt", "644 ./run"])
    }

    @Test func `no name that begins with a dot is imported below an item`() throws {
        let sandbox = try sandbox(
            """
            mkdir -p $item/document $item/own/.cache $item/snapshots/x
            for f in .hidden .some-tool-of-2031 document/.b own/.cache/c own/.tasks.toml snapshots/x/.d; do echo x > $item/$f; done
            """)
        let run = try sandbox.sbfs("import", "a.tar", "--report", "report.tsv", exits: 4)
        #expect(run.err.contains("names that begin with a dot are not taken; it was left out"))
        let report = try sandbox.scratch.text("desk/report.tsv")
        for name in [
            ".hidden", ".some-tool-of-2031", "document/.b", "own/.cache", "own/.cache/c", "own/.tasks.toml",
            "snapshots/x/.d",
        ] {
            #expect(report.contains("left out\t\(Self.folder)/\(name)\t"), "\(name)")
        }
        #expect(try sandbox.shell("find '\(sandbox.library)/items' -name '.*'").out == "")
    }

    @Test func `a document that begins with a dot comes in, unless git takes it for a repository`() throws {
        for (name, isTaken) in [(".bashrc", true), (".gitignore", true), (".git", false), (".GIT ", false)] {
            let sandbox = try sandbox(
                """
                mkdir -p $item/document && echo x > "$item/document/\(name)" && echo y > $item/document/.other
                echo '{"id":"\(Self.id)","type":"document","documentRelativePath":"document/\(name)"}' > $item/item.json
                """)
            let run = try sandbox.sbfs("import", "a.tar", exits: 4)
            #expect(run.err.contains("document/.other: names that begin with a dot are not taken"))
            #expect(sandbox.scratch.exists("library/\(Self.folder)/document/\(name)") == isTaken, "\(name)")
            #expect(!sandbox.scratch.exists("library/\(Self.folder)/document/.other"))
            #expect(run.err.contains("1 item added") && run.err.contains("\(isTaken ? 3 : 2) files"), "\(run)")
        }
    }

    @Test(arguments: [
        ("{\"title\": \"x\",}", "item.json:1:15: expected a key"), ("", "item.json:1:1: "), ("[]", "item.json:1:1: "),
        (#"{"id":"01a1a275-eeba-7400-b21a-90e4c6d8371f"}"#, "item.json:1:7: id: expected"),
    ])
    func `an item json that makes no item keeps the item out, and is named`(text: String, why: String) throws {
        let sandbox = try sandbox("true")
        let broken = "items/1e/01a1a275-eeba-7400-b21a-90e4c6d8371e"
        try sandbox.file("x/\(broken)/item.json", text)
        try sandbox.file("x/\(broken)/text.md", "words\n")
        try sandbox.shell("cd x && tar -cf ../a.tar items && tar -cf ../b.tar items/1e")
        for _ in 0..<2 {
            let run = try sandbox.sbfs("import", "b.tar", exits: 3)
            #expect(run.err.contains("\(broken): it makes no item: \(why)"), "\(run)")
            #expect(run.err.contains("0 items added, 0 in the library already, 0 files, 1 left out"), "\(run)")
        }
        let run = try sandbox.sbfs("import", "a.tar", exits: 4)
        #expect(run.err.contains("1 item added, 0 in the library already, 2 files, 1 left out"), "\(run)")
        #expect(try sandbox.ids() == [Self.id])
        #expect(!sandbox.scratch.exists("library/" + broken))
        try sandbox.sbfs("check")
        try sandbox.sbfs("undo")
        #expect(try sandbox.ids().isEmpty && !sandbox.scratch.exists("library/" + broken))
    }

    @Test func `a full export reports what an import would leave out`() throws {
        let sandbox = try sandbox("true")
        try sandbox.sbfs("import", "a.tar")
        #expect(try !sandbox.sbfs("export", "--full", "b.tar").err.contains("leaves out"))
        let broken = "library/items/1e/01a1a275-eeba-7400-b21a-90e4c6d8371e"
        try sandbox.scratch.write(broken + "/item.json", "{")
        try sandbox.scratch.write("library/\(Self.folder)/.own", "x")
        try sandbox.scratch.write("library/Makefile", "x")
        let run = try sandbox.sbfs("export", "--full", "b.tar", exits: 4)
        #expect(run.err.contains("01a1a275-eeba-7400-b21a-90e4c6d8371e: it makes no item: item.json:1:2: "), "\(run)")
        #expect(
            run.err.contains("2 files of your own are in the file, and \"sbfs import\" leaves them out: "), "\(run)"
        )
        #expect(
            try sandbox.shell("tar -tf b.tar | grep -c -e '/[.]own$' -e '^Makefile$' -e 1e/.*item.json$").out == "3\n")
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

    @Test func `a library that only newer programs may read says which`() throws {
        let sandbox = try sandbox("true")
        let json = try sandbox.scratch.text("library/library.json")
        try sandbox.scratch.write("library/library.json", "{\"minReader\": 99," + json.dropFirst())
        #expect(
            try sandbox.sbfs("list", exits: 1).err.contains(
                "the library has format 1 and is only for programs that read format 99, this program reads up to 1; "
                    + "install a newer sbfs"))
        try sandbox.scratch.write("library/library.json", "{\"minWriter\": 99," + json.dropFirst())
        #expect(try sandbox.sbfs("list").out.isEmpty)
        #expect(
            try sandbox.sbfs("add", "-", input: "x", exits: 1).err.contains(
                "only programs that write format 99 may change it; this program (format 1) may only read it"))
    }

    @Test func `nothing is taken of a library of a newer format`() throws {
        let sandbox = try sandbox(#"echo '{"format":99,"id":"01a1961f-5c00-7000-9d41-3b7e60a2f25a"}' > library.json"#)
        let before = try sandbox.snapshot()
        #expect(try sandbox.sbfs("import", "a.tar", exits: 1).err.contains("has format 99"))
        #expect(try sandbox.changes(since: before, in: "library").allSatisfy { $0.hasPrefix("library/.sbfs") })
        #expect(try sandbox.ids().isEmpty)
    }

    /// A name of megabytes that a comparison by characters would take minutes for.
    @Test(arguments: ["\\u0301\\u0323", "\\u200b\\U000e0041", "\\x01\\x1b"])
    func `an endless name is left out with a short message`(unit: String) throws {
        let sandbox = try sandbox("true")
        try sandbox.file(
            "make.py",
            """
            import tarfile, io
            with tarfile.open("a.tar", "w", format=tarfile.GNU_FORMAT) as tar:
                data = b'{"title":"Item"}'
                info = tarfile.TarInfo("\(Self.folder)/item.json"); info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
                name = "a" + "\(unit)" * 100000
                for path in (name, "\(Self.folder)/assets/" + name, "items/" + name + "/x", "tags/" + name):
                    tar.addfile(tarfile.TarInfo(path))
            """)
        try sandbox.shell("python3 make.py")
        let run = try sandbox.sbfs("import", "a.tar", "--report", "report.tsv", exits: 4)
        #expect(run.err.contains("1 item added") && run.err.contains("4 left out"), "\(run.err.prefix(2000))")
        #expect(run.err.utf8.count < 20_000)
        #expect(try sandbox.scratch.text("desk/report.tsv").utf8.count < 20_000)
    }

    @Test func `files of one item may be far apart, and entries that are left out stop nothing`() throws {
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
        #expect(run.err.contains("\(other)/item.json: the file has it again"))
        #expect(run.err.contains("2 items added"))
        #expect(try sandbox.text(Self.id) == "words\n")
        #expect(try sandbox.ids() == [Self.id, other])
    }

    @Test func `one undo takes back all that a full export brought, and redo brings it again`() throws {
        let sandbox = try sandbox(
            """
            mkdir -p collections smart tombstones/1f inbox && echo '{"format":1,"id":"01a1961f-5c00-7000-9d41-3b7e60a2f25a","name":"Theirs"}' > library.json
            echo '{"name":"Work","colour":"red"}' > collections/work-00e13ed7.json && echo in > inbox/a.txt
            echo '{"name":"Today","query":"x"}' > smart/today-e0f4f767.json
            echo '{"id":"01a1a275-eeba-7400-b21a-90e4c6d8371f","purgedAt":"2026-01-01T00:00:00Z"}' > tombstones/1f/01a1a275-eeba-7400-b21a-90e4c6d8371f.json
            """)
        // Undo sets the keys that go back now.
        let contents = """
            cd '\(sandbox.library)' && find library.json collections smart tags tombstones inbox -type f | sort | while read -r file; do
                echo "$file $(tr -d ' \\n' < "$file" | sed 's/,"changedAt":{[^}]*}//' | sha256sum)"
            done
            """
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

    @Test func `a smart folder keeps its time, so a sync takes no old one for a newer one`() throws {
        let sandbox = try Sandbox()
        try sandbox.sbfs("smart", "add", "Breads", "tag:dough")
        try sandbox.shell("touch -d 2026-05-04T10:00:00Z \"$SBFS_LIBRARY\"/smart/*.json")
        for ending in ["tar.zst", "zip"] {
            try sandbox.sbfs("export", "--full", "full.\(ending)")
            try sandbox.sbfs("init", "new-\(ending)")
            try sandbox.sbfs("--library", "new-\(ending)", "import", "full.\(ending)")
            #expect(try sandbox.shell("stat -c %Y new-\(ending)/smart/breads-*.json").out == "1777888800\n")
        }
    }

    @Test func `a full export of which nothing is taken ends with 3, and a second import of one changes nothing`()
        throws
    {
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

    @Test(arguments: ["full.tar", "full.tar.gz", "full.tar.zst"])
    func `an import names each file of a damaged archive, and a dry run does`(name: String) throws {
        let sandbox = try Sandbox()
        let ids = try ["Bread", "Salt"].map { (title: String) in
            try sandbox.snippet("the words of \(title)", title: title)
        }
        try sandbox.sbfs("export", "--full", name)
        #expect(try sandbox.sbfs("--library", "elsewhere", "init").out.isEmpty)
        let whole = try sandbox.sbfs("--library", "elsewhere", "import", "--dry-run", name)
        #expect(!whole.err.contains("damaged"))
        // The content changes within the packed file; its header, and so its checksum, stay.
        try sandbox.shell(
            """
            case \(name) in *.gz) plain='gzip -dc' again='gzip -c';; *.zst) plain='zstd -dqc' again='zstd -qc';; *) plain=cat again=cat;; esac
            $plain \(name) | sed 's/the words of Salt/the wordz of Salt/' | $again >new && mv new \(name)
            """)
        let path = "items/\(ids[1].suffix(2))/\(ids[1])/text.md"
        let dry = try sandbox.sbfs("--library", "elsewhere", "import", "--dry-run", name, exits: 4)
        #expect(dry.err.contains("\(path): its bytes are not those that were exported"))
        let run = try sandbox.sbfs("--library", "elsewhere", "import", name, "--report", "report.tsv", exits: 4)
        #expect(run.err.contains("2 items added") && run.err.contains("1 damaged") && run.err.contains("sbfs undo"))
        #expect(try sandbox.scratch.text("desk/report.tsv").hasPrefix("damaged\t\(path)\t"))
        // A library that has the items learns that its backup is damaged.
        let known = try sandbox.sbfs("import", "--dry-run", name, exits: 4)
        #expect(known.err.contains("\(path): its bytes") && !known.err.contains("Bread"))
    }

    @Test func `an archive of another program is checked by the names that are hashes`() throws {
        let digits = "deadbeefdeadbeef"
        let sandbox = try sandbox("mkdir $item/assets && echo no > $item/assets/\(digits).png")
        let run = try sandbox.sbfs("import", "a.tar", exits: 4)
        #expect(run.err.contains("assets/\(digits).png: its bytes are not those that were exported"))
    }

    @Test func `tar unpacks a full export without a word about its sums`() throws {
        let sandbox = try Sandbox()
        try sandbox.snippet("words", title: "Bread")
        try sandbox.sbfs("export", "--full", "full.tar.zst")
        let run = try sandbox.shell(
            "mkdir out && tar -C out -xf full.tar.zst && diff -r '\(sandbox.library)/items' out/items")
        #expect(run.err.isEmpty && run.out.isEmpty)
    }

    @Test func `a tombstone of a living item is not taken, so the trash keeps the item`() throws {
        let sandbox = try Sandbox()
        let id = try sandbox.snippet("words", title: "Mine")
        let stone = #"{"id": "\#(id)", "purgedAt": "2999-01-01T00:00:00Z"}"#
        try sandbox.file("x/library.json", sandbox.scratch.text("library/library.json"))
        try sandbox.file("x/tombstones/\(id.suffix(2))/\(id).json", stone)
        try sandbox.shell("cd x && tar -cf ../a.tar *")
        #expect(try sandbox.sbfs("import", "a.tar", exits: nil).err.contains("its item is not purged here"))
        try sandbox.sbfs("trash", id)
        #expect(try sandbox.ids("is:trashed") == [id])
        // One that another program brings and that lists nothing counts by its time, which is no time to come.
        try sandbox.scratch.write("library/tombstones/\(id.suffix(2))/\(id).json", stone)
        #expect(try sandbox.ids("is:trashed") == [id])
    }

    @Test(arguments: [
        ("collections/y-12345678.json", "{\"name\": 5}", "expected a string"),
        ("tags/z-11111111.json", "junk", "expected a JSON value"),
        ("smart/q-11111111.json", "[1]", "expected an object"),
        ("tombstones/c4/01a19b7c-a680-7000-8f3e-5d2c9b7a61c4.json", "junk", "expected a JSON value"),
        ("\(folder)/text.md/x", "words", "a file where a library has a folder"),
        ("\(folder)/document", "words", "a file where a library has a folder"),
    ])
    func `a file that cannot be used is left out and named`(_ path: String, _ content: String, _ reason: String) throws
    {
        let sandbox = try Sandbox()
        let item = #"{"id": "\#(Self.id)", "title": "Theirs"}"#
        if !path.hasPrefix("tombstones") { try sandbox.file("x/\(Self.folder)/item.json", item) }
        try sandbox.file("x/" + path, content)
        try sandbox.shell("cd x && tar -cf ../a.tar *")
        let run = try sandbox.sbfs("import", "a.tar", exits: nil)
        #expect([3, 4].contains(run.status) && run.err.contains("\(path): ") && run.err.contains(reason), "\(run)")
        #expect(try sandbox.sbfs("check").err.contains("0 errors, 0 warnings"))
    }

    @Test func `a value of library.json that is out of range is named, and one of another format stays away`() throws {
        let sandbox = try Sandbox()
        let id = "01a19b7c-a680-7000-8f3e-000000000001"
        try sandbox.file("x/library.json", #"{"format": 1, "id": "\#(id)", "purgeDays": 0, "own": 1}"#)
        try sandbox.file("x/\(Self.folder)/item.json", "{}")
        try sandbox.shell("cd x && tar -cf ../a.tar *")
        let run = try sandbox.sbfs("import", "a.tar", exits: 4)
        #expect(run.err.contains("library.json: purgeDays: expected a whole number") && !run.err.contains("own"))
        #expect(try sandbox.scratch.text("library/library.json").contains(id))
        let other = try Sandbox()
        try other.file(
            "x/library.json", #"{"format": 99, "minReader": 1, "minWriter": 1, "id": "\#(id)"}"#)
        try other.file("x/\(Self.folder)/item.json", "{}")
        try other.shell("cd x && tar -cf ../a.tar *")
        #expect(try other.sbfs("import", "a.tar", exits: 4).err.contains("would get another format"))
        #expect(try other.ids() == [Self.id] && !other.scratch.text("library/library.json").contains(id))
    }
}
