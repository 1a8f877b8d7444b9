internal import Glibc

/// A process that was started as the leader of a group of its own, until it has been waited for.
struct ProcessGroup {
    private let leader: pid_t
    private var status: Int32?

    init(leader: pid_t) { self.leader = leader }

    /// Kills all of it; does nothing if the leader has ended.
    mutating func kill() {
        if status != nil { return }
        Glibc.kill(-leader, SIGKILL)
        Glibc.kill(leader, SIGKILL)
        wait()
    }

    /// Waits until the leader ends.
    ///
    /// - Returns: its exit code, or 128 and the number of the signal that killed it.
    @discardableResult
    mutating func wait() -> Int32 {
        if let status { return status }
        let ended = ProcessEnd.wait(for: leader) ?? 0
        status = ended
        return ended
    }
}
