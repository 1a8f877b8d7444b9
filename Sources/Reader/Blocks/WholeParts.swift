internal import HTML

/// Parts of a page that are kept whole, though the model is unsure of a few of their words.
///
/// The model weighs words. That a list of which most is kept lacks its last item costs it little, and a person has lost
/// it. These rules look only at how a page is built.
enum WholeParts {
    /// The blocks that are kept besides those of a choice.
    ///
    /// - Parameter excluded: blocks that are never text.
    static func completed(_ features: BlockFeatures, _ kept: [Bool], excluded: [Bool]) -> [Bool] {
        guard kept.contains(true) else { return kept }
        let isText = StandingText(features, excluded: excluded).isText
        var kept = kept
        PlainLists.complete(&kept, features, isText)
        ArticleParts.complete(&kept, features, isText)
        Answers.complete(&kept, features, isText)
        OpenDetails.complete(&kept, features, isText)
        SmallPage.complete(&kept, features, isText)
        return kept
    }

    /// Keeps blocks, but no heading without what stands below it.
    static func keep(_ added: [Int], _ isKept: inout [Bool], _ features: BlockFeatures) {
        let blocks = features.blocks.blocks
        for block in added { isKept[block] = true }
        for block in added.reversed() {
            let tag = features.tree.nodes[Int(blocks[block].owner)].tag
            let isLast = block + 1 == blocks.count || !isKept[block + 1]
            if isLast, Tag.traits[Int(tag.rawValue)].contains(.heading) { isKept[block] = false }
        }
    }
}
