internal import JSONFormat

/// Reads the documents of the page and of its frames.
extension Rendering {
    /// A frame, and the isolated world made in it.
    struct Frame {
        let id: String
        let session: String
        let parent: String?
        let url: String
        var world: Int?
        var title = ""
        var contentType = ""
        var documentURL = ""
        var baseURL = ""
        var html: [UInt8]?

        var isHTML: Bool { contentType == "text/html" || contentType == "application/xhtml+xml" }
    }

    func readDocuments() throws(BrowserFailure) {
        var frames = try listFrames()
        if frames.isEmpty { throw .hung(waitingFor: "the page's frames") }
        try enter(&frames)
        try gather(frames)
        for session in sessions { runScripts(false, in: session) }
        // Nothing comes after this.
        try uncover()
        try fix(&frames)
        try mark(frames)
        try write(&frames)
        guard frames[0].isHTML else {
            // An XML or plain text document, for which the browser shows its own page.
            if !frames[0].contentType.isEmpty { page.contentType = frames[0].contentType }
            if frames[0].world == nil { throw .hung(waitingFor: "the page's document") }
            return
        }
        guard let html = frames[0].html else {
            if notes.contains(.tooManyBytes(limit: request.limits.documentBytes)) { return }
            throw .hung(waitingFor: "the page's document")
        }
        page.title = frames[0].title
        page.finalURL = frames[0].documentURL
        page.document = RenderedDocument(html: html, url: frames[0].documentURL, baseURL: frames[0].baseURL)
        for frame in frames.dropFirst() {
            let document = frame.html.map {
                RenderedDocument(html: $0, url: frame.documentURL, baseURL: frame.baseURL)
            }
            if document == nil, frame.isHTML || frame.contentType.isEmpty, !frame.url.isEmpty {
                notes.insert(.frameLost(url: frame.url))
            }
            page.frames.append(
                RenderedFrame(
                    url: frame.documentURL.isEmpty ? frame.url : frame.documentURL, contentType: frame.contentType,
                    document: document))
        }
    }

    // MARK: Steps

    /// All frames, the page's own first, each after the frame that contains it.
    private func listFrames() throws(BrowserFailure) -> [Frame] {
        let replies = try askAll(sessions.map { ("Page.getFrameTree", [], $0) }, patience: .seconds(4))
        var frames: [Frame] = []
        for (session, reply) in zip(sessions, replies) {
            guard let reply, let tree = reply.value("frameTree") else { continue }
            var waiting = [tree]
            while let tree = waiting.popLast() {
                guard let frame = reply.document.member("frame", of: tree) else { continue }
                let text = { (key: String) in reply.document.member(key, of: frame).flatMap(reply.document.string) }
                if let id = text("id"), !frames.contains(where: { $0.id == id }) {
                    if frames.count > request.limits.frames {
                        notes.insert(.tooManyFrames(limit: request.limits.frames))
                        return frames
                    }
                    // If a frame shows the browser's error page, this is the address that failed.
                    let url = text("unreachableUrl") ?? text("url") ?? ""
                    frames.append(Frame(id: id, session: session, parent: text("parentId"), url: url))
                }
                if let children = reply.document.member("childFrames", of: tree) {
                    waiting += reply.document.elements(children).reversed()
                }
            }
        }
        return frames
    }

    private func enter(_ frames: inout [Frame]) throws(BrowserFailure) {
        let made = try askAll(
            frames.map { ("Page.createIsolatedWorld", PageWorld.creation($0.id), $0.session) }, patience: .seconds(4))
        for index in frames.indices { frames[index].world = made[index]?.integer("executionContextId") }
        let started = try evaluateAll(frames, patience: .seconds(4)) { _ in PageScript.source }
        for index in frames.indices where started[index] == nil { frames[index].world = nil }
        if frames[0].world == nil {
            // A script that never ends blocks everything else.
            try stopScripts()
            let patience = Duration.seconds(4)
            frames[0].world = try ask(
                "Page.createIsolatedWorld", PageWorld.creation(frames[0].id), session: mainSession, patience: patience)?
                .integer("executionContextId")
            guard let world = frames[0].world else { return }
            _ = try ask(
                "Runtime.evaluate", PageWorld.evaluation(PageScript.source, in: world), session: mainSession,
                patience: patience)
        }
    }

