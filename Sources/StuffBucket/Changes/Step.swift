public import Items
internal import Synchronization
public import Time

/// Changes of a library that are undone together. They form one step of the journal, and the index takes them in when
/// the step ends.
///
/// Every change is durable when its method returns. A step that changes nothing leaves nothing in the journal. If the
/// process dies within a step, every item is still whole, and `Library.undo` reverts the changes made so far.
///
/// Methods block until the files are written. They may be called from several threads. Within a step, the library answers
/// questions as always, and the answers include the step's changes; `Library.undo` throws `ItemError.stepIsOpen`.
public final class Step: Sendable {
    /// The library that the step changes.
    public let library: Library
    /// When the step began, as its header in the journal says.
    public let begunAt: Timestamp
    private let isEnded = Mutex(false)
    /// The paths of the conflicts that the step resolved, relative to the folder of their item.
    let resolutions = Mutex<[ItemID: [String]]>([:])

    /// The items that the step purged.
    let purged = Mutex<[ItemID]>([])
    /// The folders of small files in which the look before the step found nothing to do.
    private let settledFolders: [NamedFolder: Int64]

    var store: ItemStore { library.store }
    var session: WriteSession { library.session }

    init(_ library: Library, _ header: StepHeader) {
        self.library = library
        begunAt = header.time
        // Before the step changes one: what came is no change of the step.
        settledFolders = (try? library.session.joinArrivedSmallFiles(isNoting: false)) ?? [:]
        library.session.witness.withLock { $0 = library.replicas }
        library.session.keepJournal(header)
    }

    deinit { end() }

    /// Ends the step and updates the index. Later changes belong to another step.
    ///
    /// - Parameter left: for an undo, the number of items and files left unchanged.
    public func end(left: Int = 0) {
        let isFirst = isEnded.withLock { isEnded in
            defer { isEnded = true }
            return !isEnded
        }
        if !isFirst { return }
        let isBegun = library.session.stepNumber != nil
        library.session.endStep(left: left)
        library.session.witness.withLock { $0 = nil }
        library.replicas.endStep(resolved: resolutions.withLock { $0 })
        // An index that never had them would not say that they are gone.
        let gone = purged.withLock { $0 }
        if !gone.isEmpty { KnownStates(store)?.forget(gone) }
        if hasChanges {
            // The step's own changes are no other program's.
            library.index?.settle(purged: gone)
            library.lookAfterChange()
        }
        // What other devices brought is joined. What cannot be now waits for the next step.
        _ = try? library.replicas.settle()
        try? library.replicas.joinCopies(withTombstones: false, isNoting: isBegun, settled: settledFolders)
        library.settle()
        library.isStepOpen.withLock { $0 = false }
    }

    /// Whether anything changed since the index was last updated.
    public var hasChanges: Bool { !session.changes.isEmpty }

    /// Begins the step in the journal even if nothing may change: an undo that finds everything undone counts as one.
    func beginNow() throws { try session.beginStep() }

    /// Begins the step also if items were joined and nothing else happened: a join is no part of it, and `undo` says so. It would
    /// undo an older step, which the person does not mean.
    func noteJoined(_ report: MergeReport) { if !report.joined.isEmpty { try? beginNow() } }

    /// Releases the space reserved for the trash, so that a full disk does not stop it.
    public func makeRoom() { session.releaseReserve() }
}

extension Library {
    /// Begins a step. Only one can be open: end it before the next one.
    ///
    /// - Throws: `ItemError.stepIsOpen` while another one is open.
    public func begin(_ header: StepHeader) throws -> Step {
        let isFree = isStepOpen.withLock { isOpen in
            defer { isOpen = true }
            return !isOpen
        }
        if !isFree { throw ItemError.stepIsOpen }
        return Step(self, header)
    }

    /// Makes sure that something can be written, before a person is asked for what to write.
    ///
    /// - Throws: the `ItemError` that a change would throw where the library is read-only or damaged.
    public func requireWritable() throws(ItemError) { try session.requireWritable() }

    /// Makes changes as one step, which `undo` reverts together, and updates the index.
    ///
    /// - Parameters:
    ///   - command: the step's name in the list of steps: a command line, or a sentence.
    ///   - body: makes the changes. If it throws, the changes made so far stay and can be undone.
    /// - Throws: the error of `body`, and `ItemError.stepIsOpen` within another step.
    @discardableResult
    public func change<Result>(_ command: String, _ body: (Step) throws -> Result) throws -> Result {
        let step = try begin(StepHeader(command: command))
        defer { step.end() }
        return try body(step)
    }
}
