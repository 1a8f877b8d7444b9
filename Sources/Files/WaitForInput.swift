internal import CSystem
internal import Glibc

/// Waiting for one of several descriptors: poll(2).
package enum WaitForInput {
    /// - Parameters:
    ///   - numbers: descriptors; those below 0 are left out.
    ///   - urgent: one for which only news of the kernel count, which are no bytes to read (POLLPRI).
    ///   - timeout: the longest time; `nil` for any.
    /// - Returns: for each descriptor, whether it can be read or has ended; for `urgent`, at the end, whether it has news.
    package static func on(_ numbers: [Int32], urgent: Int32? = nil, timeout: Duration?) -> [Bool] {
        var entries = numbers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        if let urgent { entries.append(pollfd(fd: urgent, events: Int16(POLLPRI), revents: 0)) }
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while true {
            let wait = deadline.map { Self.milliseconds(max(.zero, $0 - .now)) } ?? -1
            let count = poll(&entries, nfds_t(entries.count), wait)
            // A signal ends the wait early; the time that is left is used.
            if count < 0, errno == EINTR { continue }
            return entries.map { $0.revents != 0 }
        }
    }

    /// Rounded up, so that a wait never ends before its time.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        let count = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(clamping: count)
    }
}

/// Wakes a thread that waits for input, from any thread or signal handler.
package final class Waker: Sendable {
    private let input: Int32
    private let output: Int32

    package init() throws(FileError) {
        var ends: [Int32] = [0, 0]
        _ = try systemCall(.create, "pipe") { csystem_pipe(&ends) }
        (input, output) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        close(input)
        close(output)
    }

    /// The descriptor to wait on.
    package var number: Int32 { input }

    package func wake() {
        // A full pipe wakes as well.
        _ = [1 as UInt8].withUnsafeBytes { write(output, $0.baseAddress, 1) }
    }

    /// Takes all wake-ups.
    package func clear() {
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
            while read(input, buffer.baseAddress, 256) > 0 {}
        }
    }
}
