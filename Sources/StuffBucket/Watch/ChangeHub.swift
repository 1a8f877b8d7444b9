internal import Items
internal import Synchronization

/// Hands changes to all that follow them.
final class ChangeHub: Sendable {
    private struct State {
        var buffers: [Int: ChangeBuffer] = [:]
        var nextNumber = 0
        var end: Result<Void, WatchEnd>?
    }

    private let state = Mutex(State())

    /// Begins to keep changes for a follower.
    ///
    /// - Parameter tell: called when the buffer gets changes or its end, from any thread.
    func join(_ tell: (@Sendable () -> Void)? = nil) -> ChangeBuffer {
        let buffer = ChangeBuffer(tell)
        let end = state.withLock { state in
            state.buffers[state.nextNumber] = buffer
            buffer.number.withLock { $0 = state.nextNumber }
            state.nextNumber += 1
            return state.end
        }
        if let end { buffer.finish(end) }
        return buffer
    }

    /// - Returns: whether nobody follows any more.
    func leave(_ buffer: ChangeBuffer) -> Bool {
        state.withLock { state in
            state.buffers[buffer.number.withLock { $0 }] = nil
            return state.buffers.isEmpty
        }
    }

    var followerCount: Int { state.withLock { $0.buffers.count } }

    func send(_ changes: [LibraryChange]) {
        if changes.isEmpty { return }
        for buffer in state.withLock({ Array($0.buffers.values) }) { buffer.add(changes) }
    }

    func finish(_ end: Result<Void, WatchEnd>) {
        let buffers = state.withLock { state in
            state.end = end
            return Array(state.buffers.values)
        }
        for buffer in buffers { buffer.finish(end) }
    }
}

/// Changes that a follower has not taken yet. Several changes of one item become one, so a follower that is slow misses
/// nothing and the buffer stays small; beyond a limit, all become `everything`.
final class ChangeBuffer: Sendable {
    let number = Mutex(0)
    private static let limit = 20_000

    private struct State {
        var changes: [LibraryChange] = []
        /// The place in `changes` of the last change of an item's fields and files.
        var places: [ItemID: Int] = [:]
        var waiting: CheckedContinuation<Void, Never>?
        var end: Result<Void, WatchEnd>?
    }

    private let state = Mutex(State())
    private let tell: (@Sendable () -> Void)?

    init(_ tell: (@Sendable () -> Void)? = nil) { self.tell = tell }

    func add(_ changes: [LibraryChange]) {
        wake { state in
            for change in changes { Self.add(change, &state) }
            if state.changes.count > Self.limit {
                state.changes = [.everything]
                state.places = [:]
            }
        }
    }

    private static func add(_ change: LibraryChange, _ state: inout State) {
        if case .changed(let id, let details) = change {
            if let place = state.places[id], case .changed(let id, var before) = state.changes[place] {
                before.add(details)
                state.changes[place] = .changed(id, before)
                return
            }
            state.places[id] = state.changes.count
        } else if let id = change.item {
            // A later change of the fields does not move to before this one.
            state.places[id] = nil
        }
        state.changes.append(change)
    }

    func finish(_ end: Result<Void, WatchEnd>) { wake { $0.end = $0.end ?? end } }

    private func wake(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state in
            body(&state)
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
        tell?()
    }

    /// All changes so far, without waiting, and the end if there are none any more.
    func takeNow() -> (changes: [LibraryChange], end: Result<Void, WatchEnd>?) {
        state.withLock { state in
            defer {
                state.changes = []
                state.places = [:]
            }
            return (state.changes, state.end)
        }
    }

    /// All changes so far; waits for one. `nil` at the end or when the task is cancelled.
    func take() async throws(WatchEnd) -> [LibraryChange]? {
        while true {
            let found: Result<[LibraryChange]?, WatchEnd>? = state.withLock { state in
                if !state.changes.isEmpty {
                    defer {
                        state.changes = []
                        state.places = [:]
                    }
                    return .success(state.changes)
                }
                return state.end.map { $0.map { nil } }
            }
            if let found { return try found.get() }
            if Task.isCancelled { return nil }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        if !state.changes.isEmpty || state.end != nil || Task.isCancelled { return true }
                        state.waiting = continuation
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            } onCancel: {
                wake { _ in }
            }
        }
    }
}
