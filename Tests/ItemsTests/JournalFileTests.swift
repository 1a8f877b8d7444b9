import Files
import Glibc
import JSONFormat
import TestSupport
import Testing
import Time

@testable import Items

/// The files of the journal: torn, foreign, damaged or too many.
struct JournalFileTests {
    let library: TestLibrary
    var store: ItemStore { library.store }
    var session: WriteSession { library.session }

    init() throws { library = try TestLibrary() }

    private func folder() throws -> JournalFolder { try #require(try JournalFolder(in: store)) }

    private func path(_ number: Int) -> String { log + "/" + JournalFormat.name(number) }

    /// The journal's folder.
    private var log: String {
        let name = try? store.device.map { try Owner(of: $0.directory, adoptedAt: .now).journalName }
        return ".sbfs/" + (name ?? "none")
    }

    /// A step that gives one item a title and a text, and adds another.
    private func sample() throws -> Int {
        let stored = try library.add {
            $0.title = "a"
            $0.text = Array("one".utf8)
        }
        session.keepJournal(StepHeader(command: "sbfs sample"))
        defer { session.endStep() }
        var edit = ItemEdit(base: stored.json)
        edit.set(.title, .string("b"))
        try session.update(stored, edit)
        try session.updateText(library.item(stored.id), .append(Array("two".utf8)))
        _ = try library.add()
        return try #require(session.stepNumber)
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
        let header = try #require(bytes.firstIndex(of: 0x0A))
        for place in bytes.indices {
            var damaged = bytes
            damaged[place] ^= 0x10
            try library.scratch.write(path(number), damaged)
            guard let step = try StepContents(number, in: folder()) else { continue }
            #expect(step.ids.count <= whole.ids.count)
            // Only the end itself can be damaged so that the step looks like one of a killed command.
            #expect(step.isDamaged || step.end == nil || place <= header)
            _ = session.undo(step, isDryRun: true)
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
        session.keepJournal(StepHeader(command: "x"))
        try session.beginStep()
        let number = try #require(session.stepNumber)
        try session.journal { .document(stored.id, old: .init(name: "x.txt", kept: "../../owner"), new: nil) }
        session.endStep()
        let step = try #require(try StepContents(number, in: folder()))
        guard case .failure? = session.undo(step).first?.result else {
            Issue.record("not refused")
            return
        }
        #expect(try library.item(stored.id).document == nil)
    }

    @Test func `processes that begin at once have steps of their own`() throws {
        let scratch = library.scratch
        try Workers.run(16, threads: 8) { index in
            let session = WriteSession(try ItemStore(path: scratch.path))
            session.keepJournal(StepHeader(command: "step \(index)"))
            try session.beginStep()
            session.endStep()
        }
        let steps = try StepList(folder()).steps
        #expect(Set(steps.map(\.header.command)).count == 16)
        #expect(steps.map(\.number) == Array(1...16))
    }

    @Test func `the oldest steps go, by number and by bytes, and the latest stays`() throws {
        for number in 1...JournalFormat.limits.stepCount + 5 {
            try library.scratch.write(path(number), StepHeader(command: "x").line)
        }
        // Holes in files count with their full size.
        let large = try Directory(path: library.scratch.full(log))
        let last = JournalFormat.limits.stepCount + 5
        for number in [last - 3, last] {
            try library.scratch.makeDirectory(path(number) + ".files")
            let file = try large.createFile(JournalFormat.name(number) + ".files/1")
            try file.truncate(to: JournalFormat.limits.byteCount + 1)
        }
        _ = try Journal(StepHeader(command: "new"), in: large.duplicate())
        #expect(try folder().numbers().count == JournalFormat.limits.stepCount)
        #expect(try folder().numbers().first == 7)
        JournalFolder.tidyBytes(large)
        #expect(try folder().numbers() == [last + 1])
        #expect(try library.scratch.names(log) == [JournalFormat.name(last + 1)])
    }

    @Test func `a long command line is shortened`() {
        let header = StepHeader(command: String(repeating: "a", count: 5000))
        #expect(header.command.count == JournalFormat.commandLimit)
        #expect(StepHeader(line: header.line)?.command == header.command)
    }

    @Test func `if the folder cannot be used, the change is made and the fault reported`() throws {
        let stored = try library.add { $0.title = "a" }
        try library.scratch.link(log, to: "/tmp")
        session.keepJournal(StepHeader(command: "x"))
        var edit = ItemEdit(base: stored.json)
        edit.set(.title, .string("b"))
        try session.update(stored, edit)
        #expect(try library.item(stored.id).item.title == "b")
        #expect(store.takeNotices().count == 1)
        #expect(session.stepNumber == nil)
    }

    @Test func `a journal that another device left is not believed, and this folder's own stays`() throws {
        _ = try sample()
        try library.scratch.write(".sbfs/owner", "{}")
        try library.scratch.write(".sbfs/log-0123456789abcdef/00000001", StepHeader(command: "x").line)
        // The owner of an earlier program's journal is unknown.
        try library.scratch.write(".sbfs/log/00000001", StepHeader(command: "x").line)
        let store = try ItemStore(path: library.scratch.path)
        let found = try #require(try JournalFolder(in: store))
        #expect(try StepList(found).steps.map(\.header.command) == ["sbfs sample"])
        let journals = try library.scratch.names(".sbfs").filter { $0.hasPrefix("log") }.map { ".sbfs/" + $0 }
        #expect(Set(journals) == [log, ".sbfs/log-0123456789abcdef"])
    }

    @Test func `nothing is begun where nothing changes`() throws {
        session.keepJournal(StepHeader(command: "x"))
        let stored = try library.stored(#"{"title": "a"}"#)
        var edit = ItemEdit(base: stored.json)
        edit.set(.title, .string("a"))
        #expect(try !session.update(stored, edit))
        session.endStep()
        #expect(!library.scratch.exists(log))
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

    @Test func `a killed undo must run again, and is redone with the one that followed`() throws {
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

    // MARK: Other entries

    @Test(arguments: ["FIFO", "folder", "link", "link to nothing", "socket's number beyond all"])
    func `an entry with a step's name that is no file does not stop reading or writing`(_ kind: String) throws {
        let number = try sample()
        let other = path(number + 1)
        switch kind {
        case "FIFO": try library.scratch.makeFIFO(other)
        case "folder": try library.scratch.write(other + "/inside", "x")
        case "link": try library.scratch.link(other, to: library.scratch.full(path(number)))
        case "link to nothing": try library.scratch.link(other, to: "nowhere")
        default: try library.scratch.write(log + "/9223372036854775807", "x")
        }
        #expect(try StepList(folder()).steps.map(\.number) == [number])
        #expect(try folder().strays().count == 1)
        let step = try #require(try StepContents(number, in: folder()))
        session.keepJournal(StepHeader(command: "undo"))
        #expect(session.undo(step).allSatisfy { (try? $0.result.get()) == true })
        session.endStep()
        #expect(try StepList(folder()).steps.count == 2)
        try folder().clear()
        #expect(try library.scratch.names(log) == [])
    }

    // MARK: Copies

    private func commands() throws -> [String] { try StepList(folder()).steps.map(\.header.command) }

    /// Copies a folder's files over another one's, as `cp -a` and rsync do.
    private func copy(_ source: String, over target: String) throws {
        #expect(system("cp -a '\(source)/.' '\(target)/'") == 0)
    }

    @Test func `the journal survives a copy of another library's folder over ours`() throws {
        _ = try sample()
        let other = try TestLibrary()
        other.session.keepJournal(StepHeader(command: "sbfs elsewhere"))
        _ = try other.add()
        other.session.endStep()
        try copy(other.scratch.full(".sbfs"), over: library.scratch.full(".sbfs"))
        let store = try library.reopened()
        let folder = try #require(try JournalFolder(in: store))
        #expect(try StepList(folder).steps.map(\.header.command) == ["sbfs sample"])
        // The other folder's journal stays for it, and is not read here.
        #expect(try library.scratch.names(".sbfs").filter { $0.hasPrefix("log") }.count == 2)
        let session = WriteSession(store)
        session.keepJournal(StepHeader(command: "sbfs later"))
        try session.add([NewItem(kind: .snippet)])
        session.endStep()
        #expect(try StepList(folder).steps.map(\.number) == [1, 2])
    }

    @Test func `a journal of an earlier program keeps its steps and gets its name`() throws {
        let number = try sample()
        try library.scratch.rename(log, to: ".sbfs/log")
        #expect(try commands() == ["sbfs sample"])
        #expect(!library.scratch.exists(".sbfs/log"))
        #expect(library.scratch.exists(path(number)))
        let step = try #require(try StepContents(number, in: folder()))
        #expect(session.undo(step).allSatisfy { (try? $0.result.get()) == true })
    }

    @Test func `a copy of the whole library elsewhere begins a journal of its own`() throws {
        _ = try sample()
        let copied = try ScratchDirectory()
        try copy(library.path, over: copied.path)
        let store = try ItemStore(path: copied.path)
        #expect(try JournalFolder(in: store) == nil)
        #expect(try commands() == ["sbfs sample"])
    }

    // MARK: Tampering

    /// Writes a step with these records, as anybody with write access to `.sbfs` could.
    private func plant(_ records: [String]) throws -> StepContents {
        let number = try sample() + 1
        var bytes = StepHeader(command: "planted").line
        for record in records { bytes += JournalFormat.frame(json: Array(record.utf8), further: []) }
        try library.scratch.write(path(number), bytes)
        return try #require(try StepContents(number, in: folder()))
    }

    @Test func `a planted step changes no id`() throws {
        let stored = try library.add { $0.title = "a" }
        let other = ItemID.make()
        let step = try plant([
            #"{"item":"\#(stored.id)","old":{"id":"\#(other)","updatedAt":"2000-01-01T00:00:00.000Z","title":"b"},"#
                + #""new":{"id":"\#(stored.id)","title":"a"}}"#
        ])
        _ = session.undo(step)
        let now = try library.item(stored.id)
        #expect(now.item.title == "b")
        #expect(try !library.text(stored, "item.json").contains(other.description))
        #expect(try !library.text(stored, "item.json").contains("2000-01-01"))
    }

    @Test func `a planted step does not bring a library.json that this version cannot write`() throws {
        let old = try library.scratch.bytes("library.json")
        let new = Array(
            String(decoding: old, as: UTF8.self).replacing("\"format\": 1", with: "\"format\": 99").utf8)
        try #require(new != old)
        let number = try sample() + 1
        let record = JournalRecord.bytes(.file("library.json"), old: .init(new), new: .init(old))
        try library.scratch.write(path(number), StepHeader(command: "planted").line + record.frame)
        let step = try #require(try StepContents(number, in: folder()))
        let results = session.undo(step)
        #expect(results.count == 1)
        #expect(throws: ItemError.self) { try results[0].result.get() }
        #expect(try library.scratch.bytes("library.json") == old)
    }

    @Test(arguments: [
        "../outside.json", "tags/../../outside.json", "items/x.json", "tags/a/b.json", "/etc/x.json", ".sbfs/owner",
        "tags/.x.json", "items/00/x.json", "library.json/x",
    ])
    func `a planted step writes to no other file`(_ path: String) throws {
        let before = try library.snapshot()
        let bytes = Array("{}".utf8), hash = StagedName.hash(bytes)
        let record = #"{"file":"\#(path)","oldByteCount":2,"oldHash":"\#(hash)"}"#
        let number = 1
        session.keepJournal(StepHeader(command: "none"))
        try session.beginStep()
        session.endStep()
        try library.scratch.write(
            self.path(number),
            StepHeader(command: "planted").line
                + JournalFormat.frame(json: Array(record.utf8), further: bytes))
        let step = try #require(try StepContents(number, in: folder()))
        #expect(session.undo(step).isEmpty)
        #expect(try library.snapshot() == before)
    }
}
