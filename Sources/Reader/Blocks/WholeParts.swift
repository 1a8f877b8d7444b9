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
}
