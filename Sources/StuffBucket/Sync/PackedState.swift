internal import Files
internal import Items
internal import JSONFormat

/// What all files of an item are: the file states/`<shard>`/`<id>`.json of a pack. Documentation/Exchange.md § 3.
struct PackedState: Sendable {
    /// item.json or text.md.
    struct Own: Hashable, Sendable {
        let sha256: Items.ContentHash
        /// Nanoseconds since 1970.
        let modified: Int64
    }

    /// A file that is an object of its own, or is in a bundle.
    struct File: Hashable, Sendable {
        /// Relative to the item's folder.
        let path: String
        let sha256: Items.ContentHash
        /// In bytes.
        let size: Int
        /// Nanoseconds since 1970.
        let modified: Int64

        /// The file as a version records it.
        var version: Version.File { Version.File(path: path, sha256: sha256, size: size) }
    }

    /// A folder of the item whose files travel as one tar file.
    struct Bundle: Hashable, Sendable {
        /// Relative to the item's folder; empty for the saved page.
        let folder: String
        let sha256: Items.ContentHash
    }

    /// Files that the exchange does not hold.
    struct LeftOut: Hashable, Sendable {
        /// Why the exchange does not hold them.
        enum Reason: String, Sendable {
            /// Above the limit for documents and bundles.
            case tooLarge
            /// The device that wrote the state does not have it: another exchange holds it.
            case away
            /// The path is no UTF-8, has a control character or more than 4,095 bytes, or goes on below a file.
            case name
            /// It is a link, a FIFO, a socket or a device.
            case kind
            /// It is a folder below too many others.
            case depth

            /// Whether a file is there that would travel otherwise.
            var isOfFile: Bool { self == .tooLarge || self == .away }
        }

        /// A file, or a folder of a bundle, relative to the item's folder; empty for the saved page.
        let path: String
        let reason: Reason
        /// In bytes.
        let byteCount: Int
    }

    /// A file of the person's own that was changed or removed.
    struct Former: Hashable, Sendable {
        /// Relative to the item's folder.
        let path: String
        /// The marks of its changes, the oldest first: `OwnFilePast`.
        let marks: [OwnFilePast.Mark]
    }

    let id: ItemID
    var item: Own
    var text: Own?
    /// The names in history/ that travel, sorted.
    var history: [String] = []
    /// The names in conflicts/ that travel, sorted.
    var conflicts: [String] = []
    /// Sorted by path.
    var files: [File] = []
    var bundles: [Bundle] = []
    var leftOut: [LeftOut] = []
    /// The paths of files in document/ beside the document, but for lost documents; sorted.
    var extras: [String] = []
    /// Files of the person's own that were changed or removed; sorted by path.
    var former: [Former] = []

    init(_ id: ItemID, item: Own) {
        self.id = id
        self.item = item
    }

    // MARK: Comparing

    /// What a tombstone lists of the files that versions may lack: FORMAT.md § 10.
    var hashes: [Items.ContentHash] {
        let documents = recordedDocuments
        let lists = [
            files(ofBundle: ""), files.filter { documents.contains(Array($0.path.utf8)) },
        ].map { StateHashes.hash($0.map(\.version)) }
        return lists.compactMap(\.self) + ownFiles.values.map(\.sha256)
    }

    /// Names the content: equal for two devices whose items have the same bytes at the same paths.
    var contentHash: Items.ContentHash {
        let files = files.map { JSON.strings([$0.path, $0.sha256.hex]) }
        let content = JSON.members([
            ("item", .string(item.sha256.hex)), ("text", text.map { .string($0.sha256.hex) }),
            ("history", .strings(history)), ("conflicts", .strings(conflicts)), ("files", .array(files)),
        ])
        return Items.ContentHash(of: content.oneLine)
    }

    /// The folder whose bundle has a file: empty for the saved page; `nil` for an object of its own.
    static func bundle(of path: String) -> String? {
        let parts = path.pathComponents
        if path == Layout.pageFile || path == Layout.readerFile { return "" }
        if parts.count == 2, parts[0] == Layout.assets, Layout.isAssetName(parts[1]) { return "" }
        if parts.count > 2, parts[0] == Layout.snapshots, Layout.isSnapshotName(parts[1]) {
            return parts[0] + "/" + parts[1]
        }
        return nil
    }

    /// The files of a bundle.
    func files(ofBundle folder: String) -> [File] { files.filter { Self.bundle(of: $0.path) == folder } }

    /// The files as records, which tell damage.
    var recordedFiles: [KnownFile] { files.map { KnownFile(recorded: $0.version, modified: $0.modified) } }

    // MARK: JSON

    var json: JSON {
        func own(_ own: Own) -> JSON {
            .members([("sha256", .string(own.sha256.hex)), ("modified", .string(String(own.modified)))])
        }
        func list(_ values: [JSON]) -> JSON? { values.isEmpty ? nil : .array(values) }
        return .members([
            ("id", .string(id.description)), ("item", own(item)), ("text", text.map(own)),
            ("history", list(history.map(JSON.string))), ("conflicts", list(conflicts.map(JSON.string))),
            (
                "files",
                list(
                    files.map {
                        .members([
                            ("path", .string($0.path)), ("sha256", .string($0.sha256.hex)),
                            ("size", .integer($0.size)), ("modified", .string(String($0.modified))),
                        ])
                    })
            ),
            (
                "bundles",
                list(
                    bundles.map { .members([("folder", .string($0.folder)), ("sha256", .string($0.sha256.hex))]) })
            ),
            (
                "leftOut",
                list(
                    leftOut.map {
                        .members([
                            ("path", .string($0.path)), ("why", .string($0.reason.rawValue)),
                            ("size", .integer($0.byteCount)),
                        ])
                    })
            ),
            ("extras", list(extras.map(JSON.string))),
            (
                "former",
                list(
                    former.map {
                        .members([("path", .string($0.path)), ("marks", .strings($0.marks.map(\.hex)))])
                    })
            ),
        ])
    }

