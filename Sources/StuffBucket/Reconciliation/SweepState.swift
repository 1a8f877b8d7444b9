internal import Files
internal import Items
internal import JSONFormat
internal import Time

/// When the index was last compared with all files, and which items could not be read then: the file `sweep`.
struct SweepState: Equatable {
    /// When the comparison began, by this device's clock.
    var begunAt: Timestamp
    /// Folders of items that could not be read; at most `faultLimit`. Reading them again gives the errors.
    var faultFolders: [String] = []
    /// The number of all such folders, including those beyond the limit; after reading the file, of those that it
    /// names.
    var faultCount = 0

    static let faultLimit = 1000

    init(begunAt: Timestamp, faultFolders: [String]) {
        self.begunAt = begunAt
        self.faultFolders = Array(faultFolders.prefix(Self.faultLimit))
        faultCount = faultFolders.count
    }

    init(begunAt: Timestamp, faults: [ItemFault]) {
        self.init(begunAt: begunAt, faultFolders: faults.map(\.folder))
    }

    /// The items that still cannot be read.
    func faults(_ store: ItemStore) throws -> [ItemFault] {
        try faultFolders.compactMap { folder in
            guard let id = ItemID(String(folder.suffix(36))) else { return nil }
            do {
                _ = try ItemDocument.read(id, in: folder, store, at: .now)
                return nil
            } catch {
                return try ItemFault(folder, error)
            }
        }
    }

    /// - Returns: `nil` if there is no file, or it is torn.
    static func read(in place: IndexPlace) -> SweepState? {
        guard let contents = try? place.directory.contentsIfPresent(of: Layout.sweep, limit: 16 << 20),
            let json = try? JSONDocument(parsing: contents.bytes),
            let begunAt = json.member("begunAt", of: json.root).flatMap({ json.string($0) }).flatMap(Timestamp.init),
            let faults = json.member("faults", of: json.root)
        else { return nil }
        let folders = json.elements(faults).compactMap { json.string($0) }
        // An earlier version kept sentences here. Then everything is compared again.
        guard folders.allSatisfy({ $0.hasPrefix(Layout.items + "/") && ItemID(String($0.suffix(36))) != nil }) else {
            return nil
        }
        return SweepState(begunAt: begunAt, faultFolders: folders)
    }

    /// Not synced: if the file is lost, the next command sweeps.
    func write(in place: IndexPlace) {
        let bytes = JSONWriter.file(
            .members([("begunAt", .string(begunAt.rfc3339)), ("faults", .strings(faultFolders))]))
        try? place.directory.replaceFile(Layout.sweep, with: bytes)
    }
}
