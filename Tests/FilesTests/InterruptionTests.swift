import Glibc
import Synchronization
import Testing

@testable import Files

/// Calls that signals interrupt, or that move fewer bytes than requested.
struct InterruptionTests {
    /// Into a full pipe: a waiting write(2) ends with EINTR if it has written nothing yet, else with fewer bytes.
    @Test func `a write that is interrupted again and again writes every byte once`() throws {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        defer { close(reader) }
        var action = sigaction(), former = sigaction()
        action.__sigaction_handler.sa_handler = { _ in }
        sigaction(SIGUSR1, &action, &former)
        defer { sigaction(SIGUSR1, &former, nil) }
        let thread = Atomic<pthread_t>(0), isRead = Atomic<Bool>(false)
        try Workers.run(2, threads: 2) { piece in
            if piece == 0 {
                Self.unblock(SIGUSR1)
                thread.store(pthread_self(), ordering: .releasing)
                // The writing end is closed when this returns.
                let result = Result { try Descriptor(number: writer, path: "pipe").write(bytes) }
                while !isRead.load(ordering: .acquiring) { usleep(100) }
                try result.get()
                return
            }
            defer { isRead.store(true, ordering: .releasing) }
            while thread.load(ordering: .acquiring) == 0 { usleep(100) }
            var received: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 5000)
            while true {
                // The first signal ends a write that has begun, the second one that has written nothing.
                for _ in 0..<2 {
                    usleep(200)
                    pthread_kill(thread.load(ordering: .acquiring), SIGUSR1)
                }
                let count = read(reader, &chunk, chunk.count)
                if count <= 0 { break }
                received += chunk[..<count]
            }
            // Not the arrays themselves: printing the difference of two long ones takes minutes.
            #expect(received.count == bytes.count && received.elementsEqual(bytes))
        }
    }

    /// The test's threads may block it.
    private static func unblock(_ signal: Int32) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, signal)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}
