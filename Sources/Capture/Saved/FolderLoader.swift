internal import Files
internal import HTML
internal import URLs

/// Gives the files that a browser put beside an HTML file when it saved the page with all its parts: those whose URL, seen
/// from the page's, leads below the HTML file's own folder.
final class FolderLoader: ResourceLoader {
    private let folder: Directory
    /// The page's URL up to its last slash.
    private let base: String

    /// - Parameter path: of the HTML file.
    init(besides path: String, page: WebURL) throws {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        folder = try Directory(path: slash.map { String(path[...$0]) } ?? ".")
        base = WebURL(".", base: page)?.href ?? page.href
    }

    func load(
        _ url: WebURL, for purpose: FetchRequest.Purpose, from referrer: WebURL,
        _ done: @escaping (Result<LoadedResource, LoadFailure>) -> Void
    ) {
        let missing = LoadFailure.unobtainable("it is not beside the saved file")
        let href = url.withoutFragment.href
        guard href.hasPrefix(base) else { return done(.failure(missing)) }
        let path = href.dropFirst(base.count).prefix { $0 != "?" }
        let name = String(decoding: PercentEncoding.decoded(path.utf8), as: UTF8.self)
        // Below the folder only, without links and hidden names: what is opened is what the person saved, not the keys and
        // settings that lie beside it where the folder is their home.
        let isHidden = name.utf8.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") }
        guard Directory.isSafe(name), !isHidden, let file = try? folder.contents(of: name, limit: 64 << 20) else {
            return done(.failure(missing))
        }
        done(.success(LoadedResource(url: url, contentType: Self.type(of: name), body: file.bytes)))
    }

    func finish() {}

    /// Files say what they are by their names, where their bytes do not.
    private static func type(of name: String) -> String? {
        let suffixes = [
            ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html", ".htm": "text/html",
            ".xhtml": "application/xhtml+xml", ".vtt": "text/vtt",
        ]
        let lower = name.lowercased()
        return suffixes.first { lower.hasSuffix($0.key) }?.value
    }
}