    func runScripts(_ run: Bool, in session: String) {
        browser.post("Emulation.setScriptExecutionDisabled", [.init("value", .bool(!run))], session: session)
    }

    private func gather(_ frames: [Frame]) throws(BrowserFailure) {
        let left = request.limits.documentBytes / 2
        let patience = Duration.seconds(6)
        _ = try evaluateAll(frames, waits: true, patience: patience) { _ in gathering("document", left / frames.count) }
    }

    func gathering(_ root: String, _ left: Int) -> String {
        "sbfs.gather(\(root), \(left), \(request.limits.bodyBytes))"
    }

    private func fix(_ frames: inout [Frame]) throws(BrowserFailure) {
        let asked = try askedOfElements(frames)
        let replies = try evaluateAll(frames, patience: .seconds(8)) {
            "sbfs.fix(document, \"\(Self.sheetPrefix($0))\", \(asked))"
        }
        for (index, reply) in replies.enumerated() {
            guard let reply else { continue }
            take(reply, frame: index)
            let url = reply.string("result", "value", "url") ?? ""
            if url.hasPrefix("chrome-error:") { continue }
            frames[index].title = reply.string("result", "value", "title") ?? ""
            frames[index].contentType = reply.string("result", "value", "type") ?? ""
            frames[index].documentURL = url
            frames[index].baseURL = reply.string("result", "value", "base") ?? ""
        }
    }

    /// Addresses that cannot exist, for sheets that scripts made and several roots share.
    static func sheetPrefix(_ frame: Int) -> String { "https://adopted-\(frame).sbfs.invalid/" }

    func take(_ reply: DevToolsMessage, frame: Int) {
        let document = reply.document
        for note in reply.value("result", "value", "notes").map(document.elements) ?? [] {
            switch document.string(note) {
            case "unreadableCanvas": notes.insert(.unreadableCanvas)
            case "unreadableBlob": notes.insert(.unreadableBlob)
            case "definedElements": notes.insert(.definedElements)
            case "sheetsCut": notes.insert(.sheetsCut)
            default: notes.insert(.stateLost)
            }
        }
        let first = reply.integer("result", "value", "first") ?? 0
        let base = reply.string("result", "value", "base") ?? ""
        let sheets = reply.value("result", "value", "sheets").map(document.elements) ?? []
        for (number, sheet) in sheets.enumerated() {
            page.resources["\(Self.sheetPrefix(frame))\(first + number).css"] = RenderedResource(
                finalURL: base, status: 200, contentType: "text/css", body: .text(reply.bytes(sheet) ?? []))
        }
    }

    /// Writes each frame's number on the element that shows it.
    private func mark(_ frames: [Frame]) throws(BrowserFailure) {
        let worlds = Dictionary(frames.compactMap { frame in frame.world.map { (frame.id, ($0, frame.session)) } }) {
            $1
        }
        let shown = frames.enumerated().dropFirst().compactMap { number, frame in
            frame.parent.flatMap { worlds[$0] }.map { (number: number - 1, id: frame.id, world: $0.0, session: $0.1) }
        }
        let owners = try askAll(
            shown.map { ("DOM.getFrameOwner", [.init("frameId", .string($0.id))], $0.session) }, patience: .seconds(4))
        let marked = zip(shown, owners).compactMap { shown, owner in
            owner?.integer("backendNodeId").map { (shown, $0) }
        }
        let objects = try askAll(
            marked.map { shown, node in
                (
                    "DOM.resolveNode",
                    [.init("backendNodeId", .integer(node)), .init("executionContextId", .integer(shown.world))],
                    shown.session
                )
            }, patience: .seconds(4))
        _ = try askAll(
            zip(marked, objects).compactMap { marked, object in
                object?.string("object", "objectId").map {
                    call(
                        "function(n) { this.setAttribute('data-sbfs-frame', n) }", on: $0, marked.0.number,
                        marked.0.session)
                }
            }, patience: .seconds(4))
    }

