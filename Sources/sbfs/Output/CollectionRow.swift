import StuffBucket

/// A collection in the list of all, with its counts and its look.
struct CollectionRow {
    /// With `/` between levels, in a spelling that exists.
    let name: String
    /// The number of levels above it.
    let depth: Int
    /// The number of items in it or in a nested one.
    let count: Int
    /// The number of items directly in it.
    let directCount: Int
    private let file: NamedFile?

    /// All collections, each after the one that contains it. Siblings are sorted by order, then by name.
    ///
    /// - Parameter withEmpty: whether to include those that have only a file.
    static func rows(_ facets: Facets, _ library: Library, withEmpty: Bool) throws -> [CollectionRow] {
        var nodes: [String: Node] = [:]
        for count in facets.collections { nodes[count.value, default: Node()].count = count.count }
        for count in facets.tags where count.value.hasPrefix(CollectionName.prefix) {
            let value = String(count.value.unicodeScalars.dropFirst(CollectionName.prefix.unicodeScalars.count))
            nodes[value]?.directCount = count.count
        }
        for file in try library.namedFiles(in: .collections).files {
            let folded = Folding.fold(file.name)
            if withEmpty || nodes[folded] != nil { nodes[folded, default: Node()].file = file }
        }
        let unspelt = nodes.filter { $0.value.file == nil }.map(\.key)
        for (folded, spelling) in zip(unspelt, try library.spellings(of: unspelt, in: .collections)) {
            nodes[folded]?.spelling = spelling
        }
        for (folded, node) in nodes {
            let spelling = node.file?.name ?? node.spelling
            nodes[folded]?.spelling = spelling
            // A collection around an empty one may have neither items nor a file.
            var outer = parent(of: spelling)
            while let name = outer, nodes[Folding.fold(name.name)] == nil {
                nodes[Folding.fold(name.name)] = Node(spelling: name.name)
                outer = name.parent
            }
        }
        var children: [String: [String]] = [:]
        for (folded, node) in nodes {
            let outer = parent(of: node.spelling).map { Folding.fold($0.name) } ?? ""
            // A collection whose folded name equals its parent's is placed at the top level.
            children[outer == folded ? "" : outer, default: []].append(folded)
        }
        var rows: [CollectionRow] = []
        var waiting = sorted(children[""] ?? [], nodes).map { ($0, 0) }
        while let (folded, depth) = waiting.popLast() {
            guard let node = nodes.removeValue(forKey: folded) else { continue }
            rows.append(
                CollectionRow(
                    name: node.spelling, depth: depth, count: node.count, directCount: node.directCount, file: node.file
                ))
            waiting += sorted(children[folded] ?? [], nodes).map { ($0, depth + 1) }
        }
        return rows
    }

    /// Names longer than the index stores have no parent: a person may have written any number of levels.
    private static func parent(of name: String) -> CollectionName? {
        name.utf8.count > 254 ? nil : CollectionName(name)?.parent
    }

    /// Last first, for use as a stack.
    private static func sorted(_ names: [String], _ nodes: [String: Node]) -> [String] {
        names.sorted { a, b in
            (nodes[a]?.file?.order ?? .infinity, a) > (nodes[b]?.file?.order ?? .infinity, b)
        }
    }

    private struct Node {
        var spelling = ""
        var count = 0
        var directCount = 0
        var file: NamedFile?
    }

    // MARK: Forms

    /// `  12  💼 Work  3 directly`, indented by its depth.
    func shown(_ style: Style, width: Int) -> String {
        let levels = CollectionName(name)?.levels ?? [name]
        let own = TextWidth.bounded(
            Printable.line(depth == 0 ? levels.joined(separator: "/") : levels.last ?? name))
        let look = Look(file)
        let number = String(repeating: " ", count: max(0, width - "\(count)".count)) + "\(count)"
        let direct = directCount == count ? "" : "  " + style.dim("\(directCount) directly")
        return number + "  " + String(repeating: "  ", count: min(depth, 40)) + look.mark + style.tag(own, look.colour)
            + direct
    }

    var json: JSON {
        .members([
            ("name", .string(name)), ("count", .integer(count)), ("directCount", .integer(directCount)),
            ("colour", file?.colour.map(JSON.string)), ("icon", file?.icon.map(JSON.string)),
            ("order", file?.order.map { .number(ManualRank.text($0)) }),
        ])
    }
}
