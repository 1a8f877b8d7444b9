internal import HTML

/// Which blocks are text by where they stand: not in navigation, a footer, a form with fields or the like, not mostly
/// links, and no copy of another part of the page. `WholeParts` adds no others.
struct StandingText {
    /// Whether each block is such text.
    private(set) var isText: [Bool]

    /// A longer block with the sign of copyright says more than that.
    private static let copyrightWords: Float = 40
    /// How far back the first place of a refrain is looked for.
    private static let refrainReach = 40

    /// - Parameter excluded: blocks that are never text (`BlockVeto`).
    init(_ features: BlockFeatures, excluded: [Bool]) {
        let (tree, blocks) = (features.tree, features.blocks.blocks)
        let fields = Self.fieldsBefore(tree)
        isText = excluded.map { !$0 }
        var index = 0
        while index < tree.nodes.count {
            let node = tree.nodes[index]
            let hasFields = fields[Int(node.end)] > fields[index]
            if node.tag != .text, Self.isAside(index, features, hasFields: hasFields) {
                for block in features.sums.range(index) { isText[block] = false }
                index = max(index + 1, Int(node.end))
            } else {
                index += 1
            }
        }
        for (number, block) in blocks.enumerated() where isText[number] {
            let isNotice = block.marks.contains(.copyright) && block.words < Self.copyrightWords
            if isNotice || block.linkWords * 2 > block.words || Self.isCopy(number, features) {
                isText[number] = false
            }
        }
    }

    /// Whether a node is a field or a button that a person can use.
    static func isField(_ node: Int, _ tree: borrowing PageTree) -> Bool {
        switch tree.nodes[node].tag {
        case .textarea, .select, .button: true
        case .input: !(tree.value(node, .type).map { $0.elementsEqual("hidden".utf8) } ?? false)
        default: false
        }
    }

    /// The number of such fields before each node.
    private static func fieldsBefore(_ tree: borrowing PageTree) -> [Int32] {
        var fields: [Int32] = [0]
        fields.reserveCapacity(tree.nodes.count + 1)
        for index in tree.nodes.indices { fields.append(fields[index] + (isField(index, tree) ? 1 : 0)) }
        return fields
    }

    private static func isAside(_ index: Int, _ features: BlockFeatures, hasFields: Bool) -> Bool {
        let hints = features.hints[index]
        let tag = features.tree.nodes[index].tag
        if tag == .html || tag == .body || tag == .main || tag == .article || hints.contains(.notice) { return false }
        // Names on most of a page describe its layout.
        let isMost = features.sums.words(of: index) * 2 >= features.sums.words[features.blocks.blocks.count]
        switch tag {
        case .nav, .aside, .footer, .button, .label, .dialog, .h1, .address: return true
        case .form where hasFields: return true
        default:
            return !hints.isDisjoint(with: [.footer, .navigation])
                || !isMost && !hints.isDisjoint(with: Hints.boilerplate)
        }
    }

    /// Whether a block is a copy of an earlier one. The refrain of a song is none: it comes back beside its first place.
    private static func isCopy(_ number: Int, _ features: BlockFeatures) -> Bool {
        guard features.copies.earlier[number] > 0 else { return false }
        let (nodes, blocks) = (features.tree.nodes, features.blocks.blocks)
        func parent(_ block: Int) -> Int32 { nodes[Int(blocks[block].owner)].parent }
        return !(max(0, number - refrainReach)..<number).contains {
            blocks[$0].hash == blocks[number].hash && parent($0) == parent(number)
        }
    }
}
