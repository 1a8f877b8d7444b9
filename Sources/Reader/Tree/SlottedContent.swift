internal import HTML

/// Puts the content of a host into the slots of its shadow root, where a browser shows it.
///
/// Each node moves once at most, so time is linear. What has no slot stays behind the shadow root.
struct SlottedContent {
    private let old: PageTree
    private var new: [PageTree.Node] = []
    private var formulaParts: [Int32: FormulaPart] = [:]
    private var drawings: [Int32: Drawing] = [:]
    /// The shadow root of each host that has one.
    private let rootOfHost: [Int: Int]
    private var isTooDeep = false

    /// The content of one host that waits for its slots, and that of the host around the root in which this one is.
    private final class Waiting {
        var byName: [[UInt8]: [Int]] = [:]
        let outer: Waiting?
        init(outer: Waiting?) { self.outer = outer }
    }

    static func place(in tree: inout PageTree) {
        if tree.shadowRoots.isEmpty || !tree.nodes.contains(where: { $0.tag == .slot }) { return }
        var placing = SlottedContent(tree)
        placing.add(0, parent: -1, nil, depth: 0)
        if placing.isTooDeep { return }
        tree.nodes = placing.new
        tree.formulaParts = placing.formulaParts
        tree.drawings = placing.drawings
    }

    private init(_ tree: PageTree) {
        old = tree
        rootOfHost = Dictionary(tree.shadowRoots.map { (Int(tree.nodes[$0].parent), $0) }) { first, _ in first }
        new.reserveCapacity(tree.nodes.count)
    }

    private func children(_ node: Int) -> [Int] {
        var children: [Int] = []
        var child = node + 1
        while child < Int(old.nodes[node].end) {
            children.append(child)
            child = Int(old.nodes[child].end)
        }
        return children
    }

    /// Adds a node with what a browser shows in it.
    private mutating func add(_ node: Int, parent: Int32, _ waiting: Waiting?, depth: Int) {
        // What is moved is deeper than it was. Then the page stays as it is.
        if depth >= PageTree.depthLimit { isTooDeep = true }
        if isTooDeep { return }
        let place = new.count
        new.append(old.nodes[node])
        new[place].parent = parent
        if let part = old.formulaParts[Int32(node)] { formulaParts[Int32(place)] = part }
        if let drawing = old.drawings[Int32(node)] { drawings[Int32(place)] = drawing }
        let parent = Int32(place)
        if let root = rootOfHost[node] {
            let own = Waiting(outer: waiting)
            let light = children(node).filter { $0 != root }
            for child in light {
                own.byName[old.value(child, .slot).map(Array.init) ?? [], default: []].append(child)
            }
            add(root, parent: parent, own, depth: depth + 1)
            let left = Set(own.byName.values.joined())
            for child in light where left.contains(child) { add(child, parent: parent, waiting, depth: depth + 1) }
        } else if old.nodes[node].tag == .slot, let waiting,
            let found = waiting.byName.removeValue(forKey: old.value(node, .name).map(Array.init) ?? [])
        {
            for child in found { add(child, parent: parent, waiting.outer, depth: depth + 1) }
        } else if old.nodes[node].tag != .text {
            for child in children(node) { add(child, parent: parent, waiting, depth: depth + 1) }
        }
        if new[place].tag == .slot { new[place].tag = .other }
        new[place].end = Int32(new.count)
    }
}
