import Files
import Glibc
import Search
import Synchronization

/// `sbfs-bench search index`: builds an index of a corpus and prints the time.
enum SearchIndexing {
    static func run(_ options: BenchmarkOptions) throws {
        let corpus = try CorpusFile(path: options.text("corpus", "corpus.jsonl"))
        let path = options.text("index", "index")
        let threads = options.number("threads", 1)
        try Directory.make(path: path)
        guard let build = try IndexBuild.begin(IndexFolder(path: path), lanes: threads) else {
            throw BenchmarkError(description: "another process writes the index")
        }
        let count = corpus.lines.count
        let lanes = (0..<threads).map { $0 * count / threads..<($0 + 1) * count / threads }
        let times = Mutex<[LaneTime]>([])
        try Workers.run(threads, threads: threads) { lane in
            let time = try fill(lane, with: lanes[lane], of: corpus, build)
            times.withLock { $0.append(time) }
        }
        // Lanes do not wait for each other, so the slowest one's time counts.
        let lane = times.withLock { $0 }
        var wall = lane.map(\.wall).max() ?? 0
        var processor = lane.reduce(0) { $0 + $1.processor }
        let textBytes = lane.reduce(0) { $0 + $1.textBytes }
        let clock = Clock()
        try build.finish(threads: threads)
        wall += clock.wall
        processor += clock.processor
        func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
        print(
            """
            {"docs":\(count),"index_s":\(rounded(wall)),"cpu_s":\(rounded(processor)),\
            "mb_per_cpu_s":\(rounded(Double(textBytes) / 1e6 / processor)),"finish_s":\(rounded(clock.wall))}
            """)
    }

    private static func fill(
        _ lane: Int, with places: Range<Int>, of corpus: CorpusFile, _ build: IndexBuild
    ) throws -> LaneTime {
        var time = LaneTime()
        for start in stride(from: places.lowerBound, to: places.upperBound, by: 200) {
            let documents = try corpus.lines[start..<min(start + 200, places.upperBound)].map {
                try corpus.document($0)
            }
            for document in documents { time.textBytes += document.title.count + document.texts[0].count }
            let clock = Clock(ofThread: true)
            for document in documents { try build.add(document, lane: lane) }
            time.wall += clock.wall
            time.processor += clock.processor
        }
        return time
    }
}

/// The time for adding the documents of a lane, without reading and parsing them.
private struct LaneTime: Sendable {
    var wall = 0.0
    /// Seconds of the lane's thread.
    var processor = 0.0
    var textBytes = 0
}

/// Measures the time since its creation.
struct Clock {
    private let start = ContinuousClock.now
    private let source: clockid_t
    private let used: Double

    /// - Parameter ofThread: whether `processor` counts only this thread, and not the whole process.
    init(ofThread: Bool = false) {
        source = ofThread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID
        used = Self.used(source)
    }

    private static func used(_ source: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(source, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    var wall: Double { (ContinuousClock.now - start) / .seconds(1) }
    var processor: Double { Self.used(source) - used }
    var microseconds: Double { (ContinuousClock.now - start) / .microseconds(1) }
}
