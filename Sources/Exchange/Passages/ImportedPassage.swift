internal import Characters

/// One highlight of a publication, in an item's text.
package struct ImportedPassage: Sendable, Equatable {
    /// The highlight as written into the item's text.
    package let text: String
    /// The highlighted words and the note, in the form of `Passages.words`.
    let parts: [[UInt8]]

    /// - Parameter words: the words of a text, in the form of `Passages.words`.
    package func isIn(_ words: [UInt8]) -> Bool {
        let own = parts.isEmpty ? [Passages.words(Array(text.utf8))] : parts
        return own.allSatisfy { $0.isEmpty || words[...].firstRange(ofBytes: $0) != nil }
    }
}
