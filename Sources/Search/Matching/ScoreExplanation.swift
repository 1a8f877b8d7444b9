/// How a document's score came about: BM25F, term by term.
package struct ScoreExplanation: Equatable, Sendable {
    package struct Term: Equatable, Sendable {
        /// As the query has it: `word`, `word*`, `"a phrase"`.
        package let term: String
        /// Documents of the index that hold it.
        package let documentCount: Int
        /// Inverse document frequency.
        package let idf: Double
        /// Frequencies weighted by field and normalised by its length.
        package let x: Double
        /// `idf · x / (k1 + x)`.
        package let score: Double
    }

    package let terms: [Term]
    package let score: Double
}
