internal import Files
internal import HTML
internal import URLs
package import WorkerProtocol

/// A page that a person saved with another program: HTML (SingleFile, "save page as"), MHTML, or a .webarchive.
package enum SavedPageFile {
    /// The limit for a file: 128 MiB. The file and its text are in memory together, and a capture may use 300 MB.
    static let byteLimit = 128 << 20

    /// The kind of a file, and the page that it claims to hold.
    package struct Identity: Sendable, Equatable {
        package let kind: SavedPageKind
        /// An http or https URL; `nil` if the file states none.
        package let url: String?
    }

    /// Identifies a file by its content, not by its name.
    ///
    /// - Returns: `nil` if it is no saved page.
    package static func identify(_ bytes: [UInt8]) -> Identity? {
        if WebArchive.isOne(bytes) {
            return Identity(kind: .webarchive, url: WebArchive(bytes)?.main.url)
        }
        if let archive = MHTMLArchive(bytes) { return Identity(kind: .mhtml, url: archive.url) }
        let type = ContentSniffing.type(of: bytes, said: nil, for: .document)
        guard type == "text/html" || type == "application/xhtml+xml" else { return nil }
        return Identity(kind: .html, url: SavedHTML.url(of: bytes))
    }

    /// Identifies the file at a path.
    package static func identify(path: String) throws -> Identity? { identify(try read(path)) }

    private static func read(_ path: String) throws -> [UInt8] {
        let file = try Descriptor.open(path: path)
        return try file.readAll(expecting: file.status().byteCount, limit: byteLimit)
    }

    /// The page, and a loader for the files that it refers to.
    ///
    /// - Parameter url: the link whose page the file holds.
    static func open(_ path: String, for url: WebURL) throws -> (PageSource, any ResourceLoader) {
        let bytes = try read(path)
        guard let identity = identify(bytes) else {
            throw CaptureFailure(.noSavedPage, CaptureDetail(.noSavedPage, path))
        }
        let own = identity.url.flatMap { WebURL($0) } ?? url
        switch identity.kind {
        case .html:
            let (encoding, _) = CharacterEncoding.ofPage(bytes, contentType: nil)
            // A browser rendered the page before another program saved it, so its scripts have run.
            let context = PageContext(url: own, hasRunScripts: true, resolvesLazyImages: true)
            let source = PageSource(
                html: encoding.decode(bytes).utf8, context: context, encoding: encoding, status: 200, frames: [],
                capturedBy: "user", finalURL: own)
            return (source, FolderLoader(besides: path, page: own))
        case .mhtml:
            guard let archive = MHTMLArchive(bytes), let main = archive.main else {
                throw CaptureFailure(.noSavedPage, CaptureDetail(.emptyMHTML, path))
            }
            var source = Self.source(main, own)
            source.cut = archive.isCut ? CaptureDetail(.cutFile) : nil
            return (source, TableLoader(archive.parts))
        case .webarchive:
            guard let archive = WebArchive(bytes) else {
                throw CaptureFailure(.noSavedPage, CaptureDetail(.brokenWebArchive, path))
            }
            return (Self.source(archive.main, own), TableLoader(archive.resources))
        }
    }

    private static func source(_ main: SavedResource, _ url: WebURL) -> PageSource {
        let (encoding, _) = CharacterEncoding.ofPage(main.body, contentType: main.contentType)
        let isXML = main.contentType.flatMap { MIMEType(header: $0) }?.essence == "application/xhtml+xml"
        let context = PageContext(
            url: url, syntax: isXML ? .xhtml : .html, hasRunScripts: true, resolvesLazyImages: true)
        return PageSource(
            html: encoding.decode(main.body).utf8, context: context, encoding: encoding, status: 200, frames: [],
            capturedBy: "user", finalURL: url)
    }
}

/// One resource in an archive of another program.
struct SavedResource {
    /// As spelt in the archive: absolute, or a `cid:`.
    let url: String
    let contentType: String?
    let body: [UInt8]
}
