import Files
import Glibc
import Items
import Search

/// `sbfs-bench watch look --index DIR`: looks into an index as it is, and compares no files.
///
/// Each line of standard input is a word and a time in milliseconds; the answer waits until the index has the word or the time is
/// over. It is the time of that moment in nanoseconds since 1970, and the ids of all items that have the word.
enum WatchLook {
    static func run(_ options: BenchmarkOptions) throws {
        let folder = try IndexFolder(path: options.text("index", "index"))
        guard let first = try folder.snapshot() else { throw BenchmarkError(description: "there is no index") }
        let searcher = try Searcher(first)
        var mark: IndexMark?
        while let line = readLine() {
            let words = line.split(separator: " ")
            guard words.count == 2, let limit = Int(words[1]) else {
                throw BenchmarkError(description: "\(line) is not a word and a time")
            }
            let end = ContinuousClock.now + .milliseconds(limit)
            var found: [String] = []
            while true {
                let now = try folder.mark()
                if now != mark, let snapshot = try folder.snapshot() { try searcher.show(snapshot) }
                mark = now
                found = try ids(String(words[0]), searcher)
                if !found.isEmpty || ContinuousClock.now >= end { break }
                usleep(1000)
            }
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            print(([String(time.tv_sec * 1_000_000_000 + time.tv_nsec)] + found).joined(separator: " "))
            fflush(nil)
        }
    }

    private static func ids(_ word: String, _ searcher: Searcher) throws -> [String] {
        var request = SearchRequest(.phrase(word))
        request.limit = 10
        return try searcher.search(request).hits.map { ItemID(high: $0.key.high, low: $0.key.low).description }
    }
}
