package import URLs

/// What a document would fetch to be shown.
package struct PageReferences: Sendable {
    /// In the order of the source; a URL that is named twice is in it twice.
    package var references: [PageReference] = []
    /// What relative URLs were resolved against.
    package var base: WebURL
}
