public import Items

/// The steps of this device: what was changed here, and which of it is undone.
public struct History {
    private let folder: JournalFolder
    private let list: StepList

    init(_ folder: JournalFolder) throws(ItemError) {
        self.folder = folder
        list = try StepList(folder)
    }

    /// All steps, rising by their numbers.
    public var steps: [StepList.Step] { list.steps }

    /// A step by its number, or `nil`.
    public func step(_ number: Int) -> StepList.Step? { list.step(number) }

    /// Steps that can be undone, the latest first: what a person did, as far as it stands.
    public var undoable: [StepList.Step] { list.undoable }

    /// What the last undo undid, and all steps that did it, the latest first; `nil` if nothing was undone, or something was
    /// done since.
    public var redoable: (steps: [Int], undoers: [Int])? { list.redoable }

    /// All that a step tells; `nil` if there is no such step.
    public func contents(of number: Int) throws(ItemError) -> StepContents? { try StepContents(number, in: folder) }

    /// How a step ended, and whether the command that makes it still runs; `nil` if there is no such step.
    ///
    /// Neither means that the command was killed.
    public func state(of number: Int) throws(ItemError) -> (end: StepEnd?, isRunning: Bool)? {
        guard var reader = try StepReader(number, in: folder) else { return nil }
        let end = try reader.end()
        return (end, end == nil && reader.isRunning)
    }

    /// Names in the journal's folder that are none of its own; nothing is read from them.
    public func strays() throws(ItemError) -> [String] { try folder.strays() }

    /// Forgets every step, and the earlier texts and documents that they keep.
    public func clear() throws(ItemError) { try folder.clear() }
}

extension Library {
    /// What was changed on this device; `nil` where nothing was, or nothing can be.
    public func history() throws -> History? { try JournalFolder(in: store).map { try History($0) } }

    /// Whether an item shows any of the changes that a step records for it. It shows none if they were never made, or
    /// were undone.
    public func isReversible(_ step: StepContents, _ id: ItemID, in stored: StoredItem) -> Bool {
        session.isReversible(step, id, in: stored)
    }
}
