/// How a document's score came about: BM25F, term by term.
public struct ScoreExplanation: Equatable, Sendable {
    /// What one word of the query adds.
    public struct Term: Equatable, Sendable {
        /// As the query has it: `word`, `word*`, `"a phrase"`.
        public let term: String
        /// Documents of the index that hold it.
        public let documentCount: Int
        /// Inverse document frequency.
        public let idf: Double
        /// Frequencies weighted by field and normalised by its length.
        public let x: Double
        /// `idf · x / (k1 + x)`.
        public let score: Double
    }

    /// The words and phrases of the query that count for the score, also those that add nothing.
    public let terms: [Term]
    /// The whole score: the sum over the terms, where there are any.
    public let score: Double
}
