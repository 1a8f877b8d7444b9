internal import Glibc
internal import Synchronization

/// A small fixed set of threads that share numbered pieces of work.
public enum Workers: Sendable {
    /// Processors that this process may use, at most 8: beyond that the disk is the limit.
    public static let count = min(8, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    /// Runs `body` for every number in `0..<pieces` and returns when all have run.
    ///
    /// Pieces are taken in rising order. The caller's thread works too.
    ///
    /// - Throws: the first error; remaining pieces are then not run.
    public static func run(
        _ pieces: Int, threads: Int = Workers.count, _ body: @escaping @Sendable (Int) throws -> Void
    ) throws {
        let shared = Shared(pieces: pieces, body: body)
        var handles: [pthread_t] = []
        for _ in 1..<max(1, min(threads, pieces)) {
            var handle = pthread_t()
            // If a thread cannot be started, the others take its pieces.
            let status = pthread_create(
                &handle, nil,
                { argument in
                    guard let argument else { return nil }
                    Unmanaged<Shared>.fromOpaque(argument).takeRetainedValue().work()
                    return nil
                }, Unmanaged.passRetained(shared).toOpaque())
            if status == 0 { handles.append(handle) } else { Unmanaged.passUnretained(shared).release() }
        }
        shared.work()
        for handle in handles { pthread_join(handle, nil) }
        if let error = shared.failure { throw error }
    }

    private final class Shared: Sendable {
        private let pieces: Int
        private let body: @Sendable (Int) throws -> Void
        private let next = Atomic<Int>(0)
        private let error = Mutex<(any Error)?>(nil)

        init(pieces: Int, body: @escaping @Sendable (Int) throws -> Void) {
            self.pieces = pieces
            self.body = body
        }

        var failure: (any Error)? { error.withLock { $0 } }

        func work() {
            while true {
                let piece = next.wrappingAdd(1, ordering: .relaxed).oldValue
                if piece >= pieces { return }
                do {
                    try body(piece)
                } catch {
                    self.error.withLock { $0 = $0 ?? error }
                    next.store(pieces, ordering: .relaxed)
                }
            }
        }
    }
}
