import Files
import Glibc
import Search

/// `sbfs-bench search index`: makes an index of a corpus and says how long it took.
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
        var wall = 0.0
        var processor = 0.0
        var textBytes = 0
        let lanes = (0..<threads).map { $0 * count / threads..<($0 + 1) * count / threads }
        var done = 0
        while lanes.contains(where: { $0.lowerBound + done < $0.upperBound }) {
            // Read and parsed outside of the clock.
            let batches = try lanes.map { lane in
                try (lane.lowerBound + done..<min(lane.upperBound, lane.lowerBound + done + 500)).filter { $0 >= 0 }
                    .map { try corpus.document(corpus.lines[$0]) }
            }
            done += 500
            for batch in batches {
                for document in batch { textBytes += document.title.count + document.texts[0].count }
            }
            let clock = Clock()
            try Workers.run(threads, threads: threads) { lane in
                for document in batches[lane] { try build.add(document, lane: lane) }
            }
            wall += clock.wall
            processor += clock.processor
        }
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
}

/// Time since it was made.
struct Clock {
    private let start = ContinuousClock.now
    private let used = Self.used()

    /// Seconds of all threads of this process.
    private static func used() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    var wall: Double { (ContinuousClock.now - start) / .seconds(1) }
    var processor: Double { Self.used() - used }
    var microseconds: Double { (ContinuousClock.now - start) / .microseconds(1) }
}
