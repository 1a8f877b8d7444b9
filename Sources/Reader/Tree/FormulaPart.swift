/// The elements of a formula (MathML) that give it its meaning, by their names. All others only group.
enum FormulaPart: String, Sendable {
    case math, mrow
    // Leaves.
    case mi, mn, mo, mtext, ms
    case mfrac, msup, msub, msubsup, msqrt, mroot, munder, mover, munderover
    case mtable, mtr, mtd, mfenced, mphantom
    /// The formula in TeX, beside it.
    case source

    var isLeaf: Bool {
        switch self {
        case .mi, .mn, .mo, .mtext, .ms: true
        default: false
        }
    }

    /// Whether its text, one part after the other, has another meaning.
    var isStructure: Bool {
        switch self {
        case .math, .mrow, .mi, .mn, .mo, .mtext, .ms, .mphantom, .source: false
        default: true
        }
    }
}

extension PageTree {
    /// What a node is in a formula.
    func part(_ node: Int) -> FormulaPart? { formulaParts[Int32(node)] }

    /// Whether a formula is more than a row of signs.
    func hasStructure(_ formula: Int) -> Bool {
        (formula..<Int(nodes[formula].end)).contains { part($0)?.isStructure ?? false }
    }

    /// Whether a node is a formula with text that is not dropped.
    func isFormula(_ node: Int, _ isDropped: borrowing [Bool]) -> Bool {
        guard nodes[node].tag == .other, part(node) == .math else { return false }
        for index in node..<Int(nodes[node].end) where nodes[index].tag == .text && !isDropped[index] { return true }
        return false
    }
}
