internal import URLs

/// What to write for one reference.
enum ReferenceAnswer {
    /// The source's own bytes.
    case keep
    /// Another URL, not yet escaped for its place.
    case value([UInt8])
    /// An SVG file, and its URL with the fragment that is wanted.
    case sprite([UInt8], WebURL)
    /// Nothing. The absolute URL is kept for later, and is empty if there is none.
    case missing([UInt8])
}
