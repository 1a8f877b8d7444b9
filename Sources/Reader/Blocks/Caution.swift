/// How careful the choice of blocks is.
///
/// Around the text of an article stands much that resembles it: teasers, comments, notes about the author. Around that of
/// a product stand other products. The parts of lists and answers are all alike, so doubtful blocks are kept there, and of
/// documentation nearly all is text.
struct Caution {
    /// The power to which probabilities are raised. With more than 1, fewer doubtful blocks are kept.
    private(set) var power: Float = 1
    /// What the probability of a block that the rules drop is multiplied by.
    private(set) var trust: Float = 1

    /// With fewer words of prose that the rules keep, the rules have not found the article.
    private static let leastProse: Float = 150

    /// - Parameter prose: the words that the rules keep in blocks of twenty words and more.
    init(_ tags: MetaTags, _ data: StructuredData, url: String, prose: Float) {
        let kind = tags.first("og:type")?.lowercased() ?? ""
        let types = data.types
        let isProduct =
            kind.hasPrefix("product") || kind.hasPrefix("og:product")
            || types.contains { $0 == "product" || $0 == "offer" }
        let isArticle =
            kind.hasPrefix("article") || tags.first("article:published_time") != nil
            || types.contains { $0.hasSuffix("article") || $0.hasSuffix("posting") }
        if isProduct || DocumentationAddress.isOne(url) {
            power = isProduct ? 1.25 : 0.7
            return
        }
        if !isArticle { return }
        if prose < Self.leastProse || types.contains(where: Self.isMany) {
            power = 1.5
        } else {
            power = 1.75
            trust = 0.7
        }
    }

    /// Whether a type is of a page with many texts of equal rank.
    private static func isMany(_ type: String) -> Bool {
        [
            "itemlist", "collectionpage", "searchresultspage", "discussionforumposting", "qapage", "comment",
            "question",
        ].contains(type)
    }
}
