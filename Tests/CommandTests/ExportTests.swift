import Foundation
import Testing

/// `sbfs export`: its messages, and importing its files again.
struct ExportTests {
    @Test func `the report names everything that the format cannot hold`() throws {
        let sandbox = try Sandbox()
        try sandbox.sbfs(
            "add", "https://example.org/", "--no-archive", "--title", "Mine", "--tag", "a,collection:Work")
        try sandbox.sbfs(
            "set", "Mine", "linkTitle=Theirs", "linkAuthor=Ada", "linkStatus=valid", "aiSummary=Short", "sortOrder=2",
            "isPinned=true", "isFavorite=true")
        try sandbox.shell(
            """
            cd "$SBFS_LIBRARY/items/"*/*/ && sed -i '1a "mood": "calm", "sourceFields": {"a": "b"}, "linkFormerURLs": ["https://example.org/old"],' item.json && mkdir -p snapshots/20261121T101500Z-01234567 document
            echo x > page.html && echo x > snapshots/20261121T101500Z-01234567/page.html && echo x > document/a.pdf && echo x > loose && echo x > document/b.pdf
            cd "$SBFS_LIBRARY" && echo '{"name":"a","colour":"red"}' > tags/a-ca978112.json
            echo '{"name":"Work","colour":"red","icon":"x","order":3,"mine":1}' > collections/work-00e13ed7.json
            echo '{"name":"Bare"}' > collections/bare-00000000.json && echo '{"name":"My","query":"x"}' > smart/my-00000000.json
            """)
        let both = [
            "saved pages (1)", "earlier captures (1)", "further files of items (1)", "smart folders (1)",
            "colours and icons of tags (1)", "further keys of collections, tags and smart folders (1)",
        ]
        let fields = [
            "titles of pages beside your own (1)", "authors, sites, languages and dates of pages (1)",
            "checks of links (1)",
            "summaries (1)", "fields of your own (1)", "the source's own fields (1)", "former links (1)",
        ]
        let looks = ["colours of collections (1)", "icons of collections (1)", "the order of collections (1)"]
        let wanted = [
            "html": both + fields + looks + ["pins (1)", "favourites (1)", "places in manual order (1)"],
            "csv": both + fields + ["tags (1)", "pins (1)"], "json": both + looks + ["empty collections (1)"],
            "markdown": both + fields + looks + ["empty collections (1)"],
        ]
        for (format, parts) in wanted {
            let run = try sandbox.sbfs("export", "--format", format, "--output", "out-" + format)
            for part in parts { #expect(run.err.contains(part), "\(format): \(part): \(run.err)") }
        }
        #expect(!(try sandbox.sbfs("export", "--format", "csv", "-o", "x").err.contains("colours of collections")))
    }

    @Test func `a file that was dropped into an item's folder is a document, and nothing else`() throws {
        let sandbox = try Sandbox()
        try sandbox.sbfs("add", "https://example.org/", "--no-archive", "--title", "Mine")
        try sandbox.shell("cd \"$SBFS_LIBRARY/items/\"*/*/ && echo x > dropped.txt")
        let run = try sandbox.sbfs("export", "-o", "x.json")
        #expect(run.err.contains("documents (1)") && !run.err.contains("further files"), "\(run.err)")
    }

    @Test func `no title is made up`() throws {
        let sandbox = try Sandbox()
        try sandbox.sbfs("add", "--no-archive", "https://example.org/untitled")
        for file in ["a.html", "a.csv"] {
            try sandbox.sbfs("export", "-o", file)
            let other = try Sandbox()
            try other.sbfs("import", sandbox.desk + "/" + file)
            let id = try #require(try other.ids().first)
            #expect(try other.item(id)["title"] == nil, "\(file)")
        }
        try sandbox.shell("! grep -q '>example.org<' a.html && ! grep -q ',example.org,' a.csv")
    }

    @Test func `the extension chooses the format, or it is refused`() throws {
        let sandbox = try Sandbox()
        try sandbox.snippet("words", title: "Note")
        for name in ["notes.md", "notes.txt", "notes.tar", "a.b/notes.pdf"] {
            try sandbox.sbfs("export", "-o", name, exits: 2)
            #expect(!sandbox.scratch.exists("desk/" + name), "\(name)")
        }
        for (name, start) in [
            ("a.HTM", "<!DOCTYPE"), ("a.csv", "#FOLDERS"), ("a.jsonl", "{"), ("a.json", "["), ("plain", "<!DOCTYPE"),
        ] {
            try sandbox.sbfs("export", "-o", name)
            #expect(try sandbox.scratch.text("desk/" + name).hasPrefix(start), "\(name)")
        }
    }

    @Test func `a vault goes in and out with its names, folders, links and one head`() throws {
        let sandbox = try Sandbox()
        let notes = [
            "Start.md": "# Welcome\n\nSee [[Projects/Über uns|us]] and ![[Plan B#Steps]].\n",
            "Projects/Über uns.md":
                "---\naliases:\n  - us\ncssclasses: wide\ntags: [team, 'to read']\n---\n\nWe. [[Start]]\n",
            "Projects/Deep/Plan B.md": "---\ncreated: \"[[2024-01-01]]\"\nmap:\n  a: b\n---\nNo empty line\n",
            "Plain.md": "no heading\n",
        ]
        for (name, text) in notes { try sandbox.file("vault/" + name, text) }
        try sandbox.file("vault/.obsidian/app.json", "{}")
        try sandbox.sbfs("import", "vault")
        try sandbox.sbfs("export", "--format", "markdown", "-o", "out")
        let names = try sandbox.shell("cd out && find . -type f | sort").lines
        #expect(names == ["./Plain.md", "./Projects/Deep/Plan B.md", "./Projects/Über uns.md", "./Start.md"])
        for (name, text) in notes {
            let out = try sandbox.scratch.text("desk/out/" + name)
            #expect(out.components(separatedBy: "\n").filter { $0 == "---" }.count == 2, "\(name): \(out)")
            let body = text.components(separatedBy: "---\n").last ?? ""
            #expect(out.hasSuffix(body), "\(name): \(out)")
        }
        let about = try sandbox.scratch.text("desk/out/Projects/Über uns.md")
        #expect(about.contains("aliases:\n  - us\ncssclasses: wide\n") && about.contains("- \"to read\""))
        #expect(
            try sandbox.scratch.text("desk/out/Projects/Deep/Plan B.md").contains(
                "created: \"[[2024-01-01]]\"\nmap:\n  a: b\n"))
        // Into another library, and exported again: the same bytes.
        let other = try Sandbox()
        try other.sbfs("import", sandbox.desk + "/out")
        try other.sbfs("export", "--format", "markdown", "-o", "again")
        try other.shell("diff -r again '\(sandbox.desk)/out'")
        #expect(try other.ids("collection:Projects/Deep").count == 1)
    }

