internal import HTML
internal import JSONFormat

/// What the page's style sheets ask of custom elements, also those from other origins, which scripts may not read.
extension Rendering {
    private static let sheetLimit = 16 << 20

    /// - Returns: an expression for `sbfs.fix`: the names of states, and whether a sheet selects by `:defined`.
    func askedOfElements(_ frames: [Frame]) throws(BrowserFailure) -> String {
        let hidden = try evaluateAll(frames, patience: .seconds(4)) { _ in "sbfs.hasHiddenSheets()" }
        guard hidden.contains(where: { $0?.flag("result", "value") == true }) else { return "null" }
        var left = Self.sheetLimit
        let sheets = exchanges.all.filter { exchange in
            guard exchange.kind == "Stylesheet", case .finished = exchange.state, exchange.byteCount <= left else {
                return false
            }
            left -= exchange.byteCount
            return true
        }
        let bodies = try askAll(
            sheets.map { ("Network.getResponseBody", [.init("requestId", .string($0.id))], $0.session) },
            patience: .seconds(4))
        var asked = ElementSelectors()
        for body in bodies {
            if let body, body.flag("base64Encoded") != true, let text = body.value("body") {
                asked.read(body.bytes(text) ?? [])
            }
        }
        let json = JSON.members([("states", .strings(asked.states)), ("defined", .bool(asked.namesDefined))])
        return String(decoding: json.oneLine, as: UTF8.self)
    }
}
