import StuffBucket
import Synchronization

/// Maps over an array on all processors and keeps the order.
enum Parallel {
    static func map<Element: Sendable, Result: Sendable>(
        _ elements: [Element], _ body: (Element) -> Result
    ) throws -> [Result] {
        // All workers end before this returns, so the closure does not outlive its caller.
        try withoutActuallyEscaping(body) { body in
            let shared = Shared(body: body)
            let pieces = (elements.count + 31) / 32
            let results = Mutex<[Int: [Result]]>([:])
            try Workers.run(pieces) { piece in
                let part = elements[piece * 32..<min(piece * 32 + 32, elements.count)].map(shared.body)
                results.withLock { $0[piece] = part }
            }
            return results.withLock { results in (0..<pieces).flatMap { results[$0] ?? [] } }
        }
    }

    /// Carries the closure to the workers. Sendable because it must be safe to call from several threads at once.
    private struct Shared<Element, Result>: @unchecked Sendable {
        let body: (Element) -> Result
    }
}
