import Foundation
import TestSupport
import Testing

/// `suggest-tags`: asking, reviewing, applying.
struct SuggestTagsTests {
    let box: Sandbox
    let server: AIServer

    init() throws {
        box = try Sandbox()
        server = try AIServer()
        try box.useModel(of: server)
    }

    /// The questions that were asked, without the one that checked the key.
    private func questions() throws -> [AIServer.Request] { Array(try server.requests().dropFirst()) }

    @Test(arguments: [("anthropic", "/keyed/v1"), ("openai", "/keyed/v1"), ("compatible", "/own/v1")])
    func `tags are suggested, marked, applied and undone`(provider: String, path: String) throws {
        try box.useModel(of: server, provider: provider, path: path)
        try box.snippet("salt", title: "Other", tags: "Soup")
        let id = try box.snippet("Roast the squash.", title: "Squash", tags: "recipes")
        for behaviour in ["good", "whole"] {
            try server.behave(behaviour)
            let run = try box.sbfs("suggest-tags", id, "--json")
            let answer = try #require(try run.array().first)
            let tags = try #require(answer["tags"] as? [[String: Any]])
            #expect(tags.map { $0["tag"] as? String } == ["Soup", "slow cooking"])
            #expect(tags.map { $0["existing"] as? Bool } == [true, false])
            #expect(try box.tags(id) == ["recipes"])
        }
        try box.sbfs("suggest-tags", id, "--yes")
        #expect(try Set(box.tags(id)) == ["recipes", "Soup", "slow cooking"])
        try box.sbfs("undo")
        #expect(try box.tags(id) == ["recipes"])
        try box.sbfs("check")
    }

    @Test func `boxes are ticked at first, and edited by keyboard`() throws {
        try server.answer("suggest_tags", #"{"tags": ["a", "b", "c"]}"#)
        let id = try box.snippet("x", title: "Item")
        // Down, untick b, apply.
        let run = try box.onTerminal("suggest-tags", id, typing: "\u{1B}[B \r")
        #expect(
            run.terminal.contains("[x] a") && run.terminal.contains("[ ] b") && run.terminal.contains("new"), "\(run)")
        #expect(try Set(box.tags(id)) == ["a", "c"])
        try box.sbfs("undo")
        // Leaving keeps the answer, which is not asked for again.
        let count = try questions().count
        try box.onTerminal("suggest-tags", id, typing: "q", exits: 1)
        try box.onTerminal("suggest-tags", id, typing: "n \r")
        #expect(try box.tags(id) == ["a"])
        #expect(try questions().count == count + 1)
    }

    @Test func `without a terminal nothing is applied unseen`() throws {
        let id = try box.snippet("x")
        let run = try box.sbfs("suggest-tags", id, exits: 1)
        #expect(run.err.contains("--yes applies it"), "\(run)")
        #expect(try box.tags(id) == [])
    }

    @Test func `a dry run prints the bytes that are sent, and contacts nobody`() throws {
        try box.snippet("salt", tags: "soup")
        let id = try box.snippet("With \u{202E} and é", title: "Item")
        let before = server.connectionCount
        let dry = try box.sbfs("suggest-tags", id, "--dry-run", "--offline")
        #expect(server.connectionCount == before)
        #expect(dry.err.contains("x-api-key: (the key)") && dry.err.contains(server.url()))
        try box.sbfs("suggest-tags", id, "--yes")
        #expect(try questions().map(\.body) == dry.lines)
    }

