import JSONFormat
import Testing

struct PurgeTests {
    let sandbox: Sandbox
    let id: String

    init() throws {
        sandbox = try Sandbox()
        id = try sandbox.snippet("soup", title: "Note")
    }

    /// Marks an item as trashed long ago.
    private func trashLongAgo(_ id: String) throws {
        try sandbox.plant(id, #"{"title": "Note", "tags": ["trashcan"], "trashedAt": "2020-01-01T00:00:00Z"}"#)
        try sandbox.shell("echo '\(id) 2020-01-01T00:00:00.000Z' >> '\(sandbox.library)/.sbfs/trash'")
    }

    private var tombstone: String { "library/tombstones/\(id.suffix(2))/\(id).json" }

    @Test func `due items are removed, with a tombstone`() throws {
        let live = try sandbox.snippet("live")
        try trashLongAgo(id)
        let run = try sandbox.sbfs("purge", "--yes")
        #expect(run.err == "sbfs: purged 1 item\n")
        #expect(!sandbox.scratch.exists(sandbox.folder(id)))
        #expect(try sandbox.scratch.text(tombstone).contains("\"id\": \"\(id)\""))
        #expect(try sandbox.scratch.text(tombstone).contains("\"purgedAt\": \""))
        #expect(try sandbox.ids("trashcan OR not trashcan") == [live])
        #expect(try sandbox.sbfs("check", "--notes").out.isEmpty)
    }

    @Test func `purge names the items and asks, and no is the default`() throws {
        try trashLongAgo(id)
        let before = try sandbox.snapshot()
        let alone = try sandbox.sbfs("purge", exits: 1)
        #expect(alone.err.contains("  \(id.suffix(8))  Note\n  Remove this item for good?\n"))
        #expect(alone.err.contains("There is no terminal to ask on; --yes answers yes. Nothing was changed"))
        for answer in ["n\n", "\n", "nonsense\n", "\u{4}"] {
            let run = try sandbox.ask("purge", typing: answer, exits: 1)
            #expect(run.terminal.contains("  \(id.suffix(8))  Note"))
            #expect(run.terminal.contains("Remove this item for good? [y/N]"))
        }
        #expect(try sandbox.changes(since: before).isEmpty)
        try sandbox.ask("purge", typing: "Y\n")
        #expect(!sandbox.scratch.exists(sandbox.folder(id)))
    }

    @Test func `the question names versions that could not be merged`() throws {
        try trashLongAgo(id)
        try sandbox.scratch.makeDirectory(sandbox.folder(id) + "/conflicts")
        try sandbox.scratch.write(sandbox.folder(id) + "/conflicts/text-01234567.md", "the only copy\n")
        let run = try sandbox.sbfs("purge", exits: 1)
        #expect(run.err.contains("Note, with 1 version in conflicts/: text-01234567.md\n"), "\(run)")
    }

    @Test func `items that are not due stay, and the message says when they are`() throws {
        try sandbox.sbfs("trash", id)
        let run = try sandbox.sbfs("purge", id, "--yes", exits: 1)
        #expect(run.err.contains("\(id.suffix(8)) is due on 2"))
        #expect(run.err.contains("items stay in the trash for 10 days; --now purges it at once"))
        #expect(try sandbox.sbfs("purge", "--yes").err == "sbfs: 1 in the trash, none is due yet\n")
        #expect(try sandbox.ids("is:trashed") == [id])
    }

    @Test func `an item that this device sees in the trash for the first time is not due`() throws {
        try sandbox.plant(id, #"{"tags": ["trashcan"], "trashedAt": "2020-01-01T00:00:00Z"}"#)
        #expect(
            try sandbox.sbfs("purge", id, "--yes", exits: 1).err.contains(
                "was first seen in the trash on this device just now"))
        #expect(try sandbox.sbfs("purge", id, "--yes", exits: 1).err.contains("is due on "))
        #expect(try sandbox.ids("is:trashed") == [id])
    }

    @Test func `the setting says how long`() throws {
        try sandbox.plant(id, #"{"tags": ["trashcan"], "trashedAt": "2026-01-01T00:00:00Z"}"#)
        try sandbox.shell("echo '\(id) 2026-01-01T00:00:00.000Z' >> '\(sandbox.library)/.sbfs/trash'")
        try sandbox.sbfs("config", "purgeDays", "3650")
        #expect(
            try sandbox.sbfs("purge", id, "--yes", exits: 1).err.contains(
                "is due on 2035-12-30; items stay in the trash for 3650 days"))
    }

    @Test func `--now purges items that are not due`() throws {
        try sandbox.sbfs("trash", id)
        try sandbox.sbfs("purge", "Note", "--now", "--yes")
        #expect(!sandbox.scratch.exists(sandbox.folder(id)))
        #expect(sandbox.scratch.exists(tombstone))
    }

    struct Mark: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let says: String
    }

