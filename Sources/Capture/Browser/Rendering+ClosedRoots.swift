internal import JSONFormat

/// Scripts cannot reach closed shadow roots. The protocol names the nodes in them, and each of them gets the same
/// treatment as the document.
extension Rendering {
    /// - Parameter index: the frame's index, which is part of its sheets' names.
    /// - Returns: whether there was a closed root.
    func openClosedRoots(_ frame: Frame, _ index: Int) throws(BrowserFailure) -> Bool {
        guard let world = frame.world,
            let reply = try ask(
                "DOMSnapshot.captureSnapshot", [.init("computedStyles", .array([]))], session: frame.session,
                patience: .seconds(8))
        else { return false }
        let nodes = ClosedRoots.nodes(in: reply, frame: frame.id)
        let objects = try askAll(
            nodes.map { node -> Command in
                (
                    "DOM.resolveNode",
                    [.init("backendNodeId", .integer(node)), .init("executionContextId", .integer(world))],
                    frame.session
                )
            }, patience: .seconds(4)
        ).compactMap { $0?.string("object", "objectId") }
        if objects.isEmpty { return false }
        let left = request.limits.documentBytes / 4
        _ = try askAll(
            objects.map {
                call(
                    "function() { return sbfs.closed(this) && \(gathering("sbfs.closed(this)", left)) }", on: $0, nil,
                    frame.session, waits: true)
            }, patience: .seconds(4))
        let prefix = Self.sheetPrefix(index)
        let fixed = try askAll(
            objects.map {
                call("function() { return sbfs.fixClosed(this, \"\(prefix)\") }", on: $0, nil, frame.session)
            }, patience: .seconds(6))
        for case .some(let reply) in fixed { take(reply, frame: index) }
        return true
    }
}
