internal import Characters
internal import JSONFormat
internal import URLs

/// The rendering of one page: open, wait, scroll, complete the markup, read.
///
/// Everything runs on the caller's thread; `hear` receives the browser's events.
final class Rendering {
    let browser: Browser
    let request: RenderRequest
    /// When the page is taken in any state, so that reading it fits before the deadline.
    let taken: ContinuousClock.Instant
    var page: RenderedPage
    var notes: Set<RenderNote> = []
    var exchanges = Exchanges()
    /// The page's own session, and those of frames from other sites, which run in separate processes.
    var sessions: [String] = []
    /// The sessions of workers. They only report requests.
    private var workers: Set<String> = []
    var mainSession = ""
    var lastActivity = ContinuousClock.now
    var hasLoaded = false
    /// When the document was parsed.
    var parsed: ContinuousClock.Instant?
    var hasRequestedByScript = false
    /// Whether the page only said that it was loading when it had become quiet.
    var isSlow = false
    /// Whether the page is loaded again with its real encoding.
    var isRereading = false
    private(set) var isBlocked = false
    private var crashed = false
    private var context = ""
    private var mainLoader: String?
    /// The main frame and the worlds made in it, while waiting for the page.
    var mainFrame: String?
    var worlds: [String: Int] = [:]

    init(browser: Browser, request: RenderRequest) {
        self.browser = browser
        self.request = request
        page = RenderedPage(requestURL: request.url.href)
        let whole = ContinuousClock.now.duration(to: request.deadline)
        taken = request.deadline - min(max(whole / 4, .seconds(1)), .seconds(15))
    }

    func run() throws(BrowserFailure) -> RenderedPage {
        guard request.url.isHTTP else { throw .unsupportedAddress(url: request.url.href) }
        browser.gate.use(request.addressRule)
        browser.listener = { [unowned self] in hear($0) }
        defer {
            browser.listener = nil
            browser.forgetReplies()
            browser.gate.use(nil)
            // Without waiting, since the next page has another context.
            if !context.isEmpty {
                browser.post("Target.disposeBrowserContext", [.init("browserContextId", .string(context))])
            }
        }
        try open()
        if try navigate() {
            try waitForLoad()
            try correctEncoding()
            try settle()
            try waitForText()
            try uncover()
            try scroll()
            // Some dialogs come when the page is scrolled.
            try uncover()
            try followHeights()
            if parsed == nil, let main = mainExchange, case .open = main.state { page.isUnfinished = true }
            if let main = mainExchange, case .failed(let error) = main.state, error != "net::ERR_ABORTED" {
                page.cutAfter = main.byteCount
            }
            page.isEmpty = mainExchange.map { $0.isOver && $0.byteCount == 0 } ?? false
            if isSlow, try isLoading() { page.isUnfinished = true }
            try takePrints()
            try readDocuments()
        }
        try readBodies()
        for target in browser.gate.refused { notes.insert(.refused(target)) }
        page.notes = notes.sorted { $0.description < $1.description }
        return page
    }

    // MARK: Opening

    private func open() throws(BrowserFailure) {
        let made = try browser.call(
            "Target.createBrowserContext",
            [
                .init("disposeOnDetach", .bool(true)),
                .init("proxyServer", .string("socks5://127.0.0.1:\(browser.gatePort)")),
                // Loopback connections use the gate too.
                .init("proxyBypassList", .string("<-loopback>")),
            ], until: request.deadline)
        guard let context = made.string("browserContextId") else { throw .wrongProtocol("no browser context") }
        self.context = context
        let owner = JSON.Member("browserContextId", .string(context))
        browser.post("Browser.setDownloadBehavior", [.init("behavior", .string("deny")), owner])
        // Grants nothing, so all permissions are denied without asking.
        browser.post("Browser.grantPermissions", [.init("permissions", .array([])), owner])
        if !request.cookies.isEmpty, try !set(request.cookies, owner) {
            // One cookie that the browser refuses makes it refuse all.
            for cookie in request.cookies { _ = try set([cookie], owner) }
        }
        let target = try browser.call(
            "Target.createTarget",
            [
                .init("url", .string("about:blank")), owner, .init("width", .integer(request.viewportWidth)),
                .init("height", .integer(request.viewportHeight)),
            ], until: request.deadline)
        let attached = try browser.call(
            "Target.attachToTarget",
            [.init("targetId", .string(target.string("targetId") ?? "")), .init("flatten", .bool(true))],
            until: request.deadline)
        guard let session = attached.string("sessionId") else { throw .wrongProtocol("no session") }
        mainSession = session
        enable(session)
        // A navigation must not overtake these commands, or it would not be observed: the page gets another process
        // by it.
        _ = try browser.call("Page.getFrameTree", session: session, until: request.deadline)
    }

