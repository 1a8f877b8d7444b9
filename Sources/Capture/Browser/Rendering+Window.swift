internal import JSONFormat

/// What a page does with its window: dialogs that cover it, and heights that follow it.
extension Rendering {
    /// Hides what covers the page, and releases its scroll lock.
    func uncover() throws(BrowserFailure) {
        if request.keepsCovers { return }
        page.coverCount =
            try evaluate("sbfs.uncover()", patience: .seconds(8))?.integer("result", "value") ?? page.coverCount
    }

    /// Finds the heights that scripts set to the window's: it gets another height for a moment.
    func followHeights() throws(BrowserFailure) {
        guard let count = try evaluate("sbfs.heights()")?.integer("result", "value"), count > 0 else { return }
        let change = -113
        setWindow(height: request.viewportHeight + change)
        _ = try evaluate("sbfs.measure(\(change))", waits: true)
        setWindow(height: request.viewportHeight)
        _ = try evaluate("sbfs.restored()", waits: true)
    }

    func setWindow(height: Int) {
        browser.post(
            "Emulation.setDeviceMetricsOverride",
            [
                .init("width", .integer(request.viewportWidth)), .init("height", .integer(height)),
                .init("deviceScaleFactor", .integer(1)), .init("mobile", .bool(false)),
                // The page does not see this scale. Nobody looks at its pixels, and a hundredth of them is drawn faster.
                .init("scale", request.wantsPicture ? .integer(1) : .number("0.1")),
            ], session: mainSession)
    }

    /// Has WebGL keep each drawing, so that it can be read after the frame in which it was drawn.
    func keepDrawings(in session: String) {
        let script = """
            (() => {
              const plain = HTMLCanvasElement.prototype.getContext;
              HTMLCanvasElement.prototype.getContext = function getContext(kind, attributes) {
                return /^(experimental-)?webgl2?$/.test(kind)
                  ? plain.call(this, kind, {...attributes, preserveDrawingBuffer: true}) : plain.apply(this, arguments);
              };
            })()
            """
        browser.post(
            "Page.addScriptToEvaluateOnNewDocument", [.init("source", .string(script))], session: session)
    }
}
