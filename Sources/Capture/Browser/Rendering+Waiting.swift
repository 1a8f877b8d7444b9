internal import JSONFormat

/// Waits until a page is ready: its load event, then quiet; scrolled to the end, then quiet again.
extension Rendering {
    /// Waits for the load event. Some pages never have one: if the document is parsed and all open requests have been
    /// open for six seconds, the page counts as loaded.
    func waitForLoad() throws(BrowserFailure) {
        let end = min(ContinuousClock.now + request.limits.loadPatience, taken)
        var isProbed = false
        while !hasLoaded {
            let now = ContinuousClock.now
            if now >= end { break }
            if !isProbed, lastActivity < now - .seconds(3) {
                // A script that never ends blocks everything else; it is stopped.
                isProbed = true
                _ = try pageState()
            }
            if parsed != nil, exchanges.pending.allSatisfy({ exchanges.all[$0].started < now - .seconds(6) }),
                lastActivity < now - .seconds(3)
            {
                break
            }
            _ = try browser.step(until: min(end, now + .milliseconds(200)))
            try checkAlive()
        }
        if !hasLoaded { notes.insert(.loadNeverFired) }
    }

    /// Waits until there has been no request and no change for a moment.
    ///
    /// The moment is short for a page without scripts, and longest for a page whose scripts make requests, since they
    /// will then change the page. After it the page must have nothing left to do.
    func settle() throws(BrowserFailure) {
        // A page that was busy all that time will not be quiet now.
        let limit =
            notes.contains(.neverQuiet) ? min(request.limits.quietPatience, .seconds(1)) : request.limits.quietPatience
        let patience = min(ContinuousClock.now + limit, taken)
        // Tickers and clocks never stop changing the page.
        let changesEnd = ContinuousClock.now + .milliseconds(1500)
        var state = try pageState()
        if state.scripts == 0, exchanges.pending.isEmpty, ContinuousClock.now - .milliseconds(100) > lastActivity {
            return
        }
        while true {
            let now = ContinuousClock.now
            if now >= patience { break }
            let isWaiting = hasLoaded && !exchanges.pending.isEmpty
            let moment: Duration =
                state.scripts == 0 ? .milliseconds(50) : .milliseconds(hasRequestedByScript ? 425 : 150)
            let quiet = max(lastActivity, state.changed) + moment
            if !isWaiting, exchanges.pending.isEmpty || !hasLoaded, now >= quiet {
                state = try pageState(isRested: state.scripts > 0)
                let isQuiet = lastActivity + moment <= .now && (exchanges.pending.isEmpty || !hasLoaded)
                if isQuiet, state.changed + moment <= .now || now >= changesEnd { return }
                continue
            }
            _ = try browser.step(until: min(patience, isWaiting ? now + .milliseconds(200) : quiet))
            try checkAlive()
        }
        if hasLoaded { notes.insert(.neverQuiet) }
    }

    /// Waits longer for a page that is quiet but only says that it is loading, and less long for one that has next to
    /// no text: its scripts may get it a moment after the load, or lead to another page. Other pages are not waited for.
    func waitForText() throws(BrowserFailure) {
        if try isLeaving() {
            try wait(request.limits.textPatience) { () throws(BrowserFailure) in try isLeaving() }
            try settle()
        }
        guard try pageState().scripts > 0 else { return }
        if try isLoading() {
            isSlow = true
            try wait(request.limits.textPatience) { () throws(BrowserFailure) in try isLoading() }
        } else if try isScant() {
            try wait(request.limits.scantPatience) { () throws(BrowserFailure) in try isScant() }
            // The text may come in two steps.
            if try isLoading() {
                isSlow = true
                try wait(request.limits.textPatience) { () throws(BrowserFailure) in try isLoading() }
            }
        } else {
            return
        }
        try settle()
    }

    private func wait(
        _ patience: Duration, while condition: () throws(BrowserFailure) -> Bool
    ) throws(BrowserFailure) {
        let end = min(ContinuousClock.now + patience, taken)
        while ContinuousClock.now < end, try condition() {
            let pause = min(ContinuousClock.now + .milliseconds(200), end)
            while try browser.step(until: pause) { try checkAlive() }
        }
    }

    /// Whether the page says that it leads to another page in a few seconds.
    private func isLeaving() throws(BrowserFailure) -> Bool {
        try evaluate("sbfs.isLeaving()")?.flag("result", "value") ?? false
    }

    /// Whether the page has next to no text, no field and no large picture.
    private func isScant() throws(BrowserFailure) -> Bool {
        try evaluate("sbfs.isScant()")?.flag("result", "value") ?? false
    }

    /// Whether the page only says that it is loading.
    func isLoading() throws(BrowserFailure) -> Bool {
        try evaluate("sbfs.isLoading()")?.flag("result", "value") ?? false
    }

    /// Scrolls to the end of the page, so that parts that load when they become visible are loaded.
    func scroll() throws(BrowserFailure) {
        let state = try pageState()
        let before = exchanges.all.count
        let lazy = try evaluate("sbfs.eager()")?.integer("result", "value") ?? 0
        let hasScrolled = state.scripts > 0 ? try scrollThrough() : false
        if hasScrolled || lazy > 0 || exchanges.all.count > before { try settle() }
    }

