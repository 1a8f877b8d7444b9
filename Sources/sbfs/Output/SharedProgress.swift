import Synchronization

/// A progress bar that several threads use, one at a time.
final class SharedProgress: Sendable {
    private let bar = Mutex<Progress?>(nil)
    private let what: String
    private let talk: Talk

    init(_ what: String, _ talk: Talk) {
        self.what = what
        self.talk = talk
    }

    /// - Parameter total: the number at which the work is done, if known.
    func show(_ done: Int, _ total: Int? = nil) {
        bar.withLock { bar in
            if bar == nil { bar = Progress(what, total: total, talk: talk) }
            bar?.show(done)
        }
    }

    func clear() { bar.withLock { $0?.clear() } }
}