    @Test func `an export into a folder replaces its own files and no others`() throws {
        let sandbox = try Sandbox()
        try sandbox.file("vault/Note.md", "words\n")
        try sandbox.sbfs("import", "vault")
        try sandbox.file("out/Note.md", "somebody else's\n")
        for _ in 0..<2 { try sandbox.sbfs("export", "--format", "markdown", "-o", "out") }
        #expect(try sandbox.scratch.text("desk/out/Note.md") == "somebody else's\n")
        let names = try sandbox.shell("ls -A out").lines
        #expect(names.count == 2 && names.allSatisfy { $0.hasPrefix("Note") })
    }

    @Test func `an export into the vault that was imported makes no second files`() throws {
        let sandbox = try Sandbox()
        let names = ["Start.md", "Projects/Plan.md", "Edited.md", "plain.txt"]
        for name in names { try sandbox.file("vault/" + name, "words of \(name)\n") }
        try sandbox.sbfs("import", "vault")
        try sandbox.file("vault/Edited.md", "mine\n")
        let edited = try #require(try sandbox.ids("Edited").first)
        try sandbox.sbfs("title", edited, "Other")
        let files = ["./Edited.md", "./Projects/Plan.md", "./Start.md", "./plain.txt"]
        for round in 1...2 {
            let run = try sandbox.sbfs("export", "--format", "markdown", "-o", "vault", exits: 4)
            #expect(try sandbox.shell("cd vault && find . -type f | LC_ALL=C sort").lines == files)
            #expect(try sandbox.scratch.text("desk/vault/Edited.md") == "mine\n")
            #expect(try sandbox.scratch.text("desk/vault/plain.txt") == "words of plain.txt\n")
            #expect(try sandbox.scratch.text("desk/vault/Start.md").hasSuffix("words of Start.md\n"))
            let replaced = "2 notes were imported from this folder and were replaced: Start.md, Projects/Plan.md\n"
            #expect(run.err.contains("2 notes were imported") == (round == 1), "\(replaced) \(run)")
            #expect(
                run.err.contains(
                    "1 text was imported from this folder and is unchanged; no second file was written: plain.txt"))
            #expect(run.err.contains("1 file was changed since the import or the last export; it stays"), "\(run)")
            #expect(run.err.contains("Edited.md\n") && run.err.contains("exported 2 items"), "\(run)")
        }
    }

    @Test func `an exported note that a person edits is not overwritten`() throws {
        let sandbox = try Sandbox()
        let id = try sandbox.snippet("words", title: "Note")
        let other = try sandbox.snippet("words", title: "Other")
        try sandbox.sbfs("export", "--format", "markdown", "-o", "out")
        let name = try #require(try sandbox.shell("ls out").lines.first { $0.hasPrefix("Note") })
        try sandbox.shell("echo mine >> 'out/\(name)'")
        try sandbox.sbfs("append", id, "more")
        try sandbox.sbfs("append", other, "more")
        let run = try sandbox.sbfs("export", "--format", "markdown", "-o", "out", exits: 4)
        #expect(
            run.err.contains("1 file was changed since the import or the last export") && run.err.contains(name),
            "\(run)")
        #expect(try sandbox.scratch.text("desk/out/" + name).contains("mine\n"))
        #expect(try sandbox.shell("cat out/Other*").out.contains("more") && sandbox.shell("ls out").lines.count == 2)
        // A file that nobody changed follows its item.
        try sandbox.shell("rm 'out/\(name)'")
        try sandbox.sbfs("export", "--format", "markdown", "-o", "out")
        #expect(try sandbox.scratch.text("desk/out/" + name).contains("more"))
    }

    @Test func `a name that another file has is reported`() throws {
        let sandbox = try Sandbox()
        try sandbox.file("vault/Note.md", "words\n")
        try sandbox.sbfs("import", "vault")
        try sandbox.file("out/Note.md", "somebody else's\n")
        let run = try sandbox.sbfs("export", "--format", "markdown", "-o", "out")
        #expect(run.err.contains("1 item got another name, because another file has its own: Note-"), "\(run)")
        #expect(run.err.contains(".md beside Note.md\n"), "\(run)")
    }

    @Test func `a file or a link with the name of a collection's folder does not end the export`() throws {
        let sandbox = try Sandbox()
        for (title, collection) in [("One", "Art"), ("Two", "Work/Plans"), ("Three", "Zoo"), ("Four", "Zoo")] {
            let id = try sandbox.snippet("Text of \(title).", title: title)
            try sandbox.sbfs("collection", "add", id, collection)
        }
        try sandbox.file("out/Work", "mine\n")
        try sandbox.shell("mkdir elsewhere && ln -s ../elsewhere out/Zoo && ln -s nowhere out/Art")
        for _ in 0..<2 {
            let run = try sandbox.sbfs("export", "--format", "markdown", "-o", "out")
            #expect(
                run.err.contains(
                    "3 folders of collections got other names, because files or links have their own: Art-2 beside Art, "
                        + "Work-2 beside Work, Zoo-2 beside Zoo"))
            #expect(run.err.contains("exported 4 items"))
            let names = try sandbox.shell("cd out && find . -type f | sort").lines
            #expect(names.count == 5, "\(names)")
            for start in ["./Art-2/One-", "./Work-2/Plans/Two-", "./Zoo-2/Three-", "./Zoo-2/Four-"] {
                #expect(names.count { $0.hasPrefix(start) } == 1, "\(start) \(names)")
            }
        }
        #expect(try sandbox.shell("ls elsewhere").lines.isEmpty)
        #expect(try sandbox.scratch.text("desk/out/Work") == "mine\n")
    }

    @Test(arguments: [
        ["-o", "b.html"], ["-o", "notes.ndjson"], ["-o", "deep/er/b.csv"], ["-f", "markdown", "-o", "."],
        ["-f", "markdown", "-o", "out/of/it"], ["--full", "all.tar"], ["--full", "items/all.zip"],
    ])
    func `nothing is exported into the library`(words: [String]) throws {
        let sandbox = try Sandbox()
        try sandbox.snippet("Text.", title: "Note")
        let before = try sandbox.shell("cd \"$SBFS_LIBRARY\" && find . -path ./.sbfs -prune -o -print | sort").out
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        let run = try sandbox.shell("cd \"$SBFS_LIBRARY\" && sbfs export \(line)", exits: 2)
        #expect(run.err.contains("is in the library"))
        try sandbox.shell("ln -s \"$SBFS_LIBRARY\" link; sbfs export -o link/x.html", exits: 2)
        #expect(try sandbox.shell("cd \"$SBFS_LIBRARY\" && find . -path ./.sbfs -prune -o -print | sort").out == before)
    }

    @Test func `names of collections lead nowhere`() throws {
        let sandbox = try Sandbox()
        for name in ["../../evil", ".git/hooks", "a\\/b", "..", "."] {
            try sandbox.snippet("words", title: "Note", tags: "collection:" + name)
        }
        try sandbox.sbfs("export", "--format", "markdown", "-o", "deep/out")
        let names = try sandbox.shell("find deep -name '.*' ; find . -name '*.md' | grep -v '^./deep/out/' || true")
            .lines
        #expect(names.isEmpty)
        #expect(try sandbox.shell("find deep/out -name '*.md'").lines.count == 5)
    }

    @Test func `an item that cannot be read is not counted as exported`() throws {
        let sandbox = try Sandbox()
        try sandbox.snippet("x", title: "Good")
        let bad = try sandbox.snippet("y", title: "Bad")
        try sandbox.sbfs("list")
        try sandbox.link("https://example.org/")
        try sandbox.shell("echo '{' > \"\(sandbox.path(bad, "item.json"))\"")
        for format in ["json", "ndjson", "csv", "html"] {
            let run = try sandbox.sbfs("export", "-f", format, "-o", "out-" + format, exits: 4)
            #expect(
                run.err.contains(format.contains("json") ? "exported 2 items\n" : "exported 1 item\n"),
                "\(format): \(run.err)"
            )
        }
        let run = try sandbox.sbfs("export", "-f", "markdown", "-o", "folder", exits: 4)
        #expect(run.err.contains("exported 2 items\n"), "\(run.err)")
    }
}
