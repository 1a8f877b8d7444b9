internal import JSONFormat

/// Finds the closed shadow roots of a page.
enum ClosedRoots {
    private static let mark = Array("<template shadowrootmode=\"closed\"".utf8)

    /// The largest number of nodes examined.
    private static let limit = 4000

    static func areIn(_ html: [UInt8]) -> Bool { ByteReplacement.first(of: mark, in: html, from: 0) != nil }

    /// At least one node of each closed root of a frame's document, by its backend ID.
    ///
    /// DOMSnapshot has no nodes for the roots themselves: it reports for each node the kind of its root, and lists
    /// the root's children under the host. This function takes the first and the last child of each parent, and the
    /// page reports which of them share a root.
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
