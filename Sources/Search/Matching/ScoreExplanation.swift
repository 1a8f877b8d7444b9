/// The computation of a document's score: BM25F, term by term.
public struct ScoreExplanation: Equatable, Sendable {
    /// One term's part of the score.
    public struct Term: Equatable, Sendable {
        /// As in the query: `word`, `word*`, `"a phrase"`.
        public let term: String
        /// The number of documents with it.
        public let documentCount: Int
        /// Inverse document frequency.
        public let idf: Double
        /// Frequencies, weighted by field and normalised by the field's length.
        public let x: Double
        /// `idf · x / (k1 + x)`.
        public let score: Double
    }

    /// The words and phrases of the query that are scored, including those that add nothing.
    public let terms: [Term]
    /// The whole score: the sum over the terms, if there are any.
    public let score: Double
}
