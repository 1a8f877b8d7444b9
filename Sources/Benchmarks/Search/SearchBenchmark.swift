/// `sbfs-bench search …`.
enum SearchBenchmark {
    static func run(_ words: [String]) throws {
        let options = try BenchmarkOptions(Array(words.dropFirst()))
        switch words.first {
        case "index": try SearchIndexing.run(options)
        case "serve": try SearchServing.run(options)
        case "commit": try SearchTrial.commit(options)
        case "build": try SearchTrial.build(options)
        case "state": try SearchTrial.state(options)
        case "increment": try SearchTrial.increment(options)
        case "watch": try SearchTrial.watch(options)
        default: throw BenchmarkError(description: "say \"search index\" or \"search serve\"; see sbfs-bench --help")
        }
    }
}
