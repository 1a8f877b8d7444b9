internal import Files
internal import Glibc
package import JSONFormat
internal import Synchronization

/// Whether this process keeps a journal.
enum JournalState: Sendable {
    /// No journal is kept.
    case off
    /// The first change begins the step.
    case planned(StepHeader)
    case open(Journal)
    /// The folder cannot be used; reported once.
    case refused
}

/// Identifies a written record, so that it can be marked void.
struct JournalMark: Sendable {
    let journal: Journal
    let number: Int
    let record: JournalRecord
}

extension WriteSession {
    /// Records all further changes as one step of the journal, which can be undone.
    package func keepJournal(_ header: StepHeader) {
        journalState.withLock { state in
            if case .open = state { return }
            state = .planned(header)
        }
    }

    /// Begins the step before anything is changed.
    package func beginStep() throws(ItemError) { _ = try openJournal() }

    /// The number of this process's step; `nil` before the first change.
    package var stepNumber: Int? {
        journalState.withLock { state in if case .open(let journal) = state { journal.number } else { nil } }
    }

    /// Ends the step. Later changes belong to another one.
    ///
    /// - Parameter left: for an undo, the number of items and files left unchanged.
    package func endStep(left: Int = 0) {
        let journal = journalState.withLock { state -> Journal? in
            defer { state = .off }
            return if case .open(let journal) = state { journal } else { nil }
        }
        journal?.end(left: left)
    }

    /// Writes a record before the change that it describes.
    ///
    /// - Returns: `nil` if no journal is kept, or there is nothing to record.
    /// - Throws: if the disk is full or fails. The change is then not made, since it could not be undone. An unusable
    ///   journal folder is reported and stops nothing.
    @discardableResult
    func journal(_ record: () throws(ItemError) -> JournalRecord?) throws(ItemError) -> JournalMark? {
        let journal = try openJournal()
        let witness = witness.withLock { $0 }
        if journal == nil, witness == nil { return nil }
        guard let record = try record() else { return nil }
        if let witness, let id = record.changedItem { witness.willChange(id) }
        guard let journal else { return nil }
        let number = try files { () throws(FileError) in try journal.append(record) }
        return JournalMark(journal: journal, number: number, record: record)
    }

    /// Records that the change was not made.
    func void(_ mark: JournalMark?) {
        if let mark { mark.journal.void(mark.number, mark.record) }
    }

    func openJournal() throws(ItemError) -> Journal? {
        try journalState.withLock { state throws(ItemError) -> Journal? in
            switch state {
            case .off, .refused: return nil
            case .open(let journal): return journal
            case .planned(let header):
                guard let device else { return nil }
                clockDoubt()
                do throws(FileError) {
                    guard let folder = try device.journal(isMade: true) else { return nil }
                    let journal = try Journal(header, in: folder)
                    state = .open(journal)
                    return journal
                } catch {
                    let isUnusable = error.isReadOnly || error.isEscape || error.isNoFolder
                    guard isUnusable else { throw .file(error) }
                    state = .refused
                    store.tell(.notUndoable(error))
                    return nil
                }
            }
        }
    }
}

extension JournalRecord {
    /// The item whose state changes and stays; `nil` for a new item, one that goes, and other files.
    fileprivate var changedItem: ItemID? {
        switch self {
        case .fields(let id, _, _), .document(let id, _, _), .moved(let id, _), .lasting(let id, .archive),
            .bytes(.text(let id), _, _):
            id
        case .added, .bytes, .lasting, .void, .end: nil
        }
    }

    /// The members of an item.json that differ; `nil` if only `updatedAt` does.
    static func fields(_ id: ItemID, from old: [UInt8], to new: [UInt8]) -> JournalRecord? {
        // A repaired file that did not parse before is not recorded: nobody wants to undo the repair.
        guard let before = try? JSONDocument(parsing: old), let after = try? JSONDocument(parsing: new),
            before.kind(before.root) == .object, after.kind(after.root) == .object
        else { return .lasting(id, .repair) }
        let parts = (before.part(unlike: after), after.part(unlike: before))
        guard let (old, new) = parts.0.flatMap({ old in parts.1.map { (old, $0) } }) else { return nil }
        return old.members(old.root).isEmpty && new.members(new.root).isEmpty ? nil : .fields(id, old: old, new: new)
    }
}

extension JSONDocument {
    /// The members that the other document lacks or has with another value, as an object; without `id` and `updatedAt`.
    package func part(unlike other: JSONDocument) -> JSONDocument? {
        let passedOver = [ItemField.id, .updatedAt].map { Array($0.key.utf8)[...] }
        let members = members(unlike: other).filter { !passedOver.contains(keyBytes($0.key)) }.map { key, value in
            JSON.Member(String(decoding: keyBytes(key), as: UTF8.self), copy(value))
        }
        return Self(object: members)
    }

    /// - Returns: `nil` if a key occurs twice, or the object is above a limit.
    package init?(object members: [JSON.Member]) {
        var writer = JSONWriter(.oneLine)
        writer.write(.object(members))
        try? self.init(parsing: writer.bytes)
    }
}
