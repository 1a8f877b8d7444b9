/// `sbfs-bench search …`.
enum SearchBenchmark {
    static func run(_ words: [String]) throws {
        let options = try BenchmarkOptions(Array(words.dropFirst()))
        switch words.first {
        case "index": try SearchIndexing.run(options)
        case "serve": try SearchServing.run(options)
        default: throw BenchmarkError(description: "say \"search index\" or \"search serve\"; see sbfs-bench --help")
        }
    }
}
