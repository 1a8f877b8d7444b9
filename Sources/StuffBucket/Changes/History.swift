public import Items

/// The steps of this device: the changes made here, and which of them are undone.
public struct History: Sendable {
    private let folder: JournalFolder
    private let list: StepList

    init(_ folder: JournalFolder) throws(ItemError) {
        self.folder = folder
        list = try StepList(folder)
    }

    /// All steps, in rising order of their numbers.
    public var steps: [StepList.Step] { list.steps }

    /// A step by its number, or `nil`.
    public func step(_ number: Int) -> StepList.Step? { list.step(number) }

    /// A person's steps that can be undone, the latest first.
    public var undoable: [StepList.Step] { list.undoable }

    /// The steps that the last undo undid, and all steps that undid them, the latest first; `nil` if nothing was
    /// undone, or another step came later.
    public var redoable: (steps: [Int], undoers: [Int])? { list.redoable }

    /// All records of a step; `nil` if there is no such step.
    ///
    /// - Throws: `ItemError.file` if the journal cannot be read.
    public func contents(of number: Int) throws(ItemError) -> StepContents? { try StepContents(number, in: folder) }

    /// The folder with the files that a step replaced and kept, without their names; `nil` if it kept none.
    public func keptFiles(of number: Int) -> String? { folder.keptFiles(of: number) }

    /// The file of a step.
    func path(of number: Int) -> String { folder.path(of: number) }

    /// How a step ended, and whether its command still runs; `nil` if there is no such step.
    ///
    /// Without an end, and not running, the command was killed.
    ///
    /// - Throws: `ItemError.file` if the journal cannot be read.
    public func state(of number: Int) throws(ItemError) -> (end: StepEnd?, isRunning: Bool)? {
        guard var reader = try StepReader(number, in: folder) else { return nil }
        let end = try reader.end()
        return (end, end == nil && reader.isRunning)
    }

    /// Names in the journal's folder that do not belong to it; they are not read.
    ///
    /// - Throws: `ItemError.file` if the journal's folder cannot be read.
    public func strays() throws(ItemError) -> [String] { try folder.strays() }

    /// Removes every step, with the earlier texts and documents that they keep.
    ///
    /// - Throws: `ItemError`: `locked` if another program writes, `file` if a step cannot be removed.
    public func clear() throws(ItemError) { try folder.clear() }
}

extension Library {
    /// The changes made on this device; `nil` if there were none, or the library cannot be changed.
    ///
    /// - Throws: `ItemError` if the journal cannot be read.
    public func history() throws -> History? { try JournalFolder(in: store).map { try History($0) } }

    /// Whether an item shows any of the changes that a step records for it. It shows none if they were never made or
    /// are undone.
    public func isReversible(_ step: StepContents, _ id: ItemID, in stored: StoredItem) -> Bool {
        session.isReversible(step, id, in: stored)
    }
}
