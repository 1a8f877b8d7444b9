internal import Files
internal import JSONFormat
internal import Synchronization
public import Time

/// The first line of a step: its header.
public struct StepHeader: Sendable {
    /// When the step began.
    public var time: Timestamp
    /// The command line as it was typed, shortened.
    public var command: String
    /// Numbers of the steps that this one undoes.
    public var undoes: [Int] = []
    /// Numbers of the steps that this one redoes, and of the steps that undid them.
    public var redoes: [Int] = []
    /// Numbers of the steps that undid those in `redoes`.
    package var reverts: [Int] = []
    /// Whether sbfs itself started the step. Undoing the last step skips such steps.
    public var isBackground = false
    /// Whether the step may bring items of another library: nobody typed their links here.
    public var bringsItems = false

    /// Makes a header. A long command is cut and ends with `…`. Not by characters: one may have any number of marks.
    public init(time: Timestamp = .now, command: String) {
        self.time = time
        let scalars = command.unicodeScalars
        let isLong = scalars.count > JournalFormat.commandLimit
        self.command = isLong ? String(scalars.prefix(JournalFormat.commandLimit - 1)) + "…" : command
    }

    /// Whether the step is neither an undo nor a redo.
    public var isOrdinary: Bool { undoes.isEmpty && redoes.isEmpty }

    var line: [UInt8] {
        func numbers(_ numbers: [Int]) -> JSON? { numbers.isEmpty ? nil : .array(numbers.map(JSON.integer)) }
        var writer = JSONWriter(.oneLine)
        writer.write(
            .members([
                ("version", .integer(JournalFormat.version)), ("time", .string(time.rfc3339)),
                ("command", .string(command)), ("undoes", numbers(undoes)), ("redoes", numbers(redoes)),
                ("reverts", numbers(reverts)), ("background", isBackground ? .bool(true) : nil),
                ("brings", bringsItems ? .bool(true) : nil),
            ]))
        return writer.bytes + [0x0A]
    }

    /// - Returns: `nil` if the line is no header, or one of another version.
    init?(line: [UInt8]) {
        guard let json = try? JSONDocument(parsing: line) else { return nil }
        func member(_ key: String) -> JSONDocument.Value? { json.member(key, of: json.root) }
        guard let version = member("version").flatMap({ json.count($0) }), version == JournalFormat.version,
            let time = member("time").flatMap({ json.string($0) }).flatMap(Timestamp.init),
            let command = member("command").flatMap({ json.string($0) })
        else { return nil }
        self.init(time: time, command: command)
        func numbers(_ key: String) -> [Int] {
            member(key).map { json.elements($0).compactMap { json.count($0) } } ?? []
        }
        undoes = numbers("undoes")
        redoes = numbers("redoes")
        reverts = numbers("reverts")
        func flag(_ key: String) -> Bool { member(key).map { json.kind($0) == .true } ?? false }
        isBackground = flag("background")
        bringsItems = flag("brings")
    }
}

/// The step that this process writes: one file in the journal's folder, created by the first change.
///
/// Each record is appended in one write and not synced. The process holds a flock(2) lock on the file until the step
/// or the process ends. Safe from several threads.
final class Journal: Sendable {
    let number: Int
    private let folder: Directory
    private let state: Mutex<State>

    fileprivate struct State: ~Copyable {
        let number: Int
        let file: Descriptor
        /// The length of the whole records in bytes. Anything after them is from a failed write and is cut off.
        var byteCount: Int
        var recordCount = 0
        var keptCount = 0
        var isTorn = false
        var isEnded = false
        var added: Set<ItemID> = []
        /// The number of records for each item, and for each file.
        var changed: [ItemID: Int] = [:]
        var files: [String: Int] = [:]
        var lastingCount = 0

        init(number: Int, file: consuming Descriptor, byteCount: Int) {
            self.number = number
            self.file = file
            self.byteCount = byteCount
        }
    }

    /// Begins a step and removes the oldest steps above the limit.
    init(_ header: StepHeader, in journal: consuming Directory) throws(FileError) {
        folder = journal
        var listing = try JournalFolder.Listing(of: folder)
        let begun = try Self.begin(header, above: listing.numbers.last ?? 0, in: folder)
        number = begun.number
        state = Mutex(begun)
        // Without the mark, the step counts as a person's: one of theirs is removed a little earlier.
        if header.isBackground {
            _ = try? folder.createFile(JournalFormat.name(number) + JournalFormat.backgroundSuffix, permissions: 0o600)
        }
        listing.append(number, isBackground: header.isBackground)
        JournalFolder.tidy(folder, listing)
    }

