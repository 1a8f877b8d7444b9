import Characters

/// A formula that a page holds twice: as MathML, and drawn with boxes or as a picture for the eye. The second is marked
/// as hidden from readers of the text and stands beside the first.
enum FormulaTwins {
    /// Elements up to the one around both.
    private static let depthLimit = 5
    /// Nodes of an element beside a formula that may be blank.
    private static let nodeLimit = 64

    static func drop(in tree: PageTree, _ isDropped: inout [Bool]) {
        var seen: Set<Int> = []
        let formulas = tree.formulaParts.lazy.filter { $0.value == .math }.map { Int($0.key) }
        for formula in formulas.sorted() where !isDropped[formula] {
            var node = formula
            for _ in 0..<depthLimit {
                let parent = Int(tree.nodes[node].parent)
                if parent <= 0 || Tag.traits[Int(tree.nodes[parent].tag.rawValue)].contains(.block) { break }
                if !seen.insert(parent).inserted { break }
                if !dropTwins(of: node, in: parent, tree, &isDropped) { break }
                node = parent
            }
        }
    }

    /// - Returns: whether the parent holds nothing else.
    private static func dropTwins(of node: Int, in parent: Int, _ tree: PageTree, _ isDropped: inout [Bool]) -> Bool {
        var holdsMore = false
        var child = parent + 1
        while child < Int(tree.nodes[parent].end) {
            let end = Int(tree.nodes[child].end)
            if tree.value(child, .ariaHidden)?.elementsEqual("true".utf8) ?? false, child != node {
                for index in child..<end { isDropped[index] = true }
            } else if child != node, end - child > nodeLimit || !tree.collapsedText(child, limit: 1).isEmpty {
                holdsMore = true
            }
            child = end
        }
        return !holdsMore
    }
}
