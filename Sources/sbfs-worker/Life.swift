internal import Capture
internal import Confinement
internal import Files
internal import Glibc

/// How the process of an order ended.
enum LifeEnd {
    /// Its exit code, or 128 and the number of the signal that ended it.
    case ended(Int32)
    /// Nobody reads the answers any more, so it was killed.
    case listenerGone
    /// Its browser used too much memory, so it was killed.
    case tooMuchMemory
}

/// A pipe that closes when a process ends, so that poll can wait for this and other events at once.
struct Life {
    private let ours: Int32
    private let theirs: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        if socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) != 0 {
            throw ConfinedChild.Failure(number: errno)
        }
        (ours, theirs) = (ends[0], ends[1])
    }

    /// To be called in the observed process.
    func hold() { close(ours) }

    /// Waits until the process has ended. Kills it if nobody reads its answers any more, or its browser uses too much
    /// memory.
    func wait(for child: ConfinedChild, _ browsers: BrowserSet) -> LifeEnd {
        close(theirs)
        defer { close(ours) }
        while true {
            // No event is requested for the output: poll reports only a reader's exit (POLLERR), and never for a file.
            var polled = [
                pollfd(fd: ours, events: Int16(POLLIN), revents: 0), pollfd(fd: 1, events: 0, revents: 0),
            ]
            let count = uninterrupted { poll(&polled, 2, browsers.isWatched ? 250 : -1) }
            if count < 0 { return .ended(child.end()) }
            if polled[0].revents != 0 { return .ended(child.wait()) }
            if count > 0, polled[1].revents & Int16(POLLERR | POLLHUP) != 0 {
                child.end()
                return .listenerGone
            }
            if browsers.takesTooMuch {
                child.end()
                return .tooMuchMemory
            }
        }
    }
}
