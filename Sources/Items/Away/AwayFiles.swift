internal import Files
internal import JSONFormat

/// The saved page and the document of an item that are not on this device, because an exchange holds them: the file
/// `.sbfs/away/<shard>/<id>`. DeviceFiles.md § D13.
///
/// A file of the same path in the item's folder always comes first.
public struct AwayFiles: Sendable {
    /// A file that is away.
    package struct File: Hashable, Sendable {
        /// The file as a version records it; its path is relative to the item's folder.
        package let file: Version.File
        /// Nanoseconds since 1970.
        package let modified: Int64

        package init(_ file: Version.File, modified: Int64) {
            self.file = file
            self.modified = modified
        }
    }

    /// page.html, reader.html and the files in assets/, sorted by path.
    package var page: [File] = []
    /// The object of the exchange that has the page; `nil` without a page.
    package var bundle: ContentHash?
    /// The document.
    package var document: File?
    /// Whether the person chose that the item's files are on this device: a thin replica leaves them here.
    package var isKept = false
    /// Whether no exchange had all of it when this device synced last: it is unavailable until another device writes it again.
    package var isLost = false

    package init() {}

    /// Whether page.html is away.
    public var hasPage: Bool { page.contains { $0.file.path == Layout.pageFile } }
    /// Whether reader.html is away.
    public var hasReader: Bool { page.contains { $0.file.path == Layout.readerFile } }
    /// The path of the document that is away, relative to the item's folder; `nil` without one.
    public var documentPath: String? { document?.file.path }
    /// Paths of page.html, reader.html and the document, as far as they are away.
    public var paths: [String] {
        [hasPage ? Layout.pageFile : nil, hasReader ? Layout.readerFile : nil, documentPath].compactMap { $0 }
    }
    /// The name of the document that is away; `nil` without one.
    public var documentName: String? {
        document.map { String(Substring($0.file.path.utf8.dropFirst(Layout.document.utf8.count + 1))) }
    }
    /// The sum of the files' sizes in bytes.
    public var byteCount: Int { all.reduce(0) { $0 + $1.file.size } }
    /// The size of the document in bytes; 0 without one.
    public var documentByteCount: Int { document?.file.size ?? 0 }
    /// Whether nothing is away.
    public var isEmpty: Bool { page.isEmpty && document == nil }

    /// All files, sorted by path.
    package var all: [File] {
        (page + [document].compactMap { $0 }).sorted { $0.file.path.utf8.lexicographicallyPrecedes($1.file.path.utf8) }
    }

    /// The files of a component of a version.
    package func files(of component: Component) -> [File] {
        component == .page ? page : component == .document ? [document].compactMap { $0 } : []
    }

    // MARK: JSON

    /// The largest record that is read, in bytes.
    package static let byteLimit = 64 << 20

    package var bytes: [UInt8] {
        let files = all.map { away in
            JSON.members([
                ("path", .string(away.file.path)), ("sha256", .string(away.file.sha256.hex)),
                ("size", .integer(away.file.size)), ("modified", .string(String(away.modified))),
            ])
        }
        return JSONWriter.file(
            .members([
                ("kept", isKept ? .bool(true) : nil), ("lost", isLost ? .bool(true) : nil),
                ("bundle", bundle.map { .string($0.hex) }),
                ("files", files.isEmpty ? nil : .array(files)),
            ]))
    }

    /// - Returns: `nil` if the bytes are no such record: nothing is known to be away then.
    package init?(_ bytes: [UInt8]) {
        guard let json = try? JSONDocument(parsing: bytes), json.kind(json.root) == .object else { return nil }
        func text(_ key: String, _ value: JSONDocument.Value) -> String? {
            json.member(key, of: value).flatMap { json.string($0) }
        }
        func hash(_ key: String, _ value: JSONDocument.Value) -> ContentHash? {
            text(key, value).flatMap { ContentHash(hex: $0.utf8) }
        }
        func isTrue(_ key: String) -> Bool { json.member(key, of: json.root).map { json.kind($0) == .true } ?? false }
        isKept = isTrue("kept")
        isLost = isTrue("lost")
        bundle = hash("bundle", json.root)
        guard let list = json.member("files", of: json.root), json.kind(list) == .array else { return }
        for value in json.elements(list) {
            guard json.kind(value) == .object, let path = text("path", value), Directory.isSafe(path),
                let sha256 = hash("sha256", value),
                let size = json.member("size", of: value).flatMap({ json.count($0) }),
                let modified = text("modified", value).flatMap({ Int64($0) })
            else { return nil }
            let file = File(Version.File(path: path, sha256: sha256, size: size), modified: modified)
            if Component(of: file.file) == .document { document = file } else { page.append(file) }
        }
        if !page.isEmpty, bundle == nil { return nil }
    }
}

/// What the visible text of a page that is away is of.
package enum AwayText: String, CaseIterable, Sendable {
    /// reader.html without its frame.
    case article
    /// What page.html shows besides its article, in passages that end with a zero byte.
    case rest
    /// page.html, if there is no article.
    case page
}
