internal import URLs

/// What is written for one reference.
enum ReferenceAnswer {
    /// The source's own bytes.
    case keep
    /// Another URL, not yet escaped for where it stands.
    case value([UInt8])
    /// An SVG file, and its URL with the fragment that is wanted.
    case sprite([UInt8], WebURL)
    /// Nothing; with the absolute URL for whoever looks for it later, empty if there is none.
    case missing([UInt8])
}
