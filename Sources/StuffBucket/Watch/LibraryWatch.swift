internal import Files
internal import Items
internal import Synchronization

/// A watch of a library's files: it keeps the index equal to them, and tells what changed (`Library.changes`).
public final class LibraryWatch: Sendable {
    let hub = ChangeHub()
    let index: LibraryIndex
    let options: WatchOptions
    /// What programs saved a moment ago; `nil` if nothing notes its versions.
    let saves: RecentSaves?
    /// Whether the watch ends when nobody follows its changes any more.
    let endsWithFollowers: Bool

    struct State {
        var isStopped = false
        var end: Result<Void, WatchEnd>?
        var questions: [WatchQuestion] = []
        var status = WatchStatus()
    }

    let state = Mutex(State())
    let waker: Waker
    /// Those who only want to know whether the thread lives.
    private let signs = SignList()
    /// Ends a long comparison when the watch is stopped.
    let monitor: Monitor
    /// Woken at the end and when the watch becomes ready.
    private let progress: Waker

    init(_ index: LibraryIndex, _ options: WatchOptions, endsWithFollowers: Bool) throws(FileError) {
        self.index = index
        self.options = options
        self.endsWithFollowers = endsWithFollowers
        saves = options.keepsSaves ? RecentSaves(index.store) : nil
        // A thread that is busy with all files lives.
        monitor = Monitor { [signs] _, _ in signs.give() }
        waker = try Waker()
        progress = try Waker()
        try BackgroundThread.start { [self] in WatchLoop.run(self) }
    }

    /// What the watch does now.
    public var status: WatchStatus { state.withLock { $0.status } }

    /// Ends the watch. Changes that were seen are in the index; the last ones may be left to the next sweep.
    public func stop() {
        state.withLock { $0.isStopped = true }
        monitor.cancel()
        waker.wake()
    }

    /// Waits until the watch follows all files, or has ended.
    ///
    /// - Throws: `WatchEnd` if it ended by itself.
    public func waitUntilReady() throws(WatchEnd) {
        while true {
            let (phase, end) = state.withLock { ($0.status.phase, $0.end) }
            if let end { return try end.get() }
            if phase != .starting { return }
            _ = WaitForInput.on([progress.number], timeout: .milliseconds(100))
            progress.clear()
        }
    }

    /// Waits until the watch has ended.
    ///
    /// - Throws: `WatchEnd` if it ended by itself.
    public func waitUntilEnd() throws(WatchEnd) {
        while true {
            if let end = state.withLock({ $0.end }) { return try end.get() }
            _ = WaitForInput.on([progress.number], timeout: .milliseconds(500))
            progress.clear()
        }
    }

    /// Adds all changes that were made before this call to the index, without waiting for items to settle.
    ///
    /// - Parameter patience: the longest wait.
    /// - Returns: false if the index may be behind: the caller compares the files itself.
    public func catchUp(within patience: Duration = .milliseconds(50)) -> Bool {
        guard let question = try? WatchQuestion() else { return false }
        let isAsked = state.withLock { state in
            if state.end != nil || state.status.phase != .ready { return false }
            state.questions.append(question)
            return true
        }
        if !isAsked { return false }
        waker.wake()
        return question.answer(within: patience)
    }

    /// Whether the watch's thread does its work.
    func isResponding(within patience: Duration) -> Bool {
        guard let question = try? WatchQuestion() else { return false }
        signs.ask(question)
        waker.wake()
        return question.answer(within: patience)
    }

    /// Calls `body` with every change from now on, in this thread, until the watch ends.
    ///
    /// - Parameters:
    ///   - duration: the longest time; `nil` for any.
    ///   - body: gets the changes one by one.
    /// - Throws: `WatchEnd` if the watch ended by itself, and the error of `body`.
    public func forEachChange(for duration: Duration? = nil, _ body: (LibraryChange) throws -> Void) throws {
        let deadline = duration.map { ContinuousClock.now + $0 }
        let arrival = try Waker()
        let buffer = hub.join { arrival.wake() }
        defer { _ = hub.leave(buffer) }
        while true {
            let (changes, end) = buffer.takeNow()
            for change in changes { try body(change) }
            if changes.isEmpty, let end { return try end.get() }
            if changes.isEmpty {
                let left = deadline.map { $0 - .now }
                if let left, left <= .zero { return }
                _ = WaitForInput.on([arrival.number], timeout: left)
            }
            arrival.clear()
        }
    }

    // MARK: For the loop

    var isStopped: Bool { state.withLock { $0.isStopped } }

    func giveSigns() { signs.give() }

    func takeQuestions() -> [WatchQuestion] {
        state.withLock { state in
            defer { state.questions = [] }
            return state.questions
        }
    }

    func show(_ change: (inout WatchStatus) -> Void) {
        let isNew = state.withLock { state in
            let phase = state.status.phase
            change(&state.status)
            return state.status.phase != phase
        }
        if isNew { progress.wake() }
    }

    func finish(_ end: Result<Void, WatchEnd>) {
        let questions = state.withLock { state in
            state.end = end
            state.status.phase = .ended
            defer { state.questions = [] }
            return state.questions
        }
        for question in questions { question.reply(false) }
        index.watch.withLock { if $0 === self { $0 = nil } }
        hub.finish(end)
        progress.wake()
    }
}

/// Those who wait for a sign that a watch lives.
private final class SignList: Sendable {
    private let waiting = Mutex<[WatchQuestion]>([])

    func ask(_ question: WatchQuestion) { waiting.withLock { $0.append(question) } }

    func give() {
        let all = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for question in all { question.reply(true) }
    }
}

/// Somebody who waits until the index has all changes.
final class WatchQuestion: Sendable {
    private let waker: Waker
    private let isCurrent = Mutex<Bool?>(nil)

    init() throws(FileError) { waker = try Waker() }

    func reply(_ isCurrent: Bool) {
        self.isCurrent.withLock { $0 = isCurrent }
        waker.wake()
    }

    func answer(within patience: Duration) -> Bool {
        _ = WaitForInput.on([waker.number], timeout: patience)
        return isCurrent.withLock { $0 } ?? false
    }
}

extension Library {
    /// Begins to watch the library, or returns the watch that exists.
    ///
    /// - Parameter options: ignored if the library is watched already.
    /// - Throws: `WatchEnd.noIndex`; `FileError` if the system has no more threads or descriptors.
    public func watch(_ options: WatchOptions) throws -> LibraryWatch { try watch(options, endsWithFollowers: false) }

    /// The watch for `changes`, which ends when nobody follows.
    func watch() throws -> LibraryWatch { try watch(WatchOptions(), endsWithFollowers: true) }

    private func watch(_ options: WatchOptions, endsWithFollowers: Bool) throws -> LibraryWatch {
        guard let index else { throw WatchEnd.noIndex(path: path) }
        return try index.watch.withLock { current in
            if let watch = current, watch.state.withLock({ $0.end == nil && !$0.isStopped }) { return watch }
            let watch = try LibraryWatch(index, options, endsWithFollowers: endsWithFollowers)
            current = watch
            return watch
        }
    }
}
