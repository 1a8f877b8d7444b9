import Files
import Glibc
import Items
import StuffBucket

/// Measures whole processes of `sbfs` on a small and a large library.
enum LibraryBenchmark {
    static func run(_ words: [String]) throws {
        if words.first == "make", words.count == 3 { return try make(words[1], Int(words[2]) ?? 0) }
        if words.first == "sync" { return try SyncBenchmark.run(BenchmarkOptions(Array(words.dropFirst()))) }
        let options = try BenchmarkOptions(words)
        let sbfs = options.text("sbfs", besideThis())
        let runs = options.number("runs", 15)
        let count = options.number("items", 100_000)
        let folder = try options.folder()
        // A benchmark must not use the person's settings and state.
        setenv("XDG_STATE_HOME", folder + "/state", 1)
        setenv("XDG_CONFIG_HOME", folder + "/config", 1)
        print("machine: \(machine()); sbfs: \(sbfs); \(runs) runs each, median (min-max), warm cache")
        let bench = Bench(sbfs: sbfs, runs: runs, folder: folder)
        try bench.row("sbfs version", [sbfs, "version"])
        for size in [10, count] { try bench.library(size) }
        try bench.bulk()
        print("left in \(folder); remove it when you like")
    }

    /// Makes a library in a separate process: a child's peak memory starts at its parent's.
    private static func make(_ path: String, _ count: Int) throws {
        _ = try Library.create(at: path, name: "Benchmark")
        try MadeItems.add(count, to: Library(path: path))
    }

    /// The path of the program in the same folder.
    static func besideThis() -> String {
        let path = CommandLine.arguments[0]
        guard let slash = path.lastIndex(of: "/") else { return "/usr/local/bin/sbfs" }
        return path[...slash] + "sbfs"
    }

    private static func machine() -> String {
        var name = utsname()
        uname(&name)
        let release = withUnsafeBytes(of: &name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return "\(sysconf(Int32(_SC_NPROCESSORS_ONLN))) processors, Linux \(release)"
    }
}

private struct Bench {
    let sbfs: String
    let runs: Int
    let folder: String

    func row(_ name: String, _ words: [String], input: String = "/dev/null", runs: Int? = nil) throws {
        var results: [ProcessRun] = []
        _ = try ProcessRun(words, input: input)
        for _ in 0..<(runs ?? self.runs) { results.append(try ProcessRun(words, input: input)) }
        if let failed = results.first(where: { $0.status != 0 }) {
            throw BenchmarkError(description: "\(words.joined(separator: " ")) ended with status \(failed.status)")
        }
        let times = results.map(\.seconds).sorted()
        let memory = results.map(\.residentKiB).max() ?? 0
        print(
            "  \(name): \(milliseconds(times[times.count / 2])) ms (\(milliseconds(times[0]))-"
                + "\(milliseconds(times[times.count - 1]))), \(memory / 1024) MB resident")
    }

    private func milliseconds(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10_000).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    func library(_ count: Int) throws {
        let path = folder + "/library-\(count)"
        let this = "/proc/self/exe"
        guard try ProcessRun([this, "library", "make", path, String(count)]).status == 0 else {
            throw BenchmarkError(description: "the library of \(count) items could not be made")
        }
        let ids = try Self.someIDs(path)
        print("\(count) items:")
        let text = folder + "/snippet.txt"
        try Directory(path: folder).writeFile("snippet.txt", Array("A snippet of one line.\n".utf8))
        let base = [sbfs, "--library", path]
        try row("add - (one snippet, durable)", base + ["add", "-"], input: text)
        try row("show <id>", base + ["show", ids[ids.count / 2].description])
        try row("show <8 digits>", base + ["show", ids[ids.count / 3].short])
        try row("tag add <id>, durable", base + ["tag", "add", ids[ids.count / 4].description, "touched"])
        let few = min(5, runs)
        try row("list --ndjson", base + ["list", "--ndjson"], runs: few)
        try row("search (one word)", base + ["search", "--ids", "granite"], runs: few)
        try row("check", base + ["check"], runs: few)
    }

    /// A few ids of a library.
    private static func someIDs(_ path: String) throws -> [ItemID] {
        let store = try Library(path: path).store
        let ids = try store.shards().names.prefix(8).flatMap { try store.shard($0).ids.prefix(2) }
        if ids.count < 4 { throw BenchmarkError(description: "the library in \(path) has too few items") }
        return ids
    }

    /// Adds fifty thousand links with one command.
    func bulk() throws {
        let lines = (0..<50_000).map { "https://site\($0 % 977).example.org/path/\($0)/article?number=\($0 * 7919)" }
        try Directory(path: folder).writeFile("links.txt", Array((lines.joined(separator: "\n") + "\n").utf8))
        let path = folder + "/library-bulk"
        if try ProcessRun([sbfs, "init", path]).status != 0 { throw BenchmarkError(description: "init failed") }
        let run = try ProcessRun([sbfs, "--library", path, "add", "--input", folder + "/links.txt"])
        if run.status != 0 { throw BenchmarkError(description: "the bulk add ended with status \(run.status)") }
        print(
            "50000 links added by one command: \(milliseconds(run.seconds)) ms, \(run.residentKiB / 1024) MB resident")
    }
}

/// Items with invented titles, texts and tags, the same in every run.
enum MadeItems {
    private static let nouns = [
        "river", "granite", "lantern", "archive", "meadow", "copper", "harbour", "letter", "winter", "garden", "signal",
        "bridge", "orchard", "paper", "compass", "violin", "market", "window", "island", "needle",
    ]

    static func add(_ count: Int, to library: Library) throws {
        var state: UInt64 = 42
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        func noun() -> String { nouns[next(nouns.count)] }
        for start in stride(from: 0, to: count, by: 5000) {
            let additions = (start..<min(start + 5000, count)).map { number -> Addition in
                let isLink = number % 3 != 0
                var addition = Addition(
                    isLink
                        ? .link("https://\(noun()).example.org/\(noun())/\(number)")
                        : .text(Array((0..<40).map { _ in noun() }.joined(separator: " ").utf8) + [0x0A]))
                addition.title = "\(noun()) \(noun()) \(number)"
                addition.tags = [noun(), noun(), "collection:\(noun())"]
                return addition
            }
            _ = try library.change("benchmark") { try $0.add(additions, knownLinks: .duplicate) }
        }
    }
}
