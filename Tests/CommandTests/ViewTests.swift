import Foundation
import Glibc
import TestSupport
import Testing

struct ViewTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Adds a document and returns its id.
    private func document(_ name: String, _ text: String, title: String? = nil) throws -> String {
        let path = try sandbox.file("source/" + name, text)
        let words = ["add", path] + (title.map { ["--title", $0] } ?? [])
        return try #require(try sandbox.sbfs(words: words).lines.first)
    }

    private func text(_ path: String) throws -> String { try sandbox.scratch.text("desk/StuffBucket/" + path) }

    @Test func `a view is added, listed, refreshed and removed`() throws {
        let id = try document("scan.pdf", "pages", title: "Invoice")
        let root = sandbox.desk + "/StuffBucket"
        let added = try sandbox.sbfs("view", "add", ".")
        #expect(added.err.hasPrefix("sbfs: \(root): "))
        #expect(try text("All/Invoice.pdf") == "pages")
        #expect(try sandbox.sbfs("view", "list").lines == ["full\treflink\tpresent\t1\t\(root)"])
        let listed = try sandbox.sbfs("view", "list", "--json").array()
        #expect(listed.map { $0["path"] as? String } == [root])
        #expect(listed.map { $0["behind"] as? Int } == [0])
        try sandbox.sbfs("title", id, "Bill")
        let refreshed = try sandbox.sbfs("view", "refresh")
        #expect(refreshed.err.contains("1 renamed"))
        #expect(try text("All/Bill.pdf") == "pages")
        #expect(try sandbox.sbfs("view", "refresh", ".").err == "sbfs: \(root): nothing to change\n")
        #expect(try sandbox.sbfs("view", "remove", ".").err == "sbfs: removed the view \(root)\n")
        #expect(!sandbox.scratch.exists("desk/StuffBucket"))
        #expect(try sandbox.ids() == [id])
        #expect(try sandbox.sbfs("view", "refresh", exits: 3).err.contains("there is no view"))
        #expect(try sandbox.sbfs("view", "remove", ".", exits: 3).err.contains("sbfs view list"))
    }

    @Test func `adopt leaves a copy whose text changed in the library, too, but with --force`() throws {
        let id = try sandbox.snippet("One.\n", title: "Note")
        let other = try sandbox.snippet("Two.\n", title: "Other")
        try sandbox.sbfs("view", "add", ".")
        for name in ["Note", "Other"] { try sandbox.shell("echo edited >> StuffBucket/All/\(name).md") }
        try sandbox.sbfs("append", id, "later")
        #expect(try sandbox.sbfs("view", "changes").out.contains("edited too\t"))
        let text = try sandbox.text(id)
        let run = try sandbox.sbfs("view", "adopt", "--all", exits: 4)
        #expect(run.err.contains("All/Note.md: the library's file changed too, so the copy was left"), "\(run)")
        #expect(try sandbox.text(id) == text)
        #expect(try sandbox.text(other) == "Two.\nedited\n")
        // So does one that is named.
        let named = try sandbox.sbfs("view", "adopt", "StuffBucket/All/Note.md", exits: 4)
        #expect(named.err.contains("so the copy was left") && named.err.contains("--force"), "\(named)")
        #expect(try sandbox.text(id) == text)
        try sandbox.sbfs("view", "adopt", "--force", "StuffBucket/All/Note.md")
        #expect(try sandbox.text(id) == "One.\nedited\n")
        // The same bytes, written again by another program, are no change.
        let file = sandbox.scratch.full(sandbox.folder(other)) + "/text.md"
        try sandbox.shell("echo more >> StuffBucket/All/Other.md; cp '\(file)' new && mv new '\(file)'")
        try sandbox.sbfs("view", "adopt", "--all")
        #expect(try sandbox.text(other) == "Two.\nedited\nmore\n")
    }

    @Test func `an edited copy is listed and adopted, and undo brings the document back`() throws {
        let id = try document("a.txt", "old\n")
        try sandbox.sbfs("view", "add", ".", "--profile", "documents", "--mode", "copy")
        let copy = "StuffBucket/Documents/\(id)/a.txt"
        try sandbox.file(copy, "edited\n")
        try sandbox.file("StuffBucket/mine.txt")
        #expect(
            try sandbox.sbfs("view", "changes").lines == [
                "edited\t\(id.suffix(8))\t\(sandbox.desk)/\(copy)", "own\t-\t\(sandbox.desk)/StuffBucket/mine.txt",
            ])
        let refreshed = try sandbox.sbfs("view", "refresh")
        #expect(refreshed.err.contains("left as it is (edited): \(sandbox.desk)/\(copy)"))
        #expect(try sandbox.scratch.text("desk/" + copy) == "edited\n")
        #expect(try sandbox.sbfs("view", "adopt", "StuffBucket/mine.txt", exits: 3).err.contains("no edited copy"))
        try sandbox.sbfs("view", "adopt", "--all", "--dry-run")
        #expect(try sandbox.scratch.text(sandbox.folder(id) + "/document/a.txt") == "old\n")
        #expect(try sandbox.sbfs("view", "adopt", copy).err == "sbfs: took \(sandbox.desk)/\(copy)\n")
        #expect(try sandbox.scratch.text(sandbox.folder(id) + "/document/a.txt") == "edited\n")
        #expect(try sandbox.sbfs("view", "changes").lines.count == 1)
        try sandbox.sbfs("undo")
        #expect(try sandbox.scratch.text(sandbox.folder(id) + "/document/a.txt") == "old\n")
        try sandbox.sbfs("view", "refresh")
        #expect(try sandbox.scratch.text("desk/" + copy) == "old\n")
        try sandbox.sbfs("check")
    }

    @Test func `a view that is gone is named and made again on request`() throws {
        _ = try document("a.txt", "text")
        try sandbox.sbfs("view", "add", ".")
        try FileManager.default.removeItem(atPath: sandbox.desk + "/StuffBucket")
        #expect(try sandbox.sbfs("view", "refresh", exits: 4).err.contains("--recreate"))
        #expect(!sandbox.scratch.exists("desk/StuffBucket"))
        #expect(try sandbox.sbfs("view", "list", exits: 4).out.contains("\tmissing\t"))
        #expect(try sandbox.sbfs("view", "changes", exits: 1).err.contains("--recreate"))
        try sandbox.sbfs("view", "refresh", "--recreate")
        #expect(try text("All/a.txt") == "text")
        try FileManager.default.removeItem(atPath: sandbox.desk + "/StuffBucket")
        try sandbox.sbfs("view", "remove", ".")
        #expect(try sandbox.sbfs("list", "--ids").lines.count == 1)
    }

    @Test func `wrong folders and options are refused`() throws {
        #expect(try sandbox.sbfs("view", "add", sandbox.library, exits: 1).err.contains("one within the other"))
        #expect(try sandbox.sbfs("view", "add", sandbox.library + "/items/x", exits: 1).err.contains("one within"))
        #expect(try sandbox.sbfs("view", "add", exits: 2).err.contains("needs one folder"))
        #expect(
            try sandbox.sbfs("view", "add", ".", "--mode", "hardlink", exits: 2).err.contains(
                "copy, reflink or symlink"))
        #expect(try sandbox.sbfs("view", "add", ".", "--profile", "some", exits: 2).err.contains("documents or full"))
        #expect(try sandbox.sbfs("view", "adopt", exits: 2).err.contains("--all"))
        #expect(try sandbox.sbfs("view", "list").err.contains("there is none"))
        try sandbox.sbfs("view", "add", ".")
        #expect(try sandbox.sbfs("view", "add", ".", "--mode", "copy", exits: 1).err.contains("sbfs view remove"))
        #expect(try sandbox.sbfs("view", "add", "StuffBucket", exits: 1).err.contains("is in the view"))
    }

    @Test func `a save by renaming in a view of links is an edited copy, and the link comes back`() throws {
        let id = try document("report.txt", "first\n", title: "Report")
        try sandbox.sbfs("view", "add", ".", "--mode", "symlink")
        let name = try #require(try sandbox.scratch.names("desk/StuffBucket/All").first)
        let path = "desk/StuffBucket/All/" + name
        try sandbox.scratch.write("desk/new", "edited\n")
        try sandbox.scratch.rename("desk/new", to: path)
        #expect(try sandbox.sbfs("view", "changes").out.contains("edited"))
        #expect(try sandbox.sbfs("view", "refresh").err.contains("edited"))
        #expect(try sandbox.scratch.text(path) == "edited\n")
        try sandbox.sbfs("view", "adopt", sandbox.scratch.full(path))
        let documents = try sandbox.scratch.names(sandbox.folder(id) + "/document")
        #expect(try sandbox.scratch.text(sandbox.folder(id) + "/document/" + documents[0]) == "edited\n")
        #expect(
            try sandbox.shell("test -L '\(sandbox.scratch.full(path))' && cat '\(sandbox.scratch.full(path))'").out
                == "edited\n")
        #expect(try sandbox.sbfs("view", "changes").lines.isEmpty)
        #expect(try sandbox.sbfs("view", "refresh").err.hasSuffix("nothing to change\n"))
        try sandbox.sbfs("undo")
        #expect(try sandbox.scratch.text(sandbox.folder(id) + "/document/" + documents[0]) == "first\n")
    }

    @Test func `a view whose folder cannot be made is not recorded`() throws {
        try sandbox.snippet("One.\n", title: "Note")
        try sandbox.shell("mkdir closed && chmod 555 closed")
        let run = try sandbox.shell("\(Sbfs.bound)'\(Sbfs.binary)' view add closed", exits: 1)
        #expect(run.err.contains("Permission denied"), "\(run)")
        #expect(try sandbox.sbfs("view", "list").err.contains("there is none"))
        try sandbox.shell("chmod 755 closed")
        try sandbox.sbfs("view", "add", "closed")
        #expect(try sandbox.sbfs("view", "list").lines.count == 1)
    }

    @Test func `a link in the place of a view's folder is in the way, and the rest is listed`() throws {
        let id = try sandbox.snippet("One.\n", title: "Note", tags: "soup")
        _ = try sandbox.snippet("Two.\n", title: "Other", tags: "soup,bread")
        try sandbox.sbfs("tag", "add", id, "tea")
        try sandbox.sbfs("view", "add", ".")
        try sandbox.shell("mkdir kept && mv StuffBucket/Tags/soup kept/ && ln -s ../../kept/soup StuffBucket/Tags/soup")
        try sandbox.shell("cd StuffBucket && rm -r Tags/bread && echo x >Tags/bread && echo edited >>All/Note.md")
        let run = try sandbox.sbfs("view", "changes")
        let lines = run.lines.map { $0.split(separator: "\t").map(String.init) }
        let root = sandbox.desk + "/StuffBucket"
        #expect(
            lines.map { [$0[0], $0[2]] } == [
                ["edited", root + "/All/Note.md"], ["in the way", root + "/Tags/bread"],
                ["in the way", root + "/Tags/soup"],
            ], "\(run)")
    }

    @Test func `a file in the place of a link to an item is adopted, and the link comes back`() throws {
        let id = try sandbox.snippet("One.\n", title: "Note", tags: "soup")
        let report = try document("report.txt", "first\n", title: "Report")
        try sandbox.sbfs("tag", "add", report, "soup")
        try sandbox.sbfs("view", "add", ".")
        let names = try sandbox.scratch.names("desk/StuffBucket/Tags/soup")
        for name in names {
            let path = "StuffBucket/Tags/soup/" + name
            try sandbox.shell("test -L '\(path)' && echo saved >new && mv new '\(path)'")
            #expect(try sandbox.sbfs("view", "changes").out.contains("edited\t"))
            try sandbox.sbfs("view", "adopt", path)
            try sandbox.shell("test -L '\(path)' && test \"$(cat '\(path)')\" = saved")
            #expect(try sandbox.sbfs("view", "changes").lines.isEmpty)
        }
        #expect(names.count == 2)
        #expect(try sandbox.text(id) == "saved\n")
        #expect(try sandbox.scratch.text(sandbox.folder(report) + "/document/report.txt") == "saved\n")
    }

    @Test func `several processes refresh one view, and nothing is doubled or lost`() throws {
        for number in 1...30 { try sandbox.snippet("text \(number)", title: "Same", tags: "t\(number % 3)") }
        try sandbox.sbfs("view", "add", ".")
        for round in 1...3 {
            for number in 1...5 { try sandbox.snippet("more", title: "Round \(round) \(number)") }
            try sandbox.shell(
                "for i in 1 2 3 4; do sbfs view refresh --quiet & done; sbfs tag add --query 'Round' round\(round); wait"
            )
        }
        try sandbox.sbfs("view", "refresh")
        #expect(try sandbox.scratch.names("desk/StuffBucket/All").count == 45)
        #expect(try sandbox.sbfs("view", "changes").lines.isEmpty)
        #expect(try sandbox.sbfs("view", "refresh").err.hasSuffix("nothing to change\n"))
        #expect(try sandbox.scratch.names("desk/StuffBucket").count { $0.hasPrefix(".sbfs-view") } == 1)
    }

    /// The fault sweep does the same at every call; here it is a clock.
    @Test func `a refresh that is killed leaves nothing foreign changed and nothing of its own behind`() throws {
        for number in 1...40 { _ = try document("d\(number).txt", "text \(number)\n", title: "Paper") }
        for delay in 1...12 {
            try sandbox.shell(
                """
                sbfs view add . --mode copy >/dev/null 2>&1 & id=$!; sleep 0.\(delay < 10 ? "0" : "")\(delay); kill -9 $id 2>/dev/null; \
                wait $id; mkdir -p StuffBucket/All; echo mine > StuffBucket/mine-\(delay).txt; exit 0
                """)
            // A folder with a person's file and without a marker is refused, so the first ones go away.
            if !sandbox.scratch.exists("desk/StuffBucket/.sbfs-view") {
                try FileManager.default.removeItem(atPath: sandbox.desk + "/StuffBucket")
            }
        }
        try sandbox.sbfs("view", "add", ".", "--mode", "copy")
        let names = try sandbox.scratch.names("desk/StuffBucket/All")
        #expect(names.count == 40 && names.contains("Paper (40).txt"))
        #expect(try Set(names.map { try text("All/" + $0) }).count == 40)
        try sandbox.file("StuffBucket/mine-last.txt")
        let own = try sandbox.sbfs("view", "changes").lines
        #expect(own.allSatisfy { $0.hasPrefix("own\t-\t\(sandbox.desk)/StuffBucket/mine-") })
        try sandbox.sbfs("view", "remove", ".")
        let left = try FileManager.default.subpathsOfDirectory(atPath: sandbox.desk + "/StuffBucket")
        #expect(left.allSatisfy { $0.hasPrefix("mine-") }, "\(left)")
    }
}
