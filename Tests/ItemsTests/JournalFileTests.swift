import Files
import JSONFormat
import TestSupport
import Testing
import Time

@testable import Items

/// The files of the journal: what is torn, foreign, damaged or too much.
struct JournalFileTests {
    let library: TestLibrary
    var store: ItemStore { library.store }

    init() throws { library = try TestLibrary() }

    private func folder() throws -> JournalFolder { try #require(try JournalFolder(in: store)) }

    private func path(_ number: Int) -> String { ".sbfs/log/" + JournalFormat.name(number) }

    /// A step of one item that gets a title and a text, and one new item.
    private func sample() throws -> Int {
        let stored = try library.add {
            $0.title = "a"
            $0.text = Array("one".utf8)
        }
        store.keepJournal(StepHeader(command: "sbfs sample"))
        defer { store.endStep() }
        var edit = ItemEdit(base: stored.json)
        edit.set(.title, .string("b"))
        try store.update(stored, edit)
        try store.updateText(library.item(stored.id), .append(Array("two".utf8)))
        _ = try library.add()
        return try #require(store.stepNumber)
    }

    @Test func `a step that is cut anywhere reads up to its last whole record`() throws {
        let number = try sample()
        let bytes = try library.scratch.bytes(path(number))
        var counts: [Int] = []
        for end in 0...bytes.count {
            try library.scratch.write(path(number), Array(bytes[..<end]))
            guard let step = try StepContents(number, in: folder()) else {
                counts.append(0)
                continue
            }
            counts.append(step.items.values.reduce(1) { $0 + $1.fields.count + $1.texts.count + ($1.isAdded ? 1 : 0) })
            #expect(step.end == nil || end == bytes.count)
        }
        #expect(counts == counts.sorted())
        #expect(counts.last == 4)
        #expect(Set(counts) == [0, 1, 2, 3, 4])
    }

    @Test func `a byte that is another one ends the step there`() throws {
        let number = try sample()
        let bytes = try library.scratch.bytes(path(number))
        let whole = try #require(try StepContents(number, in: folder()))
        for place in bytes.indices {
            var damaged = bytes
            damaged[place] ^= 0x10
            try library.scratch.write(path(number), damaged)
            guard let step = try StepContents(number, in: folder()) else { continue }
            #expect(step.ids.count <= whole.ids.count)
            _ = store.undo(step, isDryRun: true)
        }
    }

    @Test(arguments: [
        "", "\n", "{}", "{}\n", "{\"version\":2,\"time\":\"2026-11-21T10:15:00.123Z\",\"command\":\"x\"}\n", "[]\n",
    ])
    func `a file without a header of this version is no step`(_ text: String) throws {
        let number = try sample()
        try library.scratch.write(path(number), text)
        #expect(try StepContents(number, in: folder()) == nil)
        #expect(try StepList(folder()).steps.isEmpty)
    }

    @Test(arguments: [
        "9223372036854775807 9223372036854775807 0000000000000000\n", "40 999999999999999999 0000000000000000\n",
        "-1 0 0000000000000000\n", "1 1 0\n", " 1 0 0000000000000000\n", "0 0 0000000000000000\n",
    ])
    func `counts that cannot be are the end`(_ line: String) throws {
        let number = try sample()
        let header = StepHeader(command: "x").line
        try library.scratch.write(path(number), header + Array(line.utf8))
        #expect(try StepContents(number, in: folder())?.ids.isEmpty == true)
    }

    @Test(arguments: [
        #"{"file":"../outside.json","newByteCount":1,"newHash":"0000000000000000"}"#,
        #"{"file":"collections/../library.json","newByteCount":1,"newHash":"0000000000000000"}"#,
        #"{"file":"items/a.json","newByteCount":1,"newHash":"0000000000000000"}"#,
        #"{"file":"text.md","newByteCount":1,"newHash":"0000000000000000"}"#,
        #"{"item":"01a19b7c-a680-7000-8f3e-5d2c9b7a61c4","file":"page.html"}"#, #"{"unknown":1}"#, "[]", "{", "5",
    ])
    func `a record that names anything else is passed over`(_ json: String) throws {
        #expect(JournalRecord(json: Array(json.utf8)) == nil)
    }

    @Test func `a kept document is looked for in the step's folder alone`() throws {
        let stored = try library.add { $0.title = "a" }
        store.keepJournal(StepHeader(command: "x"))
        try store.beginStep()
        let number = try #require(store.stepNumber)
        try store.journal { .document(stored.id, old: .init(name: "x.txt", kept: "../../owner"), new: nil) }
        store.endStep()
        let step = try #require(try StepContents(number, in: folder()))
        guard case .failure? = store.undo(step).first?.result else {
            Issue.record("not refused")
            return
        }
        #expect(try library.item(stored.id).document == nil)
    }

    @Test func `processes that begin at once have steps of their own`() throws {
        let scratch = library.scratch
        try Workers.run(16, threads: 8) { index in
            let store = try ItemStore(path: scratch.path)
            store.keepJournal(StepHeader(command: "step \(index)"))
            try store.beginStep()
            store.endStep()
        }
        let steps = try StepList(folder()).steps
        #expect(Set(steps.map(\.header.command)).count == 16)
        #expect(steps.map(\.number) == Array(1...16))
    }

    @Test func `the oldest steps go, by number and by bytes, and the latest stays`() throws {
        let device = try #require(store.device)
        for number in 1...JournalFormat.stepLimit + 5 {
            try library.scratch.write(path(number), StepHeader(command: "x").line)
        }
        // Holes count as what they would be.
        let large = try Directory(path: library.scratch.full(".sbfs/log"))
        let last = JournalFormat.stepLimit + 5
        for number in [last - 3, last] {
            try library.scratch.makeDirectory(path(number) + ".files")
            let file = try large.createFile(JournalFormat.name(number) + ".files/1")
            try file.truncate(to: JournalFormat.byteLimit + 1)
        }
        _ = try Journal(StepHeader(command: "new"), in: device.directory)
        #expect(try folder().numbers().count == JournalFormat.stepLimit)
        #expect(try folder().numbers().first == 7)
        JournalFolder.tidyBytes(large)
        #expect(try folder().numbers() == [last + 1])
        #expect(try library.scratch.names(".sbfs/log") == [JournalFormat.name(last + 1)])
    }

    @Test func `a long command line is shortened`() {
        let header = StepHeader(command: String(repeating: "a", count: 5000))
        #expect(header.command.count == JournalFormat.commandLimit)
        #expect(StepHeader(line: header.line)?.command == header.command)
    }

    @Test func `where the folder cannot be used, the change is made and it is told`() throws {
        let stored = try library.add { $0.title = "a" }
        try library.scratch.link(".sbfs/log", to: "/tmp")
        store.keepJournal(StepHeader(command: "x"))
        var edit = ItemEdit(base: stored.json)
        edit.set(.title, .string("b"))
        try store.update(stored, edit)
        #expect(try library.item(stored.id).item.title == "b")
        #expect(store.takeTold().count == 1)
        #expect(store.stepNumber == nil)
    }

    @Test func `a journal that another device left is not believed`() throws {
        _ = try sample()
        try library.scratch.write(".sbfs/owner", "{}")
        let store = try ItemStore(path: library.scratch.path)
        #expect(try JournalFolder(in: store) == nil)
    }

    @Test func `nothing is begun where nothing changes`() throws {
        store.keepJournal(StepHeader(command: "x"))
        let stored = try library.stored(#"{"title": "a"}"#)
        var edit = ItemEdit(base: stored.json)
        edit.set(.title, .string("a"))
        #expect(try !store.update(stored, edit))
        store.endStep()
        #expect(!library.scratch.exists(".sbfs/log"))
    }

    // MARK: Which steps are undone

    private func write(_ steps: [(undoes: [Int], redoes: [Int], left: Int?)]) throws -> StepList {
        for (index, step) in steps.enumerated() {
            var header = StepHeader(command: "x")
            (header.undoes, header.redoes) = (step.undoes, step.redoes)
            var bytes = header.line
            if let left = step.left {
                var end = StepEnd()
                end.left = left
                bytes += JournalRecord.end(end).frame
            }
            try library.scratch.write(path(index + 1), bytes)
        }
        return try StepList(folder())
    }

    @Test func `undo and redo go back and forth as in an editor`() throws {
        let list = try write([
            ([], [], 0), ([], [], 0), ([], [], 0), ([3], [], 0), ([2], [], 0),
        ])
        #expect(list.steps.map(\.state) == [.done, .undone, .undone, .done, .done])
        #expect(list.undoable.map(\.number) == [1])
        #expect(list.redoable?.steps == [2])
        #expect(list.redoable?.undoers == [5])
        let redone = try write([
            ([], [], 0), ([], [], 0), ([], [], 0), ([3], [], 0), ([2], [], 0), ([], [2], 0),
        ])
        #expect(redone.redoable?.steps == [3])
        #expect(redone.undoable.map(\.number) == [2, 1])
    }

    @Test func `after something new nothing is done again`() throws {
        let list = try write([([], [], 0), ([1], [], 0), ([], [], 0)])
        #expect(list.redoable == nil)
        #expect(list.undoable.map(\.number) == [3])
    }

    @Test func `an undo that was killed is to be made again, and redone with the one that followed`() throws {
        let list = try write([([], [], 0), ([1], [], nil)])
        #expect(list.undoable.map(\.number) == [1])
        #expect(list.redoable == nil)
        let again = try write([([], [], 0), ([1], [], nil), ([1], [], 0)])
        #expect(again.redoable?.undoers == [3, 2])
    }

    @Test func `an undo that left items is undone in part, and not taken again`() throws {
        let list = try write([([], [], 0), ([], [], nil), ([2], [], 1)])
        #expect(list.steps.map(\.state) == [.done, .partlyUndone, .done])
        #expect(list.undoable.map(\.number) == [1])
        #expect(list.redoable?.steps == [2])
    }
}
