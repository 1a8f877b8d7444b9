import Files
import JSONFormat
import TestSupport
import Testing
import Time

@testable import Items

/// Steps that sbfs begins by itself.
struct BackgroundStepTests {
    let library: TestLibrary
    private var session: WriteSession { library.session }

    init() throws { library = try TestLibrary() }

    private func folder() throws -> JournalFolder { try #require(try JournalFolder(in: library.store)) }

    /// Makes a step that changes something.
    @discardableResult
    private func step(_ command: String = "x", isBackground: Bool, at time: Timestamp = .now) throws -> ItemID {
        var header = StepHeader(time: time, command: command)
        header.isBackground = isBackground
        session.keepJournal(header)
        defer { session.endStep() }
        return try library.add { $0.title = command }.id
    }

    /// Writes files of steps as a writer leaves them.
    private func fill(_ numbers: ClosedRange<Int>, isBackground: Bool, isMarked: Bool = true) throws {
        var header = StepHeader(command: "x")
        header.isBackground = isBackground
        let directory = try folder().directory.duplicate()
        for number in numbers {
            try directory.writeFile(JournalFormat.name(number), header.line + JournalRecord.end(StepEnd()).frame)
            if isBackground, isMarked {
                _ = try directory.createFile(JournalFormat.name(number) + JournalFormat.backgroundSuffix)
            }
        }
    }

    @Test func `background steps do not push out a person's, and have a limit of their own`() throws {
        try step(isBackground: false)
        let (own, background) = (JournalFormat.limits.stepCount, JournalFormat.backgroundLimits.stepCount)
        try fill(2...own, isBackground: false)
        try fill(own + 1...own + background + 40, isBackground: true)
        try step(isBackground: true)
        var steps = try StepList(folder()).steps
        #expect(steps.count { !$0.header.isBackground } == own)
        #expect(steps.first?.number == 1)
        #expect(steps.count { $0.header.isBackground } == background)
        try step(isBackground: false)
        steps = try StepList(folder()).steps
        #expect(steps.first?.number == 2)
        #expect(steps.count { !$0.header.isBackground } == own)
        #expect(steps.count { $0.header.isBackground } == background)
        // The marks of removed steps are gone with them.
        let marks = try folder().directory.entries().filter { $0.name.repaired.hasSuffix(".background") }
        #expect(marks.count == background)
        #expect(try folder().strays() == [])
    }

    @Test func `the bytes of background steps do not count as a person's`() throws {
        try step(isBackground: false)
        try fill(2...3, isBackground: true)
        let directory = try folder().directory.duplicate()
        for number in [2, 3] {
            try directory.makeDirectory(JournalFormat.name(number) + ".files")
            try directory.createFile(JournalFormat.name(number) + ".files/1").truncate(
                to: JournalFormat.limits.byteCount + 1)
        }
        JournalFolder.tidyBytes(directory)
        #expect(try folder().numbers() == [1, 3])
    }

    @Test func `undo and redo skip them`() throws {
        try step("mine", isBackground: false)
        try step("own", isBackground: true)
        #expect(try StepList(folder()).undoable.map(\.header.command) == ["mine"])
        var header = StepHeader(command: "undo")
        header.undoes = [1]
        session.keepJournal(header)
        try session.beginStep()
        session.endStep()
        try step("own", isBackground: true)
        #expect(try StepList(folder()).redoable?.steps == [1])
    }

    @Test func `a background step of an earlier program has no mark and is skipped all the same`() throws {
        try step(isBackground: false)
        try fill(2...2, isBackground: true, isMarked: false)
        let steps = try StepList(folder()).steps
        #expect(steps.map(\.header.isBackground) == [false, true])
        #expect(try StepList(folder()).undoable.map(\.number) == [1])
    }

    @Test func `clearing the journal removes the marks`() throws {
        try step(isBackground: true)
        #expect(try folder().directory.entries().count == 2)
        try folder().clear()
        #expect(try folder().directory.entries().count == 0)
    }

    // MARK: What was asked for here

    @Test func `an item that a step made or made wait was asked for here`() throws {
        let made = try step(isBackground: true)
        let elsewhere = try library.stored(#"{"linkURL": "https://example.org/"}"#)
        let waits = try library.stored(#"{"linkURL": "https://example.org/", "archiveStatus": "failed"}"#)
        session.keepJournal(StepHeader(command: "y"))
        var edit = ItemEdit(base: waits.json)
        edit.set(.archiveStatus, .string("pending"))
        try session.update(waits, edit)
        var title = ItemEdit(base: elsewhere.json)
        title.set(.title, .string("only a title"))
        try session.update(elsewhere, title)
        session.endStep()
        let ids: Set = [made, elsewhere.id, waits.id]
        #expect(try folder().requested(ids, since: .now.adding(seconds: -60)) == [made, waits.id])
        #expect(try folder().requested(ids, since: .now.adding(seconds: 60)) == [])
    }

    @Test func `a page that a living process saves is seen, that of a dead one is not`() throws {
        let id = ItemID.make()
        #expect(library.store.archivesInProgress() == [])
        let staged = try session.stageArchive(of: id)
        #expect(try library.reopened().archivesInProgress() == [id])
        session.discard(staged)
        #expect(library.store.archivesInProgress() == [])
        try library.scratch.makeDirectory(".sbfs/staging/0123456789abcdef/kept-0123456789abcdef-archive-\(id)")
        #expect(library.store.archivesInProgress() == [])
    }

    // MARK: Memory

    @Test func `what background work remembers survives, and a torn file is as none`() throws {
        var memory = BackgroundMemory()
        memory.archiveConsent = 812
        memory.told = ["purge", "archive"]
        memory.purgedAt = Timestamp(milliseconds: 1_795_256_100_123)
        try session.remember { $0 = memory }
        #expect(try WriteSession(library.reopened()).backgroundMemory == memory)
        #expect(try library.scratch.directory().statusIfPresent(of: ".sbfs/background")?.permissions == 0o600)
        for text in ["", "{", "[]", "\u{FF}", #"{"archiveConsent": -1, "told": 3, "purgedAt": "soon"}"#] {
            try library.scratch.write(".sbfs/background", text)
            #expect(session.backgroundMemory == BackgroundMemory(), "\(text)")
        }
    }

    @Test func `devices that wait for the same moment differ`() throws {
        let other = try TestLibrary()
        let ids = (0..<200).map { _ in ItemID.make() }
        let here = ids.map { library.store.spread(of: $0, below: 1800) }
        #expect(here == ids.map { library.store.spread(of: $0, below: 1800) })
        #expect(here.allSatisfy { (0..<1800).contains($0) })
        #expect(zip(here, ids.map { other.store.spread(of: $0, below: 1800) }).count { $0 == $1 } < 10)
    }

    @Test func `a record of the trash from a wrong clock does not count`() throws {
        let stored = try library.stored(#"{"tags": ["trashcan"], "trashedAt": "2026-01-01T00:00:00Z"}"#)
        let now = Timestamp.now
        try TrashLog.note([stored.id], at: now.adding(seconds: 70 * 365 * 86_400), in: library.store)
        #expect(TrashLog(in: library.store).due(stored.item, days: 10) == nil)
        try TrashLog.note([stored.id], at: now, in: library.store)
        #expect(TrashLog(in: library.store).due(stored.item, days: 10) == now.adding(seconds: 864_000))
    }
}
