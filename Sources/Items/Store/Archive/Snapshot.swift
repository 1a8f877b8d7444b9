internal import Files
internal import JSONFormat
public import Time

/// An earlier capture of an item: a folder in snapshots/ with page.html, reader.html, page.pdf, page.png, assets/ and
/// snapshot.json.
public struct Snapshot: Sendable {
    /// `20261121T101500Z-<hash8>`: when the snapshot was made, and the first digits of the SHA-256 of its page.
    public let name: String
    /// Relative to the item's folder.
    public var path: String { Layout.snapshots + "/" + name }
    /// When the page was saved; if that is unknown, when the snapshot was made.
    public let archivedAt: Timestamp?
    /// The capture's `archiveStatus`; `nil` if unknown.
    public let status: String?
    /// The capture's `capturedBy`; `nil` if unknown.
    public let capturedBy: String?
    /// The files in the snapshot's folder.
    public let files: ArchiveFiles
}

extension ItemStore {
    /// The fields of item.json about the archive. A snapshot keeps them beside its files.
    static let archiveFields: [ItemField] = [
        .archiveStatus, .capturedBy, .archiveReason, .archivedAt,
    ]
    static let snapshotFile = "snapshot.json"

    /// The value of an archive field, corrected by the files: without page.html nothing is full.
    static func honest(_ field: ItemField, _ value: JSON, _ files: ArchiveFiles) -> JSON {
        guard field == .archiveStatus, files.page == nil, case .string(Item.ArchiveStatus.full.rawValue) = value else {
            return value
        }
        return .string(Item.ArchiveStatus.partial.rawValue)
    }

    /// The item's earlier captures, the latest first.
    package func snapshots(of stored: StoredItem) throws(ItemError) -> [Snapshot] {
        try files { () throws(FileError) -> [Snapshot] in
            let path = stored.folder + "/" + Layout.snapshots
            guard try root.statusIfPresent(of: path)?.kind == .directory else { return [] }
            let folder = try root.directory(path)
            var snapshots: [Snapshot] = []
            for entry in try folder.entries() where entry.kind == .directory {
                guard let name = entry.name.string, Layout.isSnapshotName(name) else { continue }
                snapshots.append(try snapshot(name, in: folder.directory(name)))
            }
            return snapshots.sorted { $0.name > $1.name }
        }
    }

    func snapshot(_ name: String, in folder: borrowing Directory) throws(FileError) -> Snapshot {
        let bytes = try folder.contentsIfPresent(of: Self.snapshotFile, limit: Layout.settingsByteLimit)?.bytes
        let json = bytes.flatMap { try? JSONDocument(parsing: $0) }
        func string(_ field: ItemField) -> String? {
            json.flatMap { json in json.member(field.key, of: json.root).flatMap { json.string($0) } }
        }
        let files = try ArchiveFiles(in: folder)
        var status = string(.archiveStatus)
        // Earlier versions recorded the item's claim unchecked.
        if files.page == nil, status == Item.ArchiveStatus.full.rawValue {
            status = Item.ArchiveStatus.partial.rawValue
        }
        return Snapshot(
            name: name, archivedAt: string(.archivedAt).flatMap(Timestamp.init), status: status,
            capturedBy: string(.capturedBy), files: files)
    }
}
