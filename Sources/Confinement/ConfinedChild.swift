internal import CConfinement
internal import Files
internal import Glibc

/// A copy of this process that does one thing and ends. Only for processes with one thread.
package struct ConfinedChild: Sendable {
    package let process: Int32

    /// Makes the copy. `body` runs in it and returns its exit code. The copy dies with this process.
    ///
    /// - Throws: `Failure` if the system cannot make another process.
    package static func start(_ body: () -> Int32) throws(Failure) -> ConfinedChild {
        let process = cconfinement_fork()
        if process < 0 { throw Failure(number: errno) }
        if process == 0 {
            _ = cconfinement_die_with_parent()
            _exit(body())
        }
        return ConfinedChild(process: process)
    }

    package struct Failure: Error, Sendable {
        package let number: Int32

        package init(number: Int32) { self.number = number }
    }

    /// Kills it if it still runs.
    ///
    /// - Returns: its exit code, or 128 and the number of the signal that ended it.
    @discardableResult
    package func end() -> Int32 {
        kill(process, SIGKILL)
        return wait()
    }

    /// Waits until it ends; call it once for each child.
    ///
    /// - Returns: its exit code, or 128 and the number of the signal that ended it.
    package func wait() -> Int32 {
        ProcessEnd.wait(for: process) ?? 127
    }
}
