internal import Synchronization

extension Workers {
    /// Maps over an array on several threads and keeps the order.
    ///
    /// - Parameter pieceSize: the number of elements that a thread takes at a time.
    package static func map<Element: Sendable, Result: Sendable>(
        _ elements: [Element], pieceSize: Int = 16, threads: Int = Workers.count,
        _ body: @escaping @Sendable (Element) throws -> Result
    ) throws -> [Result] {
        if elements.count <= pieceSize || threads == 1 { return try elements.map(body) }
        let pieces = (elements.count + pieceSize - 1) / pieceSize
        let results = Mutex<[[Result]]>(Array(repeating: [], count: pieces))
        try run(pieces, threads: threads) { piece in
            let part = elements[piece * pieceSize..<min((piece + 1) * pieceSize, elements.count)]
            let done = try part.map(body)
            results.withLock { $0[piece] = done }
        }
        return results.withLock { $0.flatMap { $0 } }
    }
}
