import Files
import Items
import StuffBucket
import TestSupport
import Testing

/// The step in DeviceFiles.md § D6 is read as described, and written with the same bytes.
struct JournalExampleTests {
    private func example() throws -> String {
        let lines = try FormatDocument(.deviceFiles).lines
        let behind = lines.drop { !$0.hasPrefix("## D6") }.drop { $0 != "```text" }.dropFirst()
        return behind.prefix { $0 != "```" }.map { $0 + "\n" }.joined()
    }

    private func store(_ scratch: ScratchDirectory) throws -> ItemStore {
        _ = try ItemStore.create(at: scratch.path, name: "x", isForced: true)
        return try ItemStore(path: scratch.path)
    }

    @Test func `the example reads as one change with an end`() throws {
        let scratch = try ScratchDirectory()
        let store = try store(scratch)
        try scratch.write(".sbfs/log/00000001", try example())
        let folder = try #require(try JournalFolder(in: store))
        let step = try #require(try StepContents(1, in: folder))
        #expect(step.header.command == "sbfs title @1 New")
        #expect(step.ids.map(\.description) == ["01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"])
        #expect(step.end?.items == 1)
        #expect(try StepList(folder).undoable.map(\.number) == [1])
    }

    @Test func `sbfs writes the records of the example`() throws {
        let scratch = try ScratchDirectory()
        let id = "01a19b7c-a680-7000-8f3e-5d2c9b7a61c4"
        try scratch.write("items/c4/\(id)/item.json", #"{"title": "Old", "tags": ["a"]}"#)
        let store = try store(scratch)
        let number = try #require(ItemID(id))
        let session = WriteSession(store)
        session.keepJournal(StepHeader(command: "sbfs title @1 New"))
        let stored = try #require(try store.item(number))
        var edit = ItemEdit(base: stored.json)
        edit.set(.title, .string("New"))
        edit.set(.description, .string("Both new"))
        try session.update(stored, edit)
        session.endStep()
        let folder = try #require(try scratch.names(".sbfs").first { $0.hasPrefix("log-") })
        let written = try scratch.text(".sbfs/\(folder)/00000001").split(separator: "\n").dropFirst()
        let expected = try example().split(separator: "\n").dropFirst()
        #expect(written == expected)
    }
}
