internal import Files
internal import Glibc
internal import HTML
internal import Reader
internal import StuffBucket
internal import Time

/// What reading saved pages costs: their tokens, their text for searching, and the article in them. The pages are in memory;
/// times are the processor's, and the median of the runs counts.
enum PageBenchmark {
    static func run(_ words: [String]) throws {
        guard let folder = words.first else { throw BenchmarkError(description: "pages takes a folder of pages") }
        let options = try BenchmarkOptions(Array(words.dropFirst()))
        let directory = try Directory(path: folder)
        let names = try directory.entries().compactMap(\.name.string).filter { $0.hasSuffix(".html") }.sorted()
        let pages = try names.prefix(options.number("limit", .max)).map {
            try directory.contents(of: $0, limit: VisibleText.byteLimit).bytes
        }
        let megabytes = Double(pages.reduce(0) { $0 + $1.count }) / 1e6
        let runs = options.number("runs", 5)
        let today = CalendarDate(year: 2026, month: 11, day: 21)
        print("\(pages.count) pages, \(Int(megabytes)) MB, processor time, median of \(runs) runs:")
        report("tokens", megabytes, "MB/s", runs) { pages.reduce(0) { $0 + tokenCount($1) } }
        report("text for searching", megabytes, "MB/s", runs) { pages.reduce(0) { $0 + VisibleText.of($1).count } }
        report("articles", Double(pages.count), "pages/s", runs) {
            pages.reduce(0) { $0 + Article(page: $1, url: "", today: today).text.utf8.count }
        }
    }

    private static func report(_ name: String, _ amount: Double, _ unit: String, _ runs: Int, _ work: () -> Int) {
        var found = 0
        let times = (0..<max(1, runs)).map { _ in
            let start = clock()
            found = work()
            return Double(clock() - start) / 1e6
        }
        print("  \(name): \(Int(amount / times.sorted()[times.count / 2])) \(unit) (\(found) found)")
    }

    private static func tokenCount(_ page: [UInt8]) -> Int {
        page.withUnsafeBufferPointer { bytes in
            var tokens = HTMLTokenizer(bytes)
            var count = 0
            while tokens.next() { count += 1 }
            return count
        }
    }
}
