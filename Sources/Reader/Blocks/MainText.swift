/// The main text of a page: rules, and the model of blocks that decides.
struct MainText {
    let features: BlockFeatures
    let choice: BlockChoice
    /// Whether the names of classes and ids left nearly nothing, so that the page was read without them.
    let ignoresNames: Bool

    /// A result below so many words is nearly empty, if blocks of prose outside it hold `proseWords`.
    private static let fewWords: Float = 25
    private static let proseWords: Float = 150
    private static let tinyPage: Float = 40
    /// A result of more words is no mere footer.
    private static let footerWords: Float = 100

    /// - Parameter model: the model that decides. Where it keeps nothing but a footer, or nothing at all, the blocks
    ///   outside navigation and footers are the text (`PlainBlocks`).
    init(_ reading: PageReading, title: String?, model: BlockModel = .shared) {
        var features = Self.features(reading, title: title, hints: reading.hints)
        var choice = Self.choice(features, model, reading)
        var ignoresNames = false
        let all = features.sums.mass(0..<features.blocks.blocks.count)
        if Self.words(features, choice) < Self.fewWords, all.longWords > Self.proseWords {
            let plain = Self.features(
                reading, title: title, hints: Array(repeating: [], count: reading.tree.nodes.count))
            let second = Self.choice(plain, model, reading)
            if Self.words(plain, second) >= Self.fewWords { (features, choice, ignoresNames) = (plain, second, true) }
        }
        if Self.words(features, choice) < Self.footerWords {
            let plain = PlainBlocks(features)
            if !plain.holdsText(choice), plain.isKept.contains(true) { choice.keep(plain.isKept) }
        }
        (self.features, self.choice, self.ignoresNames) = (features, choice, ignoresNames)
    }

    func content(title: String?) -> Content {
        var content = chosen(title: title)
        QuoteSources.keep(in: &content)
        FormulaTwins.drop(in: content.tree, &content.isDropped)
        return content
    }

    private func chosen(title: String?) -> Content {
        // The model is made for whole pages. The few words of a tiny one are all that it has.
        if features.sums.words[features.blocks.blocks.count] < Self.tinyPage, !choice.isKept.contains(true) {
            return features.ruled
        }
        return ModelExtraction(features, choice).content(title: title)
    }

    private static func features(_ reading: PageReading, title: String?, hints: [Hints]) -> BlockFeatures {
        let rules = ContentExtraction.content(of: reading.tree, hints: hints, title: title)
        return BlockFeatures(
            reading.tree, hints, title: title, page: PageFeatures.of(reading.tags, reading.data, url: reading.url),
            rules: rules)
    }

    /// The features of a page's blocks as training sees them.
    static func features(_ reading: PageReading, title: String?) -> BlockFeatures {
        features(reading, title: title, hints: reading.hints)
    }

    private static func choice(_ features: BlockFeatures, _ model: BlockModel, _ reading: PageReading) -> BlockChoice {
        let caution = Caution(
            reading.tags, reading.data, url: reading.url, prose: features.rules.sums(features.blocks).proseWords)
        var probabilities: [Float] = []
        probabilities.reserveCapacity(features.blocks.blocks.count)
        let excluded = BlockVeto.excluded(features)
        features.forEach { number, row in
            let isRuled = features.rules.isKept[Int(features.blocks.blocks[number].first)]
            probabilities.append(
                excluded[number] ? 0 : model.probability(row) * (isRuled ? 1 : caution.trust))
        }
        var choice = BlockChoice(features.blocks.blocks, probabilities, caution)
        choice.keep(WholeParts.completed(features, BlockGaps.closed(features, choice), excluded: excluded))
        if choice.isKept.contains(true) {
            choice.keepNotes(NoteTargets.of(features, choice.isKept, excluded: excluded))
        }
        return choice
    }

    private static func words(_ features: BlockFeatures, _ choice: BlockChoice) -> Float {
        zip(features.blocks.blocks, choice.isKept).reduce(0) { $0 + ($1.1 ? $1.0.words : 0) }
    }
}
