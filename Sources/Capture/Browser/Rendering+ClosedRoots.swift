internal import JSONFormat

/// Closed shadow roots are out of a script's reach: the protocol names what is in them, and what is done to the document
/// is then done to each of them.
extension Rendering {
    /// - Parameter index: the frame's place, which its sheets are named by.
    /// - Returns: whether there was one.
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

enum ClosedRoots {
    private static let mark = Array("<template shadowrootmode=\"closed\"".utf8)

    /// At most so many nodes are looked at for the roots that they are in.
    private static let limit = 4000

    static func areIn(_ html: [UInt8]) -> Bool { Replacement.first(of: mark, in: html, from: 0) != nil }

    /// At least one node of each closed root of a frame's document, by its backend ID.
    ///
    /// DOMSnapshot has no nodes for the roots themselves: it says of each node in which kind of root it is, and gives the
    /// root's children to the host. So the first and the last child of each parent are taken, and the page tells which
    /// of them share a root.
    static func nodes(in reply: DevToolsMessage, frame: String) -> [Int] {
        let document = reply.document
        let strings = reply.value("strings").map(document.elements) ?? []
        let text = { (place: Int?) -> String? in
            place.flatMap { strings.indices.contains($0) ? document.string(strings[$0]) : nil }
        }
        var found: [Int] = []
        for each in reply.value("documents").map(document.elements) ?? [] {
            guard text(document.member("frameId", of: each).flatMap(reply.integer)) == frame,
                let nodes = document.member("nodes", of: each),
                let kinds = document.member("shadowRootType", of: nodes),
                let ids = document.member("backendNodeId", of: nodes).map(document.elements),
                let parents = document.member("parentIndex", of: nodes).map(document.elements),
                let places = document.member("index", of: kinds).map(document.elements),
                let values = document.member("value", of: kinds).map(document.elements)
            else { continue }
            var first: Set<Int> = []
            var last: [Int: Int] = [:]
            for (place, value) in zip(places, values) where text(reply.integer(value)) == "closed" {
                guard let place = reply.integer(place), ids.indices.contains(place), parents.indices.contains(place),
                    let parent = reply.integer(parents[place]), let id = reply.integer(ids[place])
                else { continue }
                if first.insert(parent).inserted { found.append(id) } else { last[parent] = id }
                if found.count + last.count >= limit { break }
            }
            found += last.values
        }
        return found
    }
}
