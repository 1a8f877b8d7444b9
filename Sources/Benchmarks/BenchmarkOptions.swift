import Files
import Glibc

/// `--name value` pairs of a benchmark's command line.
struct BenchmarkOptions {
    private var values: [String: String] = [:]

    init(_ words: [String]) throws {
        var words = words[...]
        while let name = words.popFirst() {
            guard name.hasPrefix("--"), let value = words.popFirst() else {
                throw BenchmarkError(description: "\(name) is not understood; see sbfs-bench --help")
            }
            values[String(name.dropFirst(2))] = value
        }
    }

    func text(_ name: String, _ fallback: String) -> String { values[name] ?? fallback }
    func number(_ name: String, _ fallback: Int) -> Int { values[name].flatMap(Int.init) ?? fallback }

    /// A new empty folder for the benchmark.
    func folder() throws -> String {
        let path = text("folder", "/var/tmp") + "/sbfs-bench-\(getpid())"
        try Directory.make(path: path)
        return path
    }
}

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
}
