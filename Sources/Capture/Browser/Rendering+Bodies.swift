internal import Characters
internal import JSONFormat
internal import URLs

/// Reads the bodies that the browser already has, so that nothing is requested twice.
extension Rendering {
    func readBodies() throws(BrowserFailure) {
        var wanted: [Int] = []
        for (place, exchange) in exchanges.all.enumerated() {
            let isMain = exchange.kind == "Document" && exchange.urls.last == page.finalURL && page.document == nil
            if exchange.kind == "Document", Self.isMarkup(exchange.contentType) { continue }
            if !exchange.isKept && !isMain { continue }
            if exchange.kind == "Document", exchange.status == 0 {
                // For this address the browser has its own error page.
                keep(exchange, .missing(reason("net::ERR_FAILED", exchange)))
                continue
            }
            switch exchange.state {
            case .open where exchange.isLarger(than: request.limits.bodyBytes),
                .failed where exchange.isLarger(than: request.limits.bodyBytes):
                keep(exchange, .missing(.tooLarge))
            case .open: keep(exchange, .missing(.unfinished))
            case .failed(let error): keep(exchange, .missing(reason(error, exchange)))
            case .finished where exchange.isPart: keep(exchange, .missing(.unfinished))
            case .finished:
                if exchange.isLarger(than: request.limits.bodyBytes) {
                    keep(exchange, .missing(.tooLarge))
                } else {
                    wanted.append(place)
                }
            }
        }
        try fetch(wanted)
        guard page.document == nil else { return }
        switch page.resources[Self.key(page.finalURL)]?.body {
        case .bytes(let body), .text(let body): page.body = isWhole(body) ? body : nil
        case .missing(.tooLarge): page.isTooLarge = true
        default: break
        }
    }

    /// For a PDF, the browser may have its viewer under this address.
    private func isWhole(_ body: [UInt8]) -> Bool {
        if page.contentType != "application/pdf" { return !body.isEmpty }
        return ByteReplacement.first(of: Array("%PDF-".utf8), in: Array(body.prefix(1024)), from: 0) != nil
    }

    private static func isMarkup(_ type: String) -> Bool { type == "text/html" || type == "application/xhtml+xml" }

    /// Reads a few at a time: each reply may be as large as the largest body.
    private func fetch(_ wanted: [Int]) throws(BrowserFailure) {
        final class Progress {
            var open = 0
            var left: Int
            init(left: Int) { self.left = left }
        }
        let progress = Progress(left: request.limits.totalBytes)
        let end = request.deadline - .milliseconds(200)
        var next = 0
        while next < wanted.count || progress.open > 0 {
            while next < wanted.count, progress.open < 8 {
                let exchange = exchanges.all[wanted[next]]
                next += 1
                if exchange.byteCount > progress.left {
                    notes.insert(.tooManyBytes(limit: request.limits.totalBytes))
                    keep(exchange, .missing(.tooLarge))
                    continue
                }
                progress.open += 1
                browser.post(
                    "Network.getResponseBody", [.init("requestId", .string(exchange.id))], session: exchange.session
                ) { [unowned self] reply in
                    progress.open -= 1
                    var body = Self.body(of: reply)
                    // The browser reports an empty body for data that a script read as a blob, and for pictures that
                    // it cannot decode.
                    if Self.isEmpty(body), exchange.byteCount > 0 { body = .missing(.dropped) }
                    switch body {
                    case .bytes(let bytes), .text(let bytes): progress.left -= bytes.count
                    case .missing: break
                    }
                    keep(exchange, body)
                }
            }
            if progress.open > 0, try !browser.step(until: end) {
                notes.insert(.outOfTime)
                for place in wanted where page.resources[Self.key(exchanges.all[place].urls[0])] == nil {
                    keep(exchanges.all[place], .missing(.unfinished))
                }
                return
            }
        }
    }

    private static func isEmpty(_ body: RenderedResource.Body) -> Bool {
        switch body {
        case .bytes(let bytes), .text(let bytes): bytes.isEmpty
        case .missing: false
        }
    }

    private static func body(of reply: DevToolsMessage) -> RenderedResource.Body {
        guard reply.refusal == nil, let value = reply.value("body") else { return .missing(.dropped) }
        if reply.flag("base64Encoded") != true { return .text(reply.bytes(value) ?? []) }
        return reply.bytes(ofBase64: value).map { .bytes($0) } ?? .missing(.dropped)
    }

    private func reason(_ error: String, _ exchange: Exchange) -> RenderedResource.Reason {
        guard let target = exchange.urls.last.flatMap({ WebURL($0) }).flatMap(HostPort.init(of:)),
            let failure = browser.gate.failure(of: target), exchange.status == 0
        else { return .failed(error) }
        if case .refused = failure { return .refused }
        return .failed(failure.name)
    }

    private static func key(_ url: String) -> String {
        guard let hash = url.utf8.firstIndex(of: UInt8(ascii: "#")) else { return url }
        return String(url[..<hash])
    }

    /// Stores the body under every URL of its chain of redirects. A missing body never replaces one.
    private func keep(_ exchange: Exchange, _ body: RenderedResource.Body) {
        let resource = RenderedResource(
            finalURL: exchange.urls.last ?? "", status: exchange.status, contentType: exchange.contentType, body: body)
        for url in exchange.urls {
            if case .missing = body, page.resources[Self.key(url)] != nil { continue }
            page.resources[Self.key(url)] = resource
        }
    }
}
