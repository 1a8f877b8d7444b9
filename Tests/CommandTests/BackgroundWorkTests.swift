import Files
import Glibc
import JSONFormat
import TestSupport
import Testing

/// Background work as a person meets it: what is done without them, and what waits for them.
struct BackgroundWorkTests {
    let box: Sandbox

    init() throws { box = try Sandbox() }

    /// Items that have been in the trash for years.
    private func trash(_ count: Int, beside others: Int) throws -> [String] {
        for number in 0..<others { try box.snippet("live \(number)") }
        let ids = try (0..<count).map { try box.snippet("old \($0)") }
        for id in ids {
            try box.plant(id, #"{"title": "Old", "tags": ["trashcan"], "trashedAt": "2020-01-01T00:00:00Z"}"#)
            try box.shell("echo '\(id) 2020-01-01T00:00:00.000Z' >> '\(box.library)/.sbfs/trash'")
        }
        return ids
    }

    @Test func `purge --background purges what is due without a question, and undo skips it`() throws {
        let ids = try trash(1, beside: 20)
        try box.sbfs("title", try box.snippet("mine"), "My title")
        #expect(try box.sbfs("purge", "--background", "--dry-run").err.contains("would purge \(ids[0].suffix(8))"))
        #expect(try box.sbfs("purge", "--background").err == "sbfs: purged 1 item\n")
        #expect(!box.scratch.exists(box.folder(ids[0])))
        #expect(try box.sbfs("undo").err.contains("My title"))
        #expect(!(try box.sbfs("log").out.contains("purge")))
        let rows = try box.sbfs("log", "--all").lines.filter { $0.contains("purge --background") }
        #expect(rows.count == 1 && rows[0].split(separator: "\t", omittingEmptySubsequences: false)[2] == "background")
        #expect(try box.sbfs("log", "--all", "--ndjson").stream().contains { $0["isBackground"] as? Bool == true })
        #expect(try box.onTerminal("log").terminal.contains("1 background step not shown; --all lists them, too"))
        #expect(try box.sbfs("purge", "--background").err == "sbfs: nothing in the trash is due\n")
        try box.sbfs("check")
    }

    @Test func `purge --background asks by its message when much is due`() throws {
        let ids = try trash(2, beside: 3)
        let before = try box.snapshot()
        let run = try box.sbfs("purge", "--background", exits: 1)
        #expect(run.err.contains("2 of 5 items can be purged from the trash"))
        #expect(run.err.contains("only with consent: sbfs purge\n"))
        #expect(try box.changes(since: before).isEmpty)
        try box.sbfs("purge", "--yes")
        #expect(!box.scratch.exists(box.folder(ids[0])))
        try box.sbfs("purge", "--background", "--now", exits: 2)
        try box.sbfs("purge", "--background", ids[0], exits: 2)
    }

    @Test func `archive --pending --consent lets the daemon save the pages that wait`() throws {
        try box.sbfs("archive", "--pending", "--consent", exits: 3)
        let id = try box.link("https://example.org/")
        #expect(try box.item(id)["archiveStatus"] as? String == "pending")
        #expect(
            try box.sbfs("archive", "--pending", "--consent", "--dry-run").err.contains(
                "would let sbfs watch save 1 page"))
        #expect(!box.scratch.exists("library/.sbfs/background"))
        #expect(
            try box.sbfs("archive", "--pending", "--consent").err == "sbfs: sbfs watch may save 1 page on this device\n"
        )
        #expect(try box.scratch.text("library/.sbfs/background") == "{\n  \"archiveConsent\": 1\n}\n")
        #expect(try box.scratch.directory().statusIfPresent(of: "library/.sbfs/background")?.permissions == 0o600)
        for words in [["--consent"], ["--consent", "--all"], ["--consent", "--pending", id]] {
            try box.sbfs(words: ["archive"] + words, exits: 2)
        }
    }

    @Test(arguments: [
        ("watch.archive", ["on", "off"], ["yes", "", "ON"]), ("watch.purge", ["on", "off"], ["1"]),
        ("watch.verify", ["off"], ["no"]), ("watch.sync", ["off"], ["yes"]), ("watch.notify", ["off"], ["x"]),
        ("watch.pages", ["1", "16"], ["0", "17", "two", "-1", "1.5"]),
    ])
    func `settings of background work have a range and stay on this device`(
        _ key: String, _ good: [String], _ bad: [String]
    ) throws {
        let before = try box.scratch.text("library/library.json")
        for value in good {
            try box.sbfs("config", key, value)
            #expect(try box.sbfs("config", key).out == value + "\n")
        }
        for value in bad {
            #expect(try box.sbfs("config", key, value, exits: 1).err.contains("\(key) must be "))
        }
        #expect(try box.sbfs("config", key).out == (good.last ?? "") + "\n")
        #expect(try box.scratch.text("library/library.json") == before)
        #expect(try box.scratch.text("home/config/sbfs/config.json").contains("\"\(key)\": "))
    }

    @Test func `in a large library, a command on another item starts a process that notes an editor's save`() throws {
        let id = try box.snippet("The first text."), other = try box.snippet("Another text.")
        try box.shell("for i in $(seq 80); do echo \"text $i\" >$i.txt; done; sbfs add *.txt; sbfs list >list")
        // As if the last comparison were long ago.
        try box.scratch.write("library/.sbfs/sweep", #"{"begunAt": "2020-01-01T00:00:00.000Z", "faults": []}"#)
        try box.shell("cd \"$(sbfs path \(id))\"; printf 'Saved by an editor.' >new; mv new text.md")
        // With the variable, no process starts.
        try box.sbfs("tag", "add", other, "one")
        #expect(!box.scratch.exists(box.folder(id) + "/history"))
        box.environment["SBFS_NO_SWEEP"] = nil
        try box.sbfs("tag", "add", other, "two")
        let text = box.folder(id) + "/history/" + SHA256.hex(Array("Saved by an editor.".utf8)) + ".md"
        // It ends by itself; nothing of it is left when this test removes its folder.
        try box.shell(
            """
            end=$(($(date +%s) + 120))
            until test -e '\(box.scratch.full(text))'; do test $(date +%s) -lt $end || exit 1; sleep 0.05; done
            while pgrep -f "$SBFS_LIBRARY reindex" >/dev/null; do test $(date +%s) -lt $end || exit 1; sleep 0.05; done
            """)
        #expect(try box.scratch.text(text) == "Saved by an editor.")
        try box.sbfs("reindex", "--take-in", exits: 2)
    }
}
