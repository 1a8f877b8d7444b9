internal import HTML

/// The notes to which marks in the kept text lead: "1", "[2]" or "*" as a link within the page. A mark without its note
/// leads nowhere.
struct NoteTargets {
    /// The blocks of the notes that were not kept.
    private(set) var blocks: [Int] = []
    /// Whether they are so many words beside those of the text that they are an apparatus, such as the sources of a
    /// study: it is shown, and is not part of the running text.
    private(set) var areBeside = false

    private static let markLimit = 2000
    private static let markBytes = 8
    /// A longer target is a section.
    private static let noteWords: Float = 200
    private static let noteBlocks = 40
    private static let leastWords: Float = 20
    private static let share: Float = 0.15

    private struct Mark {
        let block: Int
        let name: ArraySlice<UInt8>
    }

    static func of(_ features: BlockFeatures, _ isKept: [Bool], excluded: [Bool]) -> NoteTargets {
        var targets = NoteTargets()
        let marks = marks(features, isKept)
        if marks.isEmpty { return targets }
        let tree = features.tree
        let named = elements(named: Set(marks.map(\.name)), tree)
        var notes: Set<Int> = []
        for mark in marks {
            guard var target = named[mark.name] else { continue }
            while target > 0, !isBlock(target, tree) { target = Int(tree.nodes[target].parent) }
            let range = features.sums.range(target)
            guard range.lowerBound > mark.block, !range.isEmpty, range.count <= noteBlocks,
                features.sums.words(of: target) < noteWords
            else { continue }
            for block in range where !isKept[block] && !excluded[block] && !isHeading(block, features) {
                notes.insert(block)
            }
        }
        targets.blocks = notes.sorted()
        let all = features.blocks.blocks
        let kept = all.indices.reduce(Float(0)) { $0 + (isKept[$1] ? all[$1].words : 0) }
        let added = targets.blocks.reduce(Float(0)) { $0 + all[$1].words }
        targets.areBeside = added > max(leastWords, kept * share)
        return targets
    }

    private static func isBlock(_ node: Int, _ tree: borrowing PageTree) -> Bool {
        Tag.traits[Int(tree.nodes[node].tag.rawValue)].contains(.block)
    }

    private static func isHeading(_ block: Int, _ features: BlockFeatures) -> Bool {
        Tag.traits[Int(features.tree.nodes[Int(features.blocks.blocks[block].owner)].tag.rawValue)].contains(.heading)
    }

    /// The marks in the kept blocks.
    private static func marks(_ features: BlockFeatures, _ isKept: [Bool]) -> [Mark] {
        let tree = features.tree
        var found: [Mark] = []
        for (number, block) in features.blocks.blocks.enumerated() where isKept[number] && block.links > 0 {
            for index in Int(block.first)..<Int(block.end) where found.count < markLimit {
                guard tree.nodes[index].tag == .text, tree.bytes(index).count <= markBytes, isMark(tree.bytes(index))
                else { continue }
                // The link may hold the `sup`, or the `sup` the link.
                var link = Int(tree.nodes[index].parent)
                for _ in 0..<3 where tree.nodes[link].tag != .a && link > 0 { link = Int(tree.nodes[link].parent) }
                guard tree.nodes[link].tag == .a, let href = tree.value(link, .href), href.count > 1,
                    href.first == UInt8(ascii: "#")
                else { continue }
                found.append(Mark(block: number, name: href.dropFirst()))
            }
        }
        return found
    }

    /// Whether a text is a number, one letter or signs, in brackets or not.
    private static func isMark(_ text: ArraySlice<UInt8>) -> Bool {
        let brackets = Array("[]().^".utf8)
        let inner = text.filter { !$0.isHTMLSpace && !brackets.contains($0) }
        if inner.isEmpty { return false }
        return inner.allSatisfy(\.isDigit) || inner.count == 1 || !inner.contains { $0.isLetter || $0.isDigit }
    }

    /// The first element with each name.
    private static func elements(
        named names: Set<ArraySlice<UInt8>>, _ tree: borrowing PageTree
    ) -> [ArraySlice<UInt8>: Int] {
        var found: [ArraySlice<UInt8>: Int] = [:]
        for index in tree.nodes.indices where tree.nodes[index].tag != .text {
            guard let name = tree.value(index, .id) ?? (tree.nodes[index].tag == .a ? tree.value(index, .name) : nil),
                names.contains(name), found[name] == nil
            else { continue }
            found[name] = index
        }
        return found
    }
}