    /// - Returns: `nil` if the object is no state, or a path in it leaves the item's folder.
    init?(_ json: JSONReading) {
        func own(_ key: String) -> Own? {
            guard let json = json.object(key), let hash = json.hash("sha256"), let time = json.number("modified")
            else { return nil }
            return Own(sha256: hash, modified: time)
        }
        guard let id = json.id("id"), let item = own("item") else { return nil }
        self.init(id, item: item)
        text = own("text")
        history = json.texts("history")
        conflicts = json.texts("conflicts")
        for file in json.objects("files") {
            guard let path = file.text("path"), Self.isTaken(path), let hash = file.hash("sha256"),
                let size = file.count("size"), let time = file.number("modified")
            else { return nil }
            files.append(File(path: path, sha256: hash, size: size, modified: time))
        }
        if hasImpossiblePaths { return nil }
        for bundle in json.objects("bundles") {
            guard let folder = bundle.text("folder"), let hash = bundle.hash("sha256") else { return nil }
            bundles.append(Bundle(folder: folder, sha256: hash))
        }
        for left in json.objects("leftOut") {
            guard let path = left.text("path"), let reason = left.text("why").flatMap(LeftOut.Reason.init) else {
                continue
            }
            leftOut.append(LeftOut(path: path, reason: reason, byteCount: left.count("size") ?? 0))
        }
        extras = json.texts("extras").filter(Self.isInDocument)
        for entry in json.objects("former") {
            guard let path = entry.text("path"), Self.isOwnFile(path) || Self.isInDocument(path) && Self.isTaken(path)
            else { continue }
            former.append(Former(path: path, marks: entry.texts("marks").compactMap(OwnFilePast.Mark.init)))
        }
    }

    /// Whether two files have one path, or a path goes on below a file. Names that differ in the form of normalisation are two.
    private var hasImpossiblePaths: Bool {
        let own = [Layout.itemFile, Layout.textFile]
        let paths = Set((own + files.map(\.path)).map { Array($0.utf8) })
        return paths.count != own.count + files.count || files.contains { Self.isBelow(paths, $0.path) }
    }

    /// Takes files out whose path goes on below another file: a folder took its place, and the file counts as it was.
    mutating func leaveOutBelowFiles() {
        let paths = Set(files.map { Array($0.path.utf8) })
        for file in files where Self.isBelow(paths, file.path) {
            leftOut.append(.init(path: file.path, reason: .name, byteCount: file.size))
        }
        files.removeAll { Self.isBelow(paths, $0.path) }
    }

    private static func isBelow(_ paths: Set<[UInt8]>, _ path: String) -> Bool {
        let bytes = Array(path.utf8)
        return bytes.indices.contains { bytes[$0] == UInt8(ascii: "/") && paths.contains(Array(bytes[..<$0])) }
    }

    /// Whether a path is that of a file that no version has, wherever it is: one of the person's own, a print or a picture. One in a folder of
    /// sbfs is none, but for a document that lost, and one in assets/ that no capture made. Of the others in document/, `extras` tells.
    static func isOwnFile(_ path: String) -> Bool {
        (!Layout.itemNames.contains(path.pathComponents[0]) || isPrint(path) || isLostDocument(path)
            || Layout.isOwnAmongPages(path)) && isTaken(path)
    }

    /// Whether a path is that of the print or the picture of a saved page.
    static func isPrint(_ path: String) -> Bool { path == Layout.printFile || path == Layout.pictureFile }

    /// The hash of page.html, or of reader.html where that is alone.
    var page: Items.ContentHash? {
        [Layout.pageFile, Layout.readerFile].lazy.compactMap { name in files.first { $0.path == name }?.sha256 }.first
    }

    /// Whether a path is in document/ or in a folder there.
    static func isInDocument(_ path: String) -> Bool {
        let parts = path.pathComponents
        return parts.count > 1 && parts[0] == Layout.document
    }

    /// Whether a path is that of a lost document.
    static func isLostDocument(_ path: String) -> Bool {
        let parts = path.pathComponents
        return parts.count == 2 && parts[0] == Layout.document && Layout.isConflictName(Array(parts[1].utf8))
    }

    private static let anyFolder = Layout.itemFolder(.random())

    /// Whether a file at this path below an item's folder may travel as an object or in a bundle. Names on which other programs
    /// act may not, as in an import (FORMAT.md § 16.1).
    static func isTaken(_ path: String) -> Bool {
        guard Directory.isSafe(path), path.utf8.count < 4096, !path.unicodeScalars.contains(where: { $0.value < 0x20 })
        else { return false }
        let parts = path.pathComponents
        return path != Layout.itemFile && path != Layout.textFile && parts[0] != Layout.history
            && parts[0] != Layout.conflicts && parts.count <= FullExportPlace.depthLimit
            && parts.allSatisfy { $0.utf8.count <= 255 } && !isLeftOut(path)
    }

    private static func isLeftOut(_ path: String) -> Bool {
        if case .leftOut = FullExportPlace(anyFolder + "/" + path, isFolder: false) { true } else { false }
    }
}
