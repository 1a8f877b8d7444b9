internal import Capture
internal import Confinement
internal import Files
internal import Glibc
internal import WorkerProtocol

/// `serve`: carries out the orders that come on standard input, one a line, until it ends.
///
/// This process reads orders, starts browsers, and makes a process for each order, with the rights that the order needs:
/// one that takes apart what strangers made (profile `parse`), and where something is fetched, one that speaks with the
/// network (profile `fetch`). It looks at nothing that comes from outside. A process that is made for an order cannot
/// touch another order's files, and is gone after it.
enum Serve {
    static func run(_ arguments: [String]) -> Int32 {
        guard arguments.isEmpty else { return 2 }
        let browsers = BrowserSet(profilesIn: BrowserFolder.path)
        while let line = readLine() {
            do throws(WireFault) {
                let order = try AnyOrder(line: Array(line.utf8))
                if !OrderedTask(order).run(browsers) { break }
            } catch {
                Refusal.say(error.description)
            }
        }
        browsers.close()
        return 0
    }
}

/// Where throw-away browser profiles lie: the person's own run-time folder, else their cache; never in a library, which a
/// replication program may be watching.
enum BrowserFolder {
    static var path: String {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let cache = variable("XDG_CACHE_HOME") ?? variable("HOME").map { $0 + "/.cache" } ?? "/tmp"
        return cache + "/sbfs/browsers"
    }
}
