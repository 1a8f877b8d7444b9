internal import Files
internal import Glibc
internal import HTML
internal import URLs

/// Loads the files that a browser stored beside an HTML file when it saved the complete page. Only URLs that lead
/// from the page's URL into the page's own folder count. That folder is named after the file: `page_files` for
/// `page.html`.
package final class FolderLoader: ResourceLoader {
    /// Paths of the page's own folders, by name.
    private let folders: [String: String]
    /// The page's URL up to its last slash.
    private let base: String

    /// - Parameter path: the HTML file.
    init(besides path: String, page: WebURL) {
        folders = Dictionary(
            Self.folders(besides: path).map { ($0.split(separator: "/").last.map(String.init) ?? $0, $0) },
            uniquingKeysWith: { first, _ in first })
        base = WebURL(".", base: page)?.href ?? page.href
    }

    /// The existing folders of the page, as paths like the file's. Links are ignored.
    package static func folders(besides path: String) -> [String] {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { String(path[...$0]) } ?? ""
        let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        return CompanionFolder.names(for: name).map { folder + $0 }.filter { path in
            var status = stat()
            return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        }
    }

    func load(
        _ url: WebURL, for purpose: FetchRequest.Purpose, from referrer: WebURL,
        _ done: @escaping (Result<LoadedResource, LoadFailure>) -> Void
    ) {
        let missing = LoadFailure.unobtainable
        let href = url.withoutFragment.href
        guard href.hasPrefix(base) else { return done(.failure(missing)) }
        let path = href.dropFirst(base.count).prefix { $0 != "?" }
        let name = String(decoding: PercentEncoding.decoded(path.utf8), as: UTF8.self)
        // Only in the page's own folder, without links and hidden names: the files saved with the page, and not
        // others from a folder of downloads or a home folder.
        let isHidden = name.utf8.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") }
        guard Directory.isSafe(name), !isHidden, let slash = name.utf8.firstIndex(of: UInt8(ascii: "/")),
            let folder = folders[String(name[..<slash])],
            let file = try? Directory(path: folder).contents(
                of: String(name[name.utf8.index(after: slash)...]), limit: 64 << 20)
        else {
            return done(.failure(missing))
        }
        done(.success(LoadedResource(url: url, contentType: Self.type(of: name), body: file.bytes)))
    }

    func finish() {}

    /// The type from the file's name, for bytes that do not show it.
    private static func type(of name: String) -> String? {
        let suffixes = [
            ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html", ".htm": "text/html",
            ".xhtml": "application/xhtml+xml", ".vtt": "text/vtt",
        ]
        let lower = name.lowercased()
        return suffixes.first { lower.hasSuffix($0.key) }?.value
    }
}
