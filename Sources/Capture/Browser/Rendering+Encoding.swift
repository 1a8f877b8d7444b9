internal import Characters
internal import HTML
internal import JSONFormat

/// Reads a page again that is UTF-8 and says so nowhere. Browsers take it for windows-1252; the own fetcher does not.
extension Rendering {
    /// Loads the page again, as UTF-8, if its text shows that its encoding was missed.
    func correctEncoding() throws(BrowserFailure) {
        guard let main = mainExchange, !main.saysEncoding,
            try evaluate("sbfs.isMisread()")?.flag("result", "value") == true
        else { return }
        isRereading = true
        defer { isRereading = false }
        let pattern: [JSON.Member] = [
            .init("urlPattern", .string("*")), .init("resourceType", .string("Document")),
            .init("requestStage", .string("Response")),
        ]
        browser.post("Fetch.enable", [.init("patterns", .array([.object(pattern)]))], session: mainSession)
        hasLoaded = false
        parsed = nil
        worlds = [:]
        browser.post("Page.reload", session: mainSession)
        try waitForLoad()
        browser.post("Fetch.disable", session: mainSession)
    }

    /// Decides about an answer that waits: the page's own gets its encoding, others go on.
    func hearPaused(_ event: DevToolsMessage) {
        guard let id = event.string("requestId") else { return }
        let session = event.session ?? mainSession
        let status = event.integer("responseStatusCode") ?? 0
        guard event.string("frameId") == mainFrame, (200..<300).contains(status) else { return goOn(id, session) }
        let fields = event.value("responseHeaders").map(event.document.elements) ?? []
        let kept: [JSON] = fields.compactMap { field in
            guard let name = event.document.member("name", of: field).flatMap(event.document.string),
                let value = event.document.member("value", of: field).flatMap(event.document.string),
                !["content-type", "content-length", "content-encoding", "transfer-encoding"].contains(name.lowercased())
            else { return nil }
            return .object([.init("name", .string(name)), .init("value", .string(value))])
        }
        browser.post("Fetch.getResponseBody", [.init("requestId", .string(id))], session: session) {
            [unowned self] reply in
            guard reply.refusal == nil, reply.flag("base64Encoded") == true, let value = reply.value("body"),
                let text = reply.document.string(value), let body = reply.bytes(ofBase64: value),
                CharacterEncoding.ofPage(body, contentType: nil).encoding == .utf8
            else { return goOn(id, session) }
            let type: JSON = .object([
                .init("name", .string("Content-Type")), .init("value", .string("text/html; charset=utf-8")),
            ])
            browser.post(
                "Fetch.fulfillRequest",
                [
                    .init("requestId", .string(id)), .init("responseCode", .integer(status)),
                    .init("responseHeaders", .array(kept + [type])), .init("body", .string(text)),
                ], session: session)
        }
    }

    private func goOn(_ id: String, _ session: String) {
        browser.post("Fetch.continueRequest", [.init("requestId", .string(id))], session: session)
    }
}