    @Test func `several items are reviewed as lines of text, in one step`() throws {
        let ids = try (1...6).map { try box.snippet("text \($0)", title: "Item \($0)") }
        try box.useEditor(
            """
            cp "$1" \(box.desk)/seen
            sed -i -e '/Item 1"/d' -e '/Item 2"/s/#soup//' -e '/Item 3"/s/#soup/#"my own"/' "$1"
            """)
        let run = try box.sbfs("suggest-tags", "-q", "text")
        #expect(try String(contentsOfFile: box.desk + "/seen", encoding: .utf8).contains("; new: soup"))
        #expect(try box.tags(ids[0]) == [])
        #expect(try Set(box.tags(ids[1])) == ["recipes", "slow cooking"])
        #expect(try Set(box.tags(ids[2])) == ["my own", "recipes", "slow cooking"], "\(run)")
        #expect(try Set(box.tags(ids[5])) == ["soup", "recipes", "slow cooking"])
        try box.sbfs("undo")
        for id in ids { #expect(try box.tags(id) == []) }
    }

    @Test func `much is asked for before it is sent`() throws {
        for number in 1...21 { try box.snippet("text \(number)") }
        let run = try box.ask("suggest-tags", "-q", "text", typing: "n\n", exits: 1)
        #expect(run.terminal.contains("Send 21 items, about "), "\(run)")
        #expect(try questions().isEmpty)
        try box.sbfs("suggest-tags", "-q", "text", "--yes")
        #expect(try questions().count == 21)
    }

    @Test func `what was answered before a fault is kept, and not asked again`() throws {
        for number in 1...6 { try box.snippet("text \(number)") }
        try server.behave("good", "good", "401", "401", "401", "401")
        let run = try box.sbfs("suggest-tags", "-q", "text", "--at-once", "1", "--json", exits: 1)
        #expect(run.err.contains("2 answers are kept"), "\(run)")
        try server.behave()
        let count = try questions().count
        let again = try box.sbfs("suggest-tags", "-q", "text", "--json")
        #expect(try again.array().count == 6)
        #expect(try questions().count == count + 4)
    }

    @Test func `an interruption keeps what was answered`() throws {
        for number in 1...4 { try box.snippet("text \(number)") }
        try server.behave("good", "good", "hang")
        try box.shell(
            """
            sbfs suggest-tags -q text --at-once 1 --json & process=$!
            until [ "$(grep -c tags \(box.home)/state/sbfs/drafts/*suggest-tags/answers.ndjson)" = 2 ]; do sleep 0.05; done
            kill -INT $process || exit 9
            kill -TERM $process; wait $process; true
            """)
        try server.behave()
        let count = try questions().count
        try box.sbfs("suggest-tags", "-q", "text", "--yes")
        #expect(try questions().count == count + 2)
    }

    @Test func `items that changed after they were sent are reviewed again`() throws {
        let ids = try ["One", "Two", "Three"].map { try box.snippet("text of " + $0, title: $0) }
        // The first review changes two texts; the second one, which shows both, takes a tag from each.
        try box.useEditor(
            """
            if [ ! -e \(box.desk)/once ]; then
                touch \(box.desk)/once
                echo 'another text' > "\(box.path(ids[0], "text.md"))"
                echo 'another text' > "\(box.path(ids[1], "text.md"))"
            else
                sed -i 's/#soup//' "$1"
            fi
            """)
        let run = try box.shell("sbfs suggest-tags \(ids.joined(separator: " "))", screen: .asking)
        #expect(run.err.contains("review again"), "\(run)")
        #expect(try Set(box.tags(ids[2])) == ["soup", "recipes", "slow cooking"])
        for id in ids[..<2] { #expect(try Set(box.tags(id)) == ["recipes", "slow cooking"]) }
    }

    @Test func `with --yes an item that changed is left out and named`() throws {
        let id = try box.snippet("text", title: "One")
        try server.behave("slow")
        let run = try box.shell(
            """
            sbfs suggest-tags \(id) --yes & process=$!
            until [ "$(wc -l < "$LOG")" = 2 ]; do sleep 0.01; done
            echo changed > "\(box.path(id, "text.md"))"
            wait $process
            """.replacing("$LOG", with: server.logPath), exits: 4)
        #expect(run.err.contains("changed after it was sent"), "\(run)")
        #expect(try box.tags(id) == [])
    }

    @Test func `what ai.never finds is not sent, nor are its tags`() throws {
        let secret = try box.snippet("the secret text", title: "Diary", tags: "private,very-secret-tag")
        let open = try box.snippet("an open text", title: "Bread", tags: "baking")
        try box.sbfs("config", "ai.never", "tag:private")
        let run = try box.sbfs("suggest-tags", secret, open, "--yes", exits: 4)
        #expect(run.err.contains(String(secret.suffix(8))) && run.err.contains("ai.never"), "\(run)")
        try box.sbfs("suggest-tags", secret, "--yes", exits: 3)
        try box.sbfs("summarize", secret, exits: 3)
        try box.sbfs("suggest-tags", "--shrink", "--json", exits: nil)
        let sent = try questions().map(\.body).joined()
        #expect(sent.contains("baking") && sent.contains("an open text"))
        for word in ["secret", "Diary", "private"] { #expect(!sent.contains(word), "\(word)") }
        #expect(try box.sbfs("ai", "status").out.contains("tag:private"))
        // A query that may be a mistake sends nothing.
        try box.sbfs("config", "ai.never", "tga:private")
        #expect(try box.sbfs("suggest-tags", open, "--yes", exits: 1).err.contains("ai.never"))
        #expect(try questions().map(\.body).joined() == sent)
        try box.sbfs("config", "ai.never", "--unset")
        try box.sbfs("trash", open)
        try box.sbfs("suggest-tags", open, "--yes", exits: 3)
    }

    @Test func `nearly equal tags are merged`() throws {
        let first = try box.snippet("a", tags: "recipe"), second = try box.snippet("b", tags: "recipies,soup")
        try box.snippet("c", tags: "recipes")
        try server.answer(
            "merge_tags",
            #"{"merges": [{"from": ["recipe", "recipies", "unknown"], "into": "recipes"}, {"from": ["soup"], "into": "nothing"}]}"#
        )
        let run = try box.sbfs("suggest-tags", "--shrink", "--json")
        #expect(try run.array().count == 1)
        try box.onTerminal("suggest-tags", "--shrink", typing: "\r")
        #expect(try box.tags(first) == ["recipes"])
        #expect(try Set(box.tags(second)) == ["recipes", "soup"])
        try box.sbfs("undo")
        #expect(try box.tags(first) == ["recipe"])
    }

    @Test func `a long item is cut at the budget, at whole characters`() throws {
        let id = try box.snippet(String(repeating: "é", count: 30_000))
        let run = try box.sbfs("suggest-tags", id, "--yes", "--budget", "1001")
        #expect(run.err.contains("only the beginning is sent"))
        let body = try #require(try questions().first?.body)
        #expect(body.utf8.count < 4000 && !body.contains("\u{FFFD}"))
    }

    @Test func `a password in a link is not sent`() throws {
        let id = "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"
        try box.plant(id, #"{"title": "x", "linkURL": "https://ada:hunter2@example.org/a?b=c"}"#)
        try box.sbfs("suggest-tags", id, "--yes")
        let body = try #require(try questions().first?.body)
        #expect(body.contains("example.org/a?b=c") && !body.contains("hunter2") && !body.contains("ada"))
    }

    @Test func `answers for other items stay until they are reviewed`() throws {
        let ids = try (1...3).map { try box.snippet("text \($0)", title: "Item \($0)") }
        try server.behave("good", "good", "401")
        try box.sbfs("suggest-tags", ids[0], ids[1], ids[2], "--at-once", "1", "--json", exits: 1)
        try server.behave()
        try box.sbfs("suggest-tags", ids[2], "--yes")
        try box.sbfs("suggest-tags", ids[0], "--yes", "--again")
        let count = try questions().count
        try box.sbfs("suggest-tags", ids[1], "--yes")
        #expect(try questions().count == count)
        #expect(try Set(box.tags(ids[1])) == ["soup", "recipes", "slow cooking"])
    }

    @Test func `a tag of the library is existing even if it was not sent`() throws {
        for number in 1...3 { try box.snippet("x", tags: (1...80).map { "tag\(number)-\($0)" }.joined(separator: ",")) }
        try box.snippet("y", tags: "zucchini Soup,café")
        let id = try box.snippet("z")
        try server.answer("suggest_tags", #"{"tags": ["ZUCCHINI soup", "cafe", "new"]}"#)
        let run = try box.sbfs("suggest-tags", id, "--json")
        #expect(try questions().last?.body.contains("zucchini") == false)
        let tags = try #require(try run.array().first?["tags"] as? [[String: Any]])
        #expect(tags.map { $0["tag"] as? String } == ["zucchini Soup", "cafe", "new"], "\(run)")
        #expect(tags.map { $0["existing"] as? Bool } == [true, false, false])
    }

    @Test(arguments: [
        "tr\u{E1}shcan", "Trashcan\u{301}", "\u{FF54}\u{FF52}\u{FF41}\u{FF53}\u{FF48}\u{FF43}\u{FF41}\u{FF4E}",
        "coll\u{E9}ction:Own", "\u{FF23}ollection:Own", "collection\u{FF1A}Own", "COLLECTION\u{2236}Own",
    ])
    func `what looks like the trash or a collection is refused`(tag: String) throws {
        let id = try box.snippet("x")
        try server.answer("suggest_tags", #"{"tags": ["\#(tag)", "collection of essays"]}"#)
        let run = try box.sbfs("suggest-tags", id, "--yes")
        #expect(run.err.contains("1 suggestion refused"), "\(run)")
        #expect(try box.tags(id) == ["collection of essays"])
    }

    @Test func `two runs at once have answers of their own`() throws {
        let ids = try (1...2).map { try box.snippet("text \($0)") }
        try server.behave("slow", "slow")
        try box.shell(
            "sbfs suggest-tags \(ids[0]) --yes & process=$!; sbfs suggest-tags \(ids[1]) --yes && wait $process")
        for id in ids { #expect(try Set(box.tags(id)) == ["soup", "recipes", "slow cooking"]) }
        #expect(try box.shell("ls \(box.home)/state/sbfs/drafts").lines == [])
    }
}