    static let marks = [
        Mark(testDescription: "{}", says: "is not in the trash; \"sbfs trash"),
        Mark(testDescription: #"{"tags": ["trashcan"]}"#, says: "has only one of the two marks of the trash"),
        Mark(testDescription: #"{"trashedAt": "2020-01-01"}"#, says: "has only one of the two marks of the trash"),
    ]

    @Test(arguments: marks)
    func `an item without both marks is never purged`(mark: Mark) throws {
        try sandbox.plant(id, mark.testDescription)
        let run = try sandbox.sbfs("purge", id, "--now", "--yes", exits: 1)
        #expect(run.err.contains("\(id.suffix(8)) \(mark.says)"))
        #expect(try sandbox.sbfs("purge", "--now", "--yes").err.contains("the trash is empty"))
        #expect(try sandbox.itemText(id) == mark.testDescription)
        #expect(!sandbox.scratch.exists(tombstone))
    }

    @Test func `a query purges several, and some may stay`() throws {
        let second = try sandbox.snippet("second")
        try trashLongAgo(id)
        try sandbox.sbfs("trash", second)
        let run = try sandbox.sbfs("purge", "-q", "is:trashed", "--yes", exits: 4)
        #expect(run.err.contains("\(second.suffix(8)) is due on "))
        #expect(try sandbox.ids("is:trashed") == [second])
    }

    @Test func `many items are counted in the question`() throws {
        for number in 1...12 { try sandbox.snippet("x", title: "Number \(number)", tags: "many") }
        try sandbox.sbfs("trash", "-q", "tag:many")
        let run = try sandbox.ask("purge", "--now", typing: "n\n", exits: 1)
        #expect(run.terminal.contains("  … and 2 more\r\nRemove these 12 items for good? [y/N]"))
        #expect(try sandbox.ids("is:trashed").count == 12)
    }

    @Test func `a purged item that a replica brings back stays hidden unless it was changed`() throws {
        try sandbox.sbfs("trash", id)
        try sandbox.shell("cp -a '\(sandbox.scratch.full(sandbox.folder(id)))' '\(sandbox.desk)/copy'")
        try sandbox.sbfs("purge", id, "--now", "--yes")
        try sandbox.shell("cp -a '\(sandbox.desk)/copy' '\(sandbox.scratch.full(sandbox.folder(id)))'")
        #expect(try sandbox.ids("trashcan OR not trashcan").isEmpty)
        try sandbox.plant(id, #"{"title": "Back"}"#)
        #expect(try sandbox.ids() == [id])
    }

    @Test func `JSON is an array for any number of items to purge`() throws {
        #expect(try sandbox.sbfs("purge", "--json").array().isEmpty)
        try sandbox.sbfs("trash", id)
        #expect(try sandbox.sbfs("purge", "--json").array().isEmpty)
        let results = try sandbox.sbfs("purge", id, "--now", "--yes", "--json").array()
        #expect(results.first?["result"] as? String == "changed")
    }
}
