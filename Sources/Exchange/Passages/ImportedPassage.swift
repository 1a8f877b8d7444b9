internal import Characters

/// One passage of a work, as it stands in an item's text.
public struct ImportedPassage: Sendable, Equatable {
    /// The passage as it is written into the item's text.
    public let text: String
    /// The words that were marked and noted, in the form of `Passages.words`.
    let parts: [[UInt8]]

    /// - Parameter words: those of a text, in the form of `Passages.words`.
    public func isIn(_ words: [UInt8]) -> Bool {
        let own = parts.isEmpty ? [Passages.words(Array(text.utf8))] : parts
        return own.allSatisfy { $0.isEmpty || words[...].firstRange(ofBytes: $0) != nil }
    }
}
