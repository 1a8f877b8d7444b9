internal import HTML

/// The possible addresses of a picture, the most likely first.
enum ImageSources {
    /// How many addresses of a `srcset`, and how many children of a `picture`, are read.
    private static let limit = 16

    static func of(_ image: Int, _ tree: borrowing PageTree) -> [[UInt8]] {
        var sources: [[UInt8]] = []
        if let poster = tree.value(image, .poster) { add(Array(poster), to: &sources) }
        // The `src` of a lazy picture is a placeholder.
        for name in AttributeName.lateSources + [.src] {
            if let value = tree.value(image, name) { add(Array(value), to: &sources) }
        }
        addSets(of: image, tree, to: &sources)
        guard let picture = tree.ancestor(image, where: { tree.nodes[$0].tag == .picture }) else { return sources }
        var child = picture + 1
        for _ in 0..<limit where child < Int(tree.nodes[picture].end) {
            if tree.nodes[child].tag == .source { addSets(of: child, tree, to: &sources) }
            child = Int(tree.nodes[child].end)
        }
        return sources
    }

    /// The last address of a set is usually the largest picture.
    private static func addSets(of node: Int, _ tree: borrowing PageTree, to sources: inout [[UInt8]]) {
        for name in [.srcset] + AttributeName.lateSourceSets {
            guard let set = tree.value(node, name).map(Array.init) else { continue }
            for candidate in SourceSet.candidates(set).prefix(limit).reversed() {
                add(Array(set[candidate.url]), to: &sources)
            }
        }
    }

    private static func add(_ url: [UInt8], to sources: inout [[UInt8]]) {
        if !url.isEmpty, !url.starts(with: "data:".utf8) { sources.append(url) }
    }
}
