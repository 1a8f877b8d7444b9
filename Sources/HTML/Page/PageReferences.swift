package import URLs

/// What a browser would fetch to show a document.
package struct PageReferences: Sendable {
    /// A sheet of 15 MB can name a million files. No more references than this are reported for a document.
    static let limit = 50_000

    /// In the order of the source. A URL that occurs twice is listed twice.
    package var references: [PageReference] = []
    /// The base of relative URLs.
    package var base: WebURL
}