    /// Sets cookies and waits for the reply: a navigation may overtake the command.
    ///
    /// - Returns: false if they were refused.
    private func set(_ cookies: [Cookie], _ owner: JSON.Member) throws(BrowserFailure) -> Bool {
        let method = "Storage.setCookies"
        var reply: DevToolsMessage?
        browser.post(method, [.init("cookies", .array(cookies.map(\.parameter))), owner]) { reply = $0 }
        while true {
            if let reply { return reply.refusal == nil }
            if try !browser.step(until: request.deadline) { throw .hung(waitingFor: method) }
        }
    }

    private func enable(_ session: String) {
        sessions.append(session)
        browser.post("Page.enable", session: session)
        browser.post(
            "Network.enable",
            [
                .init("maxTotalBufferSize", .integer(request.limits.totalBytes)),
                .init("maxResourceBufferSize", .integer(request.limits.bodyBytes)),
            ], session: session)
        browser.post("DOM.enable", session: session)
        keepDrawings(in: session)
        browser.post("Inspector.enable", session: session)
        browser.post(
            "Emulation.setUserAgentOverride", [.init("userAgent", .string(request.userAgent ?? browser.userAgent))],
            session: session)
        if session == mainSession {
            setWindow(height: request.viewportHeight)
        }
        attachChildren(of: session)
    }

    /// Observes the requests of a worker, which may fetch what the page then shows.
    private func enableWorker(_ session: String) {
        workers.insert(session)
        browser.post("Network.enable", session: session)
        attachChildren(of: session)
    }

    private func attachChildren(of session: String) {
        browser.post(
            "Target.setAutoAttach",
            [
                .init("autoAttach", .bool(true)), .init("waitForDebuggerOnStart", .bool(true)),
                .init("flatten", .bool(true)),
                .init("filter", .array(["iframe", "worker"].map { .object([.init("type", .string($0))]) })),
            ], session: session)
        if isBlocked { block(session) }
        browser.post("Runtime.runIfWaitingForDebugger", session: session)
    }

    /// - Returns: false if the answer is not HTML.
    private func navigate() throws(BrowserFailure) -> Bool {
        var reply: DevToolsMessage?
        browser.post("Page.navigate", [.init("url", .string(request.url.href))], session: mainSession) { reply = $0 }
        while reply == nil, try browser.step(until: taken) { try checkAlive() }
        guard let reply else { throw .unreachable(url: request.url.href, error: "net::ERR_TIMED_OUT") }
        if let refusal = reply.refusal { throw .wrongProtocol("Page.navigate: \(refusal)") }
        mainLoader = reply.string("loaderId")
        let main = mainExchange
        if let error = reply.string("errorText") {
            // A download, or an answer without content: there is an answer but no page.
            guard error == "net::ERR_ABORTED", let main, main.status != 0 else { throw unreachable(error, main) }
            take(main)
            return false
        }
        if let main { take(main) }
        if isHTML { return true }
        // The browser plays it: it takes the first bytes, and asks for others when it needs them.
        if page.contentType.hasPrefix("video/") || page.contentType.hasPrefix("audio/") { return false }
        while let main = mainExchange, case .open = main.state, !main.isLarger(than: request.limits.bodyBytes),
            try browser.step(until: taken)
        {
            try checkAlive()
        }
        return false
    }

    private var isHTML: Bool {
        page.contentType == "text/html" || page.contentType == "application/xhtml+xml" || page.contentType.isEmpty
    }

    var mainExchange: Exchange? {
        exchanges.all.last { $0.kind == "Document" && $0.id == mainLoader }
            ?? exchanges.all.first { $0.kind == "Document" }
    }

    private func take(_ main: Exchange) {
        page.status = main.status == 0 ? nil : main.status
        page.contentType = main.contentType
        page.finalURL = main.urls.last ?? page.finalURL
    }

    private func unreachable(_ error: String, _ main: Exchange?) -> BrowserFailure {
        let url = main?.urls.last ?? request.url.href
        guard let target = WebURL(url).flatMap(HostPort.init(of:)), let failure = browser.gate.failure(of: target)
        else {
            return .unreachable(url: url, error: error)
        }
        if case .refused = failure { return .refused(url: url) }
        return .unreachable(url: url, error: failure.name)
    }

    // MARK: Events of the browser

    func checkAlive() throws(BrowserFailure) {
        if crashed { throw .pageCrashed(url: request.url.href) }
    }