    /// - Returns: whether the page can be scrolled.
    private func scrollThrough() throws(BrowserFailure) -> Bool {
        let end = min(ContinuousClock.now + request.limits.scrollPatience, taken)
        guard var reply = try evaluate("sbfs.scroll(0)", waits: true), let first = height(reply),
            first.height > first.view + 1
        else { return false }
        // An endless page grows while it is scrolled. Twice its first height and some more is enough.
        let furthest = first.height * 2 + first.view * 10
        var offset = 0
        var steps = 0
        while let now = height(reply), offset + now.view < min(now.height, furthest) {
            if steps >= request.limits.scrollSteps || ContinuousClock.now >= end {
                notes.insert(.scrollCut)
                break
            }
            // A slow page must answer within the patience of `evaluate`.
            let most = min(10, request.limits.scrollSteps - steps)
            guard let next = try evaluate("sbfs.scrollOn(\(offset), \(furthest), \(most))", waits: true),
                let reached = next.integer("result", "value", "y"), reached > offset
            else { break }
            steps += max(1, next.integer("result", "value", "steps") ?? most)
            offset = reached
            reply = next
        }
        _ = try evaluate("sbfs.scroll(0)", waits: true)
        return true
    }

    private func height(_ reply: DevToolsMessage) -> (height: Int, view: Int)? {
        guard let height = reply.integer("result", "value", "height"),
            let view = reply.integer("result", "value", "view"),
            (1...1 << 30).contains(view), (0...1 << 30).contains(height)
        else { return nil }
        return (height, view)
    }

    /// The number of scripts and frames, and when the page last changed.
    ///
    /// - Parameter isRested: whether to ask when the page has nothing left to do, or after a second.
    private func pageState(
        isRested: Bool = false
    ) throws(BrowserFailure) -> (scripts: Int, changed: ContinuousClock.Instant) {
        let reply =
            isRested
            ? try evaluate("sbfs.rested()", waits: true, patience: .seconds(6)) : try evaluate("sbfs.state()")
        // A page that does not answer is not waited for here.
        let age = min(max(reply?.integer("result", "value", "age") ?? 60_000, 0), 60_000)
        return (reply?.integer("result", "value", "scripts") ?? 1, .now - .milliseconds(age))
    }

    // MARK: The main document's world

    /// Evaluates an expression in the main document, in the world that contains `sbfs`.
    ///
    /// - Returns: `nil` if it failed or did not end in time.
    func evaluate(
        _ expression: String, waits: Bool = false, patience: Duration = .seconds(3)
    ) throws(BrowserFailure) -> DevToolsMessage? {
        for _ in 0..<2 {
            guard let world = try mainWorld() else {
                try stopScripts()
                continue
            }
            let reply = try ask(
                "Runtime.evaluate", PageWorld.evaluation(expression, in: world, waits: waits), session: mainSession,
                patience: patience)
            // The document was replaced meanwhile; its successor has another world.
            if let reply, reply.refusal == nil { return reply }
            if reply == nil { try stopScripts() }
            worlds[mainFrame ?? ""] = nil
        }
        return nil
    }

    private func mainWorld() throws(BrowserFailure) -> Int? {
        if mainFrame == nil {
            mainFrame = try ask("Page.getFrameTree", [], session: mainSession, patience: .seconds(3))?
                .string("frameTree", "frame", "id")
        }
        guard let mainFrame else { return nil }
        if let world = worlds[mainFrame] { return world }
        let made = try ask(
            "Page.createIsolatedWorld", PageWorld.creation(mainFrame), session: mainSession, patience: .seconds(3))
        guard let world = made?.integer("executionContextId") else { return nil }
        worlds[mainFrame] = world
        _ = try ask(
            "Runtime.evaluate", PageWorld.evaluation(PageScript.source, in: world), session: mainSession,
            patience: .seconds(3))
        return world
    }

    /// Sends a command and waits for the reply, even a refusal.
    ///
    /// - Returns: `nil` if there was none in time.
    func ask(
        _ method: String, _ parameters: [JSON.Member], session: String, patience: Duration
    ) throws(BrowserFailure) -> DevToolsMessage? {
        var reply: DevToolsMessage?
        browser.post(method, parameters, session: session) { reply = $0 }
        let end = min(ContinuousClock.now + patience, request.deadline)
        while reply == nil, try browser.step(until: end) { try checkAlive() }
        return reply
    }

    /// Stops a script that never ends.
    func stopScripts() throws(BrowserFailure) {
        notes.insert(.scriptStopped)
        for session in sessions { browser.post("Runtime.terminateExecution", session: session) }
    }
}

/// Parameters of commands that run a script in an isolated world.
enum PageWorld {
    static func creation(_ frame: String) -> [JSON.Member] {
        [.init("frameId", .string(frame)), .init("worldName", .string("sbfs"))]
    }

    /// - Parameter waits: whether the value is a promise to wait for.
    static func evaluation(
        _ expression: String, in world: Int, waits: Bool = false, byValue: Bool = true
    ) -> [JSON.Member] {
        [
            .init("expression", .string(expression)), .init("contextId", .integer(world)),
            .init("returnByValue", .bool(byValue)), .init("awaitPromise", .bool(waits)),
        ]
    }
}
