internal import Capture
internal import Files
internal import Glibc
internal import JSONFormat
internal import Work

/// `serve`: carries out the orders that come on standard input, one a line, until it ends.
///
/// What comes from the network is taken apart here, so it may die of it, and leaves no core file then. Whoever gave the
/// order kills it when it takes too long.
enum Serve {
    static func run(_ arguments: [String]) -> Int32 {
        guard arguments.isEmpty else { return 2 }
        bound()
        ListenerWatch.start()
        let browsers = BrowserPool(profilesIn: BrowserFolder.path)
        while let line = readLine() {
            guard let order = Message(Array(line.utf8)) else {
                Answer.error("an order must be a JSON object")
                continue
            }
            switch order.string("do") {
            case "capture": capture(order, browsers)
            case "check-links": CheckLinksOrder.run(order)
            case "favicon": FaviconOrder.run(order)
            case "identify": IdentifyOrder.run(order)
            case "read": ReadOrder.run(order)
            case "links": LinksOrder.run(order)
            case let name: Answer.error("there is no order \(name ?? "without a name")")
            }
        }
        return 0
    }

    private static func capture(_ message: Message, _ browsers: BrowserPool) {
        guard let order = CaptureOrder(message) else { return Answer.error("capture needs a url and a folder") }
        let report = PageCapture(order) { progress in
            switch progress {
            case .rendering: Answer.progress([("step", .string("rendering"))])
            case .fetching: Answer.progress([("step", .string("fetching"))])
            case .writing(let files): Answer.progress([("step", .string("writing")), ("files", .integer(files))])
            case .browserFailed(let why): Answer.note("\(why); the page is fetched without a browser")
            }
        }.run(browsers)
        Answer.result(report.json)
    }

    private static func bound() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
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
