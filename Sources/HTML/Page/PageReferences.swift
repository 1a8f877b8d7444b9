package import URLs

/// What a document would fetch to be shown.
package struct PageReferences: Sendable {
    /// A sheet of 15 MB may name a million files; no more references than these are told of one document.
    static let limit = 50_000

    /// In the order of the source; a URL that is named twice is in it twice.
    package var references: [PageReference] = []
    /// What relative URLs were resolved against.
    package var base: WebURL
}
