import Foundation
import Testing

/// The search index with other programs, other processes and accidents.
struct IndexTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func found(_ query: String...) throws -> [String] {
        try sandbox.sbfs(words: ["search", "--ids", "--all"] + query, exits: nil).lines.sorted()
    }

    @Test(
        arguments: [
            ("sed -i s/soup/stew/ text.md", true), ("printf stew > text.md", true),
            ("cp text.md x && mv x text.md", false),
            ("echo '{\"title\": \"stew\"}' > item.json", true), ("rm item.json", nil),
            ("cd .. && rm -r \"$OLDPWD\"", nil),
            ("cd .. && mv \"$OLDPWD\" ../../aside", nil), ("touch item.json text.md", false), ("rm text.md", nil),
            ("echo '<p>stew' > page.html", true), ("mkdir document && echo x > document/stew.txt", true),
            ("chmod 600 item.json", false),
        ] as [(String, Bool?)])
    func `the next search finds changes of other programs`(line: String, isStew: Bool?) throws {
        let id = try sandbox.snippet("soup")
        #expect(try found("soup") == [id])
        try sandbox.shell("cd '\(sandbox.library)/items/\(id.suffix(2))/\(id)' && \(line)")
        switch isStew {
        case true?: #expect(try found("stew") == [id])
        case false?: #expect(try found("soup") == [id] && found("stew").isEmpty)
        case nil: #expect(try found("soup").isEmpty)
        }
    }

    @Test func `copies and files restored by git are found`() throws {
        let id = try sandbox.snippet("soup")
        #expect(try found("soup") == [id])
        let copy = "01a1fdef-94e5-7aac-b9eb-7776399b80\(id.suffix(2))"
        try sandbox.shell(
            """
            cd '\(sandbox.library)' && git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm a \
            && cp -r items/\(id.suffix(2))/\(id) items/\(id.suffix(2))/\(copy) \
            && sed -i /\\"id\\"/d items/\(id.suffix(2))/\(copy)/item.json
            """)
        #expect(try found("soup") == [copy, id].sorted())
        try sandbox.shell("cd '\(sandbox.library)' && rm -r items && mkdir items")
        #expect(try found("soup").isEmpty)
        try sandbox.shell("cd '\(sandbox.library)' && git checkout -q -- items")
        #expect(try found("soup") == [id])
    }

    @Test func `deleting .sbfs loses only time`() throws {
        let id = try sandbox.snippet("soup")
        for what in [".sbfs", ".sbfs/index", ".sbfs/index/manifest", ".sbfs/sweep"] {
            #expect(try found("soup") == [id])
            try sandbox.shell("rm -r '\(sandbox.library)/\(what)'")
            let run = try sandbox.sbfs("search", "--ids", "soup")
            #expect(run.lines == [id] && run.err.isEmpty, "\(what): \(run)")
        }
    }

    @Test func `a damaged index is reported in one line and rebuilt`() throws {
        let ids = try (0..<3).map { try sandbox.snippet("soup \($0)") }.sorted()
        #expect(try found("soup") == ids)
        let folder = sandbox.library + "/.sbfs/index"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name != "lock" {
            let path = folder + "/" + name
            guard let bytes = FileManager.default.contents(atPath: path), !bytes.isEmpty else { continue }
            var damaged = bytes
            damaged[damaged.count / 2] ^= 0x10
            try damaged.write(to: URL(fileURLWithPath: path))
            let run = try sandbox.sbfs("search", "--ids", "--all", "soup")
            #expect(run.lines.sorted() == ids, "\(name)")
            #expect(
                run.err.isEmpty || run.err.contains("damaged") && run.err.split(separator: "\n").count == 1, "\(run)")
            #expect(try sandbox.sbfs("search", "--ids", "soup").err.isEmpty)
        }
    }

    @Test func `a copied library believes nothing of the index that came along`() throws {
        let id = try sandbox.snippet("soup")
        #expect(try found("soup") == [id])
        let copy = sandbox.desk + "/copy"
        try sandbox.shell("cp -a '\(sandbox.library)' '\(copy)' && sed -i s/soup/stew/ '\(copy)'/items/*/*/text.md")
        #expect(try sandbox.sbfs("--library", copy, "search", "--ids", "stew").lines == [id])
        #expect(try sandbox.sbfs("--library", copy, "search", "--ids", "soup", exits: 3).lines.isEmpty)
        #expect(try found("soup") == [id] && found("stew").isEmpty)
    }

    @Test func `many processes write and search at once, and nothing is lost`() throws {
        try sandbox.shell(
            """
            for writer in 1 2 3 4; do
                (for n in 1 2 3 4 5 6; do
                    id=$(echo "soup $writer-$n" | sbfs add -) && sbfs tag add -Q $id kept || echo failed
                done) &
            done
            for reader in 1 2 3; do
                (for n in 1 2 3 4 5; do sbfs search soup --all --ids > /dev/null || test $? = 3 || echo failed; done) &
            done
            wait
            """)
        #expect(try found("soup").count == 24)
        #expect(try found("tag:kept").count == 24)
        #expect(try sandbox.sbfs("reindex", "--verify").err == "sbfs: 24 items, 0 added, 0 changed, 0 removed\n")
    }

    @Test func `names are spelt as the library spells them`() throws {
        let id = try sandbox.snippet("The Łódź market has squash.", title: "Market day", tags: "C++")
        try sandbox.sbfs("collection", "add", id, "Work/Projects")
        let table = try sandbox.sbfs("search", "--format", "table", "--facets", "market").out
        #expect(table.contains("Tags  C++ 1") && table.contains("Work/Projects 1"))
        let lines = try sandbox.sbfs("search", "--ndjson", "--facets", "market").lines
        #expect(lines.last?.contains(#"{"value":"C++","count":1}"#) == true)
        #expect(lines.last?.contains(#"{"value":"Work/Projects","count":1}"#) == true)
        #expect(try sandbox.sbfs("search", "--facets", "market").err.contains("collections: Work 1, Work/Projects 1"))
        #expect(try sandbox.sbfs("suggest", "work").lines.contains("Work/Projects"))
        #expect(try sandbox.sbfs("suggest", "lod").lines == ["Łódź"])
        #expect(try sandbox.sbfs("suggest", "c+").lines.contains("C++"))
        // Words of names, too; a collection is no tag here.
        #expect(try sandbox.sbfs("suggest", "proj").lines == ["Projects"])
        #expect(try sandbox.sbfs("suggest", "coll", exits: 3).lines.isEmpty)
        #expect(try sandbox.sbfs("suggest", "collection:wo").lines.contains("collection:Work/Projects"))
        #expect(try sandbox.sbfs("suggest", "tag:c+").lines == ["tag:\"C++\""])
        #expect(try sandbox.sbfs("suggest", "is:pin").lines == ["is:pinned"])
        #expect(try sandbox.sbfs("suggest", "tag:nothing", exits: 3).lines.isEmpty)
        #expect(
            try sandbox.sbfs("suggest", "MARK", "--limit", "1").lines.map { $0.prefix(10) } == ["Market day", "Market"])
    }

    @Test func `a name in a sentence has an end, also one that takes no columns`() throws {
        try sandbox.snippet("long market", tags: String(repeating: "long", count: 1000))
        try sandbox.snippet("high market", tags: "high" + String(repeating: "\u{301}\u{323}", count: 5000))
        for format in ["table", "tsv"] {
            let run = try sandbox.sbfs("search", "--format", format, "--facets", "market")
            let line = try #require(
                (run.err + run.out).split(separator: "\n").first {
                    $0.lowercased().contains("tags") && $0.contains("… 1")
                })
            #expect(line.utf8.count < 600 && line.contains(String(repeating: "long", count: 14)), "\(line.utf8.count)")
        }
        #expect(try sandbox.sbfs("list", "--format", "table").out.utf8.count < 2000)
    }

    @Test func `a search shows the matches and their number`() throws {
        let id = try sandbox.snippet("Take less salt for the soup, and a bay leaf.", title: "Dinner", tags: "recipes")
        let run = try sandbox.sbfs("search", "--format", "table", "--facets", "salt")
        #expect(run.out.contains("Take less [salt] for the soup") && run.out.contains("recipes 1"))
        let object = try #require(try sandbox.sbfs("search", "--ndjson", "--explain", "salt").stream().first)
        let derived = try #require(object["sbfs"] as? [String: Any])
        #expect(object["id"] as? String == id && derived["score"] != nil && derived["explanation"] != nil)
        let snippet = try #require(derived["snippet"] as? [String: Any])
        #expect(snippet["marks"] as? [[Int]] == [[10, 14]])
        #expect(try sandbox.sbfs("search", "slat", exits: 3).err.contains("did you mean: salt"))
        #expect(try sandbox.sbfs("suggest", "sal").lines == ["salt"])
        let day = try sandbox.shell("date -u +%F").lines[0]
        #expect(try sandbox.sbfs("suggest", "din").lines == ["Dinner\t\(day)", "Dinner"])
        #expect(try sandbox.sbfs("tags").lines == ["1\trecipes"])
        try sandbox.sbfs("collection", "new", "Later")
        let overview = try sandbox.sbfs().out
        #expect(overview.contains("Recents") && overview.contains("recipes 1") && overview.contains("Later 0"))
    }
}