    private func hear(_ event: DevToolsMessage) {
        guard let session = event.session, sessions.contains(session) || workers.contains(session) else { return }
        switch event.method {
        case "Network.requestWillBeSent":
            guard let id = event.string("requestId"), let url = event.string("request", "url"),
                url.hasPrefix("http:") || url.hasPrefix("https:")
            else { return }
            let kind = event.string("type") ?? "Other"
            if kind == "XHR" || kind == "Fetch" { hasRequestedByScript = true }
            exchanges.begin(session, id, url: url, kind: kind, frame: event.string("frameId"))
            // The page reports no more of a worker's own script than this and its head.
            if kind == "Script", event.string("loaderId") == "" { exchanges.expectHeadOnly(session, id) }
            if exchanges.all.count > request.limits.requests, !isBlocked {
                notes.insert(.tooManyRequests(limit: request.limits.requests))
                blockAll()
            }
            lastActivity = .now
        case "Network.responseReceivedExtraInfo":
            guard let id = event.string("requestId"), exchanges.isHeadOnly(session, id) else { return }
            exchanges.giveUp(session, id)
            lastActivity = .now
        case "Network.responseReceived":
            guard let id = event.string("requestId") else { return }
            exchanges.answer(
                session, id, status: event.integer("response", "status") ?? 0,
                contentType: (event.string("response", "mimeType") ?? "").lowercased(), kind: event.string("type"),
                length: Self.header("Content-Length", of: event), range: Self.header("Content-Range", of: event),
                saysEncoding: Self.header("Content-Type", of: event)?.lowercased().contains(text: "charset") ?? false)
        case "Network.dataReceived":
            guard let id = event.string("requestId") else { return }
            let count = exchanges.receive(session, id, byteCount: event.integer("dataLength") ?? 0)
            if count > request.limits.bodyBytes { exchanges.giveUp(session, id) }
            if exchanges.byteCount > request.limits.totalBytes, !notes.contains(tooMany) {
                notes.insert(tooMany)
                browser.post("Page.stopLoading", session: mainSession)
                blockAll()
            }
        case "Network.loadingFinished":
            guard let id = event.string("requestId") else { return }
            exchanges.end(session, id, .finished)
            lastActivity = .now
        case "Network.loadingFailed":
            guard let id = event.string("requestId") else { return }
            exchanges.end(session, id, .failed(event.string("errorText") ?? "net::ERR_FAILED"))
            lastActivity = .now
        case "Page.loadEventFired" where session == mainSession:
            hasLoaded = true
            lastActivity = .now
        case "Page.domContentEventFired" where session == mainSession:
            parsed = .now
        case "Page.frameNavigated" where session == mainSession && event.value("frame", "parentId") == nil:
            hasLoaded = false
            parsed = nil
            mainLoader = event.string("frame", "loaderId") ?? mainLoader
            if let main = mainExchange, main.id == mainLoader { take(main) }
            lastActivity = .now
        case "Fetch.requestPaused" where isRereading: hearPaused(event)
        case "Page.javascriptDialogOpening":
            notes.insert(.dialogDismissed)
            browser.post("Page.handleJavaScriptDialog", [.init("accept", .bool(false))], session: session)
        case "Target.attachedToTarget":
            guard let child = event.string("sessionId") else { return }
            attached(child, isWorker: event.string("targetInfo", "type") == "worker")
        case "Target.detachedFromTarget":
            sessions.removeAll { $0 == event.string("sessionId") && $0 != mainSession }
            if let child = event.string("sessionId") { workers.remove(child) }
        case "Inspector.targetCrashed" where session == mainSession: crashed = true
        default: break
        }
    }

    private func attached(_ child: String, isWorker: Bool) {
        if isWorker, workers.count < request.limits.workers { return enableWorker(child) }
        if !isWorker, sessions.count <= request.limits.frames { return enable(child) }
        if !isWorker { notes.insert(.tooManyFrames(limit: request.limits.frames)) }
        browser.post("Runtime.runIfWaitingForDebugger", session: child)
    }

    /// A header field of a response. Its name is spelt as the server sent it; in HTTP/2 it is in lower case.
    private static func header(_ name: String, of event: DevToolsMessage) -> String? {
        event.string("response", "headers", name) ?? event.string("response", "headers", name.lowercased())
    }

    private var tooMany: RenderNote { .tooManyBytes(limit: request.limits.totalBytes) }

    private func block(_ session: String) { setBlocked(true, in: session) }

    private func blockAll() {
        isBlocked = true
        for each in sessions + workers { block(each) }
    }

    func setBlocked(_ isBlocked: Bool, in session: String) {
        browser.post("Network.setBlockedURLs", [.init("urls", .strings(isBlocked ? ["*"] : []))], session: session)
    }
}

extension HostPort {
    init?(of url: WebURL) {
        guard let port = url.effectivePort, !url.hostText.isEmpty else { return nil }
        self.init(host: url.hostText, port: port)
    }
}

extension Cookie {
    /// The cookie as a parameter of the protocol (Network.CookieParam).
    var parameter: JSON {
        // Without a URL, a cookie needs a domain. If the domain starts with a dot, the hosts below it get the cookie
        // too.
        var members: [JSON.Member] = [
            .init("name", .string(name)), .init("value", .string(value)),
            .init("domain", .string(isHostOnly ? domain : "." + domain)), .init("path", .string(path)),
            .init("secure", .bool(isSecure)), .init("httpOnly", .bool(isHTTPOnly)),
        ]
        if let expires { members.append(.init("expires", .integer(Int(expires.milliseconds / 1000)))) }
        return .object(members)
    }
}