    /// Reads the markup of all frames, inner ones first: writing an XML document removes its frames.
    private func write(_ frames: inout [Frame]) throws(BrowserFailure) {
        var left = request.limits.documentBytes
        for index in frames.indices.reversed() where frames[index].isHTML {
            guard var html = try markup(frames[index]) else { continue }
            if ClosedRoots.areIn(html), try openClosedRoots(frames[index], index),
                let again = try markup(frames[index])
            {
                html = again
            }
            if html.count > left {
                notes.insert(.tooManyBytes(limit: request.limits.documentBytes))
                continue
            }
            left -= html.count
            frames[index].html = ByteReplacement.bytes(
                html, Array("data-sbfs-href=\"https://adopted-".utf8), Array("href=\"https://adopted-".utf8))
        }
    }

    private func markup(_ frame: Frame) throws(BrowserFailure) -> [UInt8]? {
        guard let world = frame.world else { return nil }
        let patience = ContinuousClock.now.duration(to: request.deadline)
        let object = try ask(
            "Runtime.evaluate", PageWorld.evaluation("sbfs.document()", in: world, byValue: false),
            session: frame.session, patience: patience)
        guard let id = object?.string("result", "objectId") else { return nil }
        // Without scripts, a document writes the content of noscript as escaped text.
        runScripts(true, in: frame.session)
        let reply = try ask(
            "DOM.getOuterHTML", [.init("objectId", .string(id)), .init("includeShadowDOM", .bool(true))],
            session: frame.session, patience: patience)
        runScripts(false, in: frame.session)
        return reply?.value("outerHTML").flatMap { reply?.bytes($0) }
    }

    // MARK: Many commands at once

    typealias Command = (method: String, parameters: [JSON.Member], session: String)

    /// Sends all commands and waits for the replies; `nil` for a command that was refused or not answered in time.
    func askAll(_ commands: [Command], patience: Duration) throws(BrowserFailure) -> [DevToolsMessage?] {
        final class Replies {
            var all: [DevToolsMessage?]
            var missing: Int
            init(_ count: Int) {
                all = Array(repeating: nil, count: count)
                missing = count
            }
        }
        let replies = Replies(commands.count)
        for (index, command) in commands.enumerated() {
            browser.post(command.method, command.parameters, session: command.session) {
                replies.missing -= 1
                if $0.refusal == nil { replies.all[index] = $0 }
            }
        }
        let end = min(ContinuousClock.now + patience, request.deadline)
        while replies.missing > 0, try browser.step(until: end) { try checkAlive() }
        return replies.all
    }

    /// Evaluates an expression in every frame's world; `nil` also if it threw.
    func evaluateAll(
        _ frames: [Frame], waits: Bool = false, patience: Duration, _ expression: (Int) -> String
    ) throws(BrowserFailure) -> [DevToolsMessage?] {
        let entered = frames.indices.filter { frames[$0].world != nil }
        let replies = try askAll(
            entered.map {
                (
                    "Runtime.evaluate", PageWorld.evaluation(expression($0), in: frames[$0].world ?? 0, waits: waits),
                    frames[$0].session
                )
            }, patience: patience)
        var all = [DevToolsMessage?](repeating: nil, count: frames.count)
        for (index, reply) in zip(entered, replies) where reply?.value("exceptionDetails") == nil { all[index] = reply }
        return all
    }

    func call(
        _ function: String, on object: String, _ argument: Int?, _ session: String, waits: Bool = false
    ) -> Command {
        (
            "Runtime.callFunctionOn",
            [
                .init("functionDeclaration", .string(function)), .init("objectId", .string(object)),
                .init("arguments", .array(argument.map { [.object([.init("value", .integer($0))])] } ?? [])),
                .init("returnByValue", .bool(true)), .init("awaitPromise", .bool(waits)),
            ], session
        )
    }
}
