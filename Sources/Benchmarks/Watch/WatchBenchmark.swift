import Files
import Glibc
internal import JSONFormat
import StuffBucket

/// `sbfs-bench watch`: the figures of a live library.
///
/// The real programs that save files, the storm and the peers are driven by `Scripts/watch-benchmark`, which uses the parts below.
enum WatchBenchmark {
    static func run(_ words: [String]) throws {
        let options = { try BenchmarkOptions(Array(words.dropFirst())) }
        switch words.first {
        case "look": try WatchLook.run(options())
        case "ask": try ask(options())
        case "view": try refreshView(options())
        default: try runScript(words)
        }
    }

    /// Becomes `Scripts/watch-benchmark` of the clone that this program was built in.
    private static func runScript(_ words: [String]) throws {
        var folder = FilePath.real("/proc/self/exe") ?? ""
        while let slash = folder.lastIndex(of: "/") {
            folder = String(folder[..<slash])
            let script = folder + "/Scripts/watch-benchmark"
            if access(script, X_OK) != 0 { continue }
            var arguments = ([script] + words).map { strdup($0) } + [nil]
            execv(script, &arguments)
            throw BenchmarkError(description: "cannot start \(script): \(String(cString: strerror(errno)))")
        }
        throw BenchmarkError(
            description: "this program is not in a clone of the project: run Scripts/watch-benchmark there")
    }

    /// `ask --sbfs PATH --library DIR --query WORD [--runs N]`: whole processes of `sbfs search`, to the end of their output.
    private static func ask(_ options: BenchmarkOptions) throws {
        let command = [
            options.text("sbfs", LibraryBenchmark.besideThis()), "--library", options.text("library", "."), "search",
            options.text("query", "granite"),
        ]
        var times: [Double] = []
        for run in 0...options.number("runs", 51) {
            let process = try ProcessRun(command)
            if process.status != 0 {
                throw BenchmarkError(description: "the search ended with status \(process.status)")
            }
            if run > 0 { times.append(process.seconds * 1000) }
        }
        times.sort()
        print("\(times[times.count / 2]) \(times[0]) \(times[times.count - 1])")
    }

    /// `view --library DIR [--runs N]`: the time after one changed item until the library's views show it, with a watch, as in a
    /// daemon: without one, each query compares all files first.
    private static func refreshView(_ options: BenchmarkOptions) throws {
        let library = try Library(path: options.text("library", "."))
        guard let row = try library.find(ItemRequest(order: .oldest, limit: 1)).rows.first else {
            throw BenchmarkError(description: "the library is empty")
        }
        let views = try library.views()
        if views.isEmpty { throw BenchmarkError(description: "the library has no view") }
        let watch = try library.watch(WatchOptions())
        defer { watch.stop() }
        try watch.waitUntilReady()
        var times: [Double] = []
        for run in 0...options.number("runs", 21) {
            let stored = try library.item(row)
            _ = try library.change("benchmark") { try $0.edit(stored) { $0.set(.title, .string("changed \(run)")) } }
            let start = ContinuousClock.now
            var count = 0
            for view in views {
                let report = try view.refresh(.items([row.id]))
                count += report.writtenCount + report.movedCount + report.removedCount
            }
            if count == 0 { throw BenchmarkError(description: "the view shows no change") }
            if run > 0 { times.append((ContinuousClock.now - start) / .milliseconds(1)) }
        }
        times.sort()
        print("\(times[times.count / 2]) \(times[0]) \(times[times.count - 1])")
    }
}
