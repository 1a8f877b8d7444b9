import Foundation
import TestSupport
import Testing

/// `summarize`.
struct SummarizeTests {
    let box: Sandbox
    let server: AIServer

    init() throws {
        box = try Sandbox()
        server = try AIServer()
        try box.useModel(of: server)
    }

    @Test func `a summary is kept, found, shown as made by a model, and undone`() throws {
        let id = try box.snippet("Roast the squash.", title: "Squash")
        let run = try box.sbfs("summarize", id)
        #expect(run.out.contains("The squash is roasted first.") && run.out.contains("- Use butter."))
        let item = try box.item(id)
        #expect(item["aiSummary"] as? String == "The squash is roasted first.")
        #expect(item["aiModelID"] as? String == "a-model" && item["aiUpdatedAt"] is String)
        #expect(try box.ids("butter") == [id] && box.ids("lovelace") == [id] && box.ids("roasted") == [id])
        #expect(try box.sbfs("show", id).out.contains("(made by a-model on "))
        try box.sbfs("undo")
        #expect(try box.item(id).keys.allSatisfy { !$0.hasPrefix("ai") })
        #expect(try box.ids("butter") == [])
        try box.sbfs("check")
    }

    @Test func `an item with a summary is left as it is, unless it is asked for again`() throws {
        let id = try box.snippet("x")
        try box.sbfs("summarize", id)
        let count = try server.requests().count
        #expect(try box.sbfs("summarize", id).err.contains("--again"))
        #expect(try server.requests().count == count)
        try server.answer("summarize", #"{"summary": "Another.", "keyPoints": [], "entities": []}"#)
        try box.sbfs("summarize", id, "--again")
        #expect(try box.item(id)["aiSummary"] as? String == "Another.")
    }

    @Test func `a fault keeps what was summarised before`() throws {
        let ids = try (1...4).map { try box.snippet("text \($0)") }
        try server.behave("good", "good", "401", "401")
        let run = try box.sbfs("summarize", "-q", "text", "--at-once", "1", exits: 1)
        #expect(run.err.contains("2 items summarised and kept"), "\(run)")
        #expect(try ids.filter { try box.item($0)["aiSummary"] != nil }.count == 2)
        try server.behave()
        try box.sbfs("summarize", "-q", "text")
        #expect(try ids.filter { try box.item($0)["aiSummary"] != nil }.count == 4)
    }

    @Test func `a long item is cut or taken in parts only if the person says so`() throws {
        let id = try box.snippet(String(repeating: "A line of a long text.\n", count: 200), title: "Long")
        let words = ["summarize", id, "--budget", "2000"]
        let before = try server.requests().count
        #expect(try box.sbfs(words: words, exits: 7).err.contains("--parts"))
        #expect(try server.requests().count == before)
        try box.sbfs(words: words + ["--cut"])
        #expect(try server.requests().count == before + 1)
        try box.sbfs(words: words + ["--parts", "--again"])
        // Three parts, and one request that joins them.
        #expect(try server.requests().count == before + 5)
        #expect(try server.requests().last?.body.contains("summariesOfParts") == true)
        let run = try box.ask("summarize", id, "--again", "--budget", "2000", typing: "c\n")
        #expect(run.terminal.contains("too large for one request"), "\(run)")
        #expect(try server.requests().count == before + 6)
    }

    @Test func `the reader shows the summary in a copy`() throws {
        let id = try box.snippet("x", title: "Page")
        let reader =
            "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n</head>\n<body>\n<main>\n<article>\n<p>Text</p></article>\n</main>\n</body>\n</html>\n"
        try box.scratch.write(box.folder(id) + "/reader.html", reader)
        #expect(try box.sbfs("open", id, "--reader", "--print").lines == [box.path(id, "reader.html")])
        try server.answer("summarize", #"{"summary": "<b>bold</b> & more", "keyPoints": ["k"], "entities": []}"#)
        try box.sbfs("summarize", id)
        let path = try #require(try box.sbfs("open", id, "--reader", "--print").lines.first)
        let copy = try String(contentsOfFile: path, encoding: .utf8)
        #expect(copy.contains("&lt;b&gt;bold&lt;/b&gt; &amp; more") && copy.contains("made by a-model"))
        #expect(copy.contains("<base href=\"file://"))
        #expect(try box.scratch.text(box.folder(id) + "/reader.html") == reader)
        #expect(path.hasPrefix(box.home + "/cache/"))
    }

    @Test func `an item without text is named and not sent`() throws {
        let id = "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"
        try box.plant(id, #"{"linkURL": "https://example.org/"}"#)
        let before = try server.requests().count
        #expect(try box.sbfs("summarize", id, exits: 3).err.contains("no text to summarise"))
        #expect(try server.requests().count == before)
    }

    /// Changes an item while the model answers slowly.
    @discardableResult
    private func summarize(_ ids: [String], changing change: String, exits status: Int32) throws -> Run {
        let count = try server.requests().count
        return try box.shell(
            """
            sbfs summarize \(ids.joined(separator: " ")) --at-once 1 & process=$!
            until [ "$(wc -l < '\(server.logPath)')" = \(count + 1) ]; do sleep 0.01; done
            \(change)
            wait $process
            """, exits: status)
    }

    @Test func `an item that changed after it was sent gets no summary and is named`() throws {
        let ids = try ["One", "Two"].map { try box.snippet("text of " + $0, title: $0) }
        try server.behave("slow")
        let text = "echo changed > '\(box.path(ids[0], "text.md"))'"
        let run = try summarize(ids, changing: text, exits: 4)
        let name = String(ids[0].suffix(8))
        #expect(run.err.contains(name + ": what was sent of it was changed since"), "\(run)")
        #expect(try box.item(ids[0])["aiSummary"] == nil && box.item(ids[1])["aiSummary"] != nil)
        try server.behave("slow")
        try summarize([ids[0]], changing: "sbfs set \(ids[0]) title=Another", exits: 5)
        #expect(try box.item(ids[0])["aiSummary"] == nil)
        // What is not sent may change.
        try server.behave("slow")
        try summarize([ids[0]], changing: "sbfs pin \(ids[0])", exits: 0)
        #expect(try box.item(ids[0])["aiSummary"] != nil && box.item(ids[0])["isPinned"] as? Bool == true)
    }
}
