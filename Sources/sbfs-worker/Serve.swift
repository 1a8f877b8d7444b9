internal import Capture
internal import Confinement
internal import Files
internal import Glibc
internal import HTML
internal import WorkerProtocol

/// `serve`: executes orders from standard input, one a line, until the input ends. With `--private`, orders may hold a
/// secret, and the process leaves no core file.
///
/// This process reads orders and starts browsers. For each order it makes a process with the rights that the order
/// needs: one that parses strangers' data (profile `parse`), and for fetching another one that uses the network
/// (profile `fetch`). It parses no data from outside. The process of one order cannot touch another order's files,
/// and ends with its order.
enum Serve {
    static func run(_ arguments: [String]) -> Int32 {
        guard arguments.isEmpty || arguments == ["--private"] else { return 2 }
        if !arguments.isEmpty { RunningProgram.keepMemoryPrivate() }
        CharacterEncoding.loadConverters()
        let browsers = BrowserSet(profilesIn: BrowserFolder.path)
        while let line = readLine() {
            do throws(WireFault) {
                let order = try AnyOrder(line: Array(line.utf8))
                if !OrderedTask(order).run(browsers) { break }
            } catch {
                Refusal.say(CaptureDetail(.invalidOrder, error.description))
            }
        }
        browsers.close()
        return 0
    }
}

/// The folder of throw-away browser profiles: the person's run-time folder, else their cache; never a library, which
/// a replication program may watch.
enum BrowserFolder {
    static var path: String {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let cache = variable("XDG_CACHE_HOME") ?? variable("HOME").map { $0 + "/.cache" } ?? "/tmp"
        return cache + "/sbfs/browsers"
    }
}
