internal import Files

extension Library {
    /// Calls `body` with every change by any program as one line of JSON (`LibraryChange.json`), until `body` throws.
    ///
    /// Where another process watches the library (`LibraryDaemon`), it tells the changes; otherwise this process watches the files.
    /// If the other one ends or starts again, the first line after that says that everything may have changed.
    ///
    /// - Parameters:
    ///   - duration: the longest time; `nil` for any.
    ///   - body: gets the lines with their ends, in this thread.
    /// - Throws: `WatchEnd`, the errors of `Library.watch`, and the error of `body`.
    public func forEachChangeLine(for duration: Duration? = nil, _ body: ([UInt8]) throws -> Void) throws {
        let deadline = duration.map { ContinuousClock.now + $0 }
        var hasMissed = false
        while var lines = daemonChanges(after: hasMissed) {
            if hasMissed { try body(LibraryChange.everything.line) }
            hasMissed = true
            reading: while true {
                switch lines.next(within: deadline.map { $0 - .now }) {
                case .line(let line): try body(line + [0x0A])
                case .late: return
                case .ended: break reading
                }
            }
        }
        let left = deadline.map { $0 - .now }
        if let left, left <= .zero { return }
        let watch = try watch(WatchOptions())
        try watch.waitUntilReady()
        if hasMissed { try body(LibraryChange.everything.line) }
        try watch.forEachChange(for: left) { try body($0.line) }
    }

    /// The changes that the watching program tells.
    ///
    /// - Parameter isRestart: whether one told changes until now: it may only have read its settings again.
    private func daemonChanges(after isRestart: Bool) -> LocalLines? {
        guard let socket = WatchSocket(for: store) else { return nil }
        for attempt in 0..<(isRestart ? 20 : 1) {
            if attempt > 0 { _ = WaitForInput.on([], timeout: .milliseconds(100)) }
            if let lines = socket.changes() { return lines }
        }
        return nil
    }
}
