public import Items
private import Synchronization

/// Changes of a library that are undone together. They form one step of the journal, and the index takes them in at
/// once when the step ends.
///
/// Every change is durable when its method returns. A step that changes nothing leaves nothing in the journal. If the
/// process dies within a step, every item is still whole, and `Library.undo` reverts the changes made so far.
///
/// Methods block until the files are written. They may be called from several threads.
public final class Step: Sendable {
    /// The library that the step changes.
    public let library: Library
    private let isEnded = Mutex(false)

    var store: ItemStore { library.store }
    var session: WriteSession { library.session }

    init(_ library: Library, _ header: StepHeader) {
        self.library = library
        library.session.keepJournal(header)
    }

    deinit { end() }

    /// Ends the step, and the index takes its changes in. What is changed afterwards belongs to another step.
    ///
    /// - Parameter left: of an undo, how many items and files were left as they are.
    public func end(left: Int = 0) {
        let isFirst = isEnded.withLock { isEnded in
            defer { isEnded = true }
            return !isEnded
        }
        if !isFirst { return }
        library.session.endStep(left: left)
        library.settle()
        library.isStepOpen.withLock { $0 = false }
    }

    /// Whether anything was changed since the index last took changes in.
    public var hasChanges: Bool { !session.changes.isEmpty }

    /// Begins the step in the journal though nothing may be changed: an undo that finds all as it was counts all the same.
    func beginNow() throws { try session.beginStep() }

    /// Frees the space that is kept for the trash, so that a full disk does not stop it.
    public func makeRoom() { session.releaseReserve() }
}

extension Library {
    /// Begins a step. One at a time: end it before the next one.
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

    /// Makes changes as one step, which `undo` takes back as one; then the index takes them in.
    ///
    /// - Parameters:
    ///   - command: what the steps' list calls the step: the command line, or a sentence of the program.
    ///   - body: makes the changes. What it made before it throws stays, and can be undone.
    /// - Throws: what `body` throws, and `ItemError.stepIsOpen` within another step.
    @discardableResult
    public func change<Result>(_ command: String, _ body: (Step) throws -> Result) throws -> Result {
        let step = try begin(StepHeader(command: command))
        defer { step.end() }
        return try body(step)
    }
}
