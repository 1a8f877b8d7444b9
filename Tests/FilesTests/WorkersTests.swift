import Files
internal import Synchronization
import Testing

struct WorkersTests {
    private struct Failure: Error, Equatable { let piece: Int }

    @Test(arguments: [0, 1, 2, 3, 1000], [0, 1, 2, 8])
    func `every piece runs exactly once`(_ pieces: Int, threads: Int) throws {
        let counts = Mutex([Int](repeating: 0, count: pieces))
        try Workers.run(pieces, threads: threads) { piece in counts.withLock { $0[piece] += 1 } }
        #expect(counts.withLock { $0 } == [Int](repeating: 1, count: pieces))
    }

    @Test func `one thread takes the pieces in rising order`() throws {
        let order = Mutex<[Int]>([])
        try Workers.run(100, threads: 1) { piece in order.withLock { $0.append(piece) } }
        #expect(order.withLock { $0 } == Array(0..<100))
    }

    @Test func `the first error is thrown and the rest is left out`() {
        let ran = Mutex<[Int]>([])
        let error = #expect(throws: Failure.self) {
            try Workers.run(100, threads: 1) { piece in
                ran.withLock { $0.append(piece) }
                if piece >= 10 { throw Failure(piece: piece) }
            }
        }
        #expect(error == Failure(piece: 10))
        #expect(ran.withLock { $0 } == Array(0...10))
    }

    @Test func `with several threads one of the errors is thrown, and no piece runs twice`() {
        let counts = Mutex([Int](repeating: 0, count: 1000))
        #expect(throws: Failure.self) {
            try Workers.run(1000, threads: 4) { piece in
                counts.withLock { $0[piece] += 1 }
                if piece % 100 == 50 { throw Failure(piece: piece) }
            }
        }
        #expect(counts.withLock { $0.allSatisfy { $0 <= 1 } })
    }

    @Test func `the number of threads is at least one and at most eight`() {
        #expect((1...8).contains(Workers.count))
    }
}
