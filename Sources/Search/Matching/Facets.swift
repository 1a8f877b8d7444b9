/// How many matching documents have each tag, collection and type.
package struct Facets: Equatable, Sendable {
    package struct Count: Equatable, Sendable {
        /// The folded value.
        package let value: String
        package let count: Int
    }

    /// Most frequent first, then by value.
    package var tags: [Count] = []
    package var collections: [Count] = []
    package var types: [Count] = []
}
