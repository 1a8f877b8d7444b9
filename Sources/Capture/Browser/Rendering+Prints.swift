internal import JSONFormat

/// A print and a picture of the page as the browser shows it.
extension Rendering {
    /// Takes them without scripts and requests: a page may load files for its print, and more when it becomes as high as
    /// its picture.
    func takePrints() throws(BrowserFailure) {
        guard request.wantsPrint || request.wantsPicture else { return }
        for session in sessions {
            setBlocked(true, in: session)
            runScripts(false, in: session)
        }
        if request.wantsPicture { page.picture = try picture() }
        if request.wantsPrint {
            page.print = try taken(
                "Page.printToPDF",
                [
                    .init("printBackground", .bool(true)), .init("preferCSSPageSize", .bool(true)),
                    // A4, in inches, unless the page says another size.
                    .init("paperWidth", .number("8.27")), .init("paperHeight", .number("11.69")),
                ])
        }
        for session in sessions {
            if !isBlocked { setBlocked(false, in: session) }
            runScripts(true, in: session)
        }
    }

    private func picture() throws(BrowserFailure) -> [UInt8]? {
        let metrics = try ask("Page.getLayoutMetrics", [], session: mainSession, patience: .seconds(3))
        let height = metrics?.integer("cssContentSize", "height") ?? request.viewportHeight
        let clip: [JSON.Member] = [
            .init("x", .integer(0)), .init("y", .integer(0)), .init("width", .integer(request.viewportWidth)),
            .init("height", .integer(max(1, min(height, request.limits.pictureHeight)))), .init("scale", .integer(1)),
        ]
        return try taken(
            "Page.captureScreenshot",
            [
                .init("format", .string("png")), .init("captureBeyondViewport", .bool(true)),
                .init("clip", .object(clip)),
            ])
    }

    /// - Returns: `nil` if the browser does not make it in time, or makes it larger than a file may be.
    private func taken(_ method: String, _ parameters: [JSON.Member]) throws(BrowserFailure) -> [UInt8]? {
        let reply = try ask(method, parameters, session: mainSession, patience: .seconds(20))
        let bytes = reply?.value("data").flatMap { reply?.bytes(ofBase64: $0) }
        return bytes.flatMap { $0.count <= request.limits.bodyBytes ? $0 : nil }
    }
}
