import Files
import Foundation
import Testing

/// `resolve` of a document that lost where copies met, and of one of the person's own files of which two devices had different ones.
struct LostFileTests {
    let sandbox: Sandbox
    let id: String

    init() throws {
        sandbox = try Sandbox()
        id = try sandbox.snippet("Feed.", title: "Bread")
        try sandbox.scratch.write("plan.txt", "The one that stands.")
        try sandbox.sbfs("attach", id, sandbox.scratch.full("plan.txt"))
        try sandbox.sbfs("tag", "add", id, "dough")
    }

    private var folder: String { sandbox.folder(id) }

    /// Puts a file beside another one, as a join does.
    private func lose(_ name: String, in inner: String, _ text: String) throws -> String {
        let hash = SHA256.hex(Array(text.utf8)).prefix(8)
        let dot = try #require(name.lastIndex(of: "."))
        let path = inner + name[..<dot] + ".conflict-" + hash + name[dot...]
        try sandbox.scratch.write(folder + "/" + path, text)
        // The next command sees it, and remembers it.
        try sandbox.sbfs("conflicts", id)
        return path
    }

    private func text(_ path: String) throws -> String? {
        sandbox.scratch.exists(folder + "/" + path) ? try sandbox.scratch.text(folder + "/" + path) : nil
    }

    /// What is kept under the path at the end of a message, relative to the library's folder.
    private func kept(_ message: String) throws -> String {
        let path = try #require(message.split(separator: " ").last).trimmingCharacters(in: .whitespacesAndNewlines)
        return try sandbox.shell("cat \"$SBFS_LIBRARY/\(path)\"").out
    }

    @Test func `the document that stands is taken, and the other one is kept`() throws {
        let lost = try lose("plan.txt", in: "document/", "The other one.")
        #expect(try sandbox.sbfs("resolve", id, "--take", "1", "--dry-run").err.contains("would resolve \(lost)"))
        #expect(try text(lost) == "The other one.")
        let run = try sandbox.sbfs("resolve", id, "document", "--take", "1")
        #expect(try kept(run.err) == "The other one.")
        #expect(try text(lost) == nil && text("document/plan.txt") == "The one that stands.")
        #expect(try sandbox.sbfs("conflicts", exits: 3).err.contains("no conflicts"))
        // A version tells other copies.
        #expect(
            try sandbox.shell("grep -l '\(lost)' \"$SBFS_LIBRARY\"/\(sandbox.folderInLibrary(id))/history/*.json").lines
                .count == 1)
    }

    @Test func `the document that lost is taken, and undo brings the other one back`() throws {
        let lost = try lose("plan.txt", in: "document/", "The other one.")
        try sandbox.sbfs("resolve", id, "--take", "2")
        #expect(try text("document/plan.txt") == "The other one." && text(lost) == nil)
        #expect(try sandbox.sbfs("conflicts", exits: 3).err.contains("no conflicts"))
        try sandbox.sbfs("undo")
        #expect(try text("document/plan.txt") == "The one that stands.")
        try sandbox.sbfs("redo")
        #expect(try text("document/plan.txt") == "The other one.")
    }

    @Test func `both documents stay, and the lost one has a free name`() throws {
        try sandbox.scratch.write(folder + "/document/plan 2.txt", "Mine.")
        let lost = try lose("plan.txt", in: "document/", "The other one.")
        let run = try sandbox.sbfs("resolve", id, "--take", "both")
        #expect(run.err.contains("document/plan 3.txt"))
        #expect(
            try text("document/plan 3.txt") == "The other one." && text("document/plan 2.txt") == "Mine."
                && text(lost) == nil)
        #expect(try sandbox.sbfs("show", id, "--json").out.contains("plan.txt"))
    }

    @Test(arguments: ["1", "2", "both"]) func `own files are resolved in the same way`(_ choice: String) throws {
        try sandbox.scratch.write(folder + "/own/notes.txt", "Stands.")
        let lost = try lose("notes.txt", in: "own/", "Lost.")
        let run = try sandbox.sbfs("resolve", id, "file", "--take", choice)
        #expect(try text(lost) == nil)
        switch choice {
        case "1": #expect(try text("own/notes.txt") == "Stands." && kept(run.err) == "Lost.")
        case "2": #expect(try text("own/notes.txt") == "Lost." && kept(run.err) == "Stands.")
        default: #expect(try text("own/notes.txt") == "Stands." && text("own/notes 2.txt") == "Lost.")
        }
    }

    @Test func `several are named, one of them is found by its name, and there is no editor for files`() throws {
        let one = try lose("plan.txt", in: "document/", "The other one.")
        let two = try lose("plan.txt", in: "document/", "A third one.")
        let run = try sandbox.sbfs("resolve", id, "document", "--take", "1", exits: 1)
        #expect(run.err.contains("2 such conflicts") && run.err.contains(one) && run.err.contains(two))
        let missed = try sandbox.sbfs("resolve", id, "title", "--take", "1", exits: 3)
        #expect(missed.err.contains("has no conflict of title; it has"))
        #expect(missed.err.contains("  " + one) && missed.err.contains("  " + two))
        #expect(try sandbox.sbfs("resolve", id, one, "--edit", exits: 1).err.contains("--take 1, 2 or both"))
        try sandbox.sbfs("resolve", id, one, "--take", "1")
        #expect(try text(one) == nil && text(two) == "A third one.")
    }
}