    private static func begin(
        _ header: StepHeader, above last: Int, in folder: borrowing Directory
    ) throws(FileError) -> State {
        let line = header.line
        var number = last + 1
        while true {
            do throws(FileError) {
                let state = State(
                    number: number, file: try folder.createFile(JournalFormat.name(number), permissions: 0o600),
                    byteCount: line.count)
                state.file.lock()
                do throws(FileError) {
                    try state.file.write(line)
                } catch {
                    try? folder.removeFile(JournalFormat.name(number))
                    throw error
                }
                return state
            } catch let error where error.isTaken {
                // Another process began a step at the same moment.
                number += 1
            }
        }
    }

    /// Writes a record before its change is made.
    @discardableResult
    func append(_ record: JournalRecord) throws(FileError) -> Int {
        let frame = record.frame
        return try state.withLock { state throws(FileError) -> Int in
            try Self.write(frame, &state)
            state.count(record)
            return state.recordCount - 1
        }
    }

    /// Marks a record as void: its change was not made.
    func void(_ number: Int, _ record: JournalRecord) {
        let frame = JournalRecord.void(number).frame
        state.withLock { state in
            // If this write fails, undoing still finds that nothing changed.
            try? Self.write(frame, &state)
            state.uncount(record)
        }
    }

    private static func write(_ frame: [UInt8], _ state: inout State) throws(FileError) {
        // Readers stop at a torn record.
        if state.isTorn {
            try state.file.truncate(to: state.byteCount)
            state.isTorn = false
        }
        do throws(FileError) {
            try state.file.write(frame, at: state.byteCount)
        } catch {
            state.isTorn = true
            if (try? state.file.truncate(to: state.byteCount)) != nil { state.isTorn = false }
            throw error
        }
        state.byteCount += frame.count
        state.recordCount += 1
    }

    /// Gives a file a second name (a hard link) in the step's folder, which stays when the first is gone.
    func keep(_ name: String, of source: borrowing Directory) throws(FileError) -> String {
        let shelf = JournalFormat.name(number) + JournalFormat.folderSuffix
        try folder.makeDirectory(shelf, permissions: 0o700)
        let number = state.withLock { state in
            state.keptCount += 1
            return state.keptCount
        }
        let kept = String(number)
        let target = try folder.directory(shelf)
        try source.keep(name, in: target, as: kept)
        return kept
    }

    /// Writes the last record: the command finished.
    ///
    /// - Parameter left: for an undo, the number of items and files that it left unchanged.
    func end(left: Int) {
        let isLarge = state.withLock { state -> Bool in
            if state.isEnded { return false }
            state.isEnded = true
            let end = StepEnd(
                added: state.added.count, items: state.changed.keys.count { !state.added.contains($0) },
                files: state.files.count,
                lasting: state.lastingCount, left: left)
            // If this write fails, the step counts as unfinished.
            try? Self.write(JournalRecord.end(end).frame, &state)
            return state.byteCount > 1 << 20 || state.keptCount > 0
        }
        if isLarge { JournalFolder.tidyBytes(folder) }
    }
}

extension Journal.State {
    fileprivate mutating func count(_ record: JournalRecord) { count(record, 1) }

    /// Reverses `count` for a record.
    fileprivate mutating func uncount(_ record: JournalRecord) { count(record, -1) }

    private mutating func count(_ record: JournalRecord, _ one: Int) {
        func add<Key>(_ key: Key, _ counts: inout [Key: Int]) {
            let count = counts[key, default: 0] + one
            counts[key] = count > 0 ? count : nil
        }
        switch record {
        case .added(let items):
            let ids = items.map(\.id)
            if one > 0 { added.formUnion(ids) } else { added.subtract(ids) }
        case .fields(let id, _, _), .document(let id, _, _), .bytes(.text(let id), _, _), .moved(let id, _):
            add(id, &changed)
        case .bytes(.file(let path), _, _): add(path, &files)
        case .lasting(let id, _):
            add(id, &changed)
            lastingCount += one
        case .void, .end: break
        }
    }
}
