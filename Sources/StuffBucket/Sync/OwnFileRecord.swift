internal import Files
internal import Items
internal import JSONFormat

/// What this device knows of the past of the person's own files: `.sbfs/sync/own-files`. DeviceFiles.md § D12.
///
/// It counts for every exchange. If it is lost, a file counts as one of which no change is known.
struct OwnFileRecord {
    /// What this device knows of a file.
    struct Entry: Equatable {
        var past: OwnFilePast
        /// Whether this device had the file when a sync ended. Otherwise it had the bytes of one that it took meanwhile.
        var isKnown: Bool
    }

    /// An item's files, by the bytes of their paths.
    private var items: [ItemID: [[UInt8]: Entry]] = [:]
    private(set) var isChanged = false
    private static let path = Layout.sync + "/own-files"
    private static let byteLimit = 1 << 30

    subscript(_ id: ItemID) -> [[UInt8]: Entry] {
        get { items[id] ?? [:] }
        set {
            if newValue == self[id] { return }
            items[id] = newValue.isEmpty ? nil : newValue
            isChanged = true
        }
    }

    /// A line for each item: `id`, and `files` with `path`, `sha256` but for one that was removed, `marks`, and `isNew` for one that
    /// is not known yet.
    init(_ store: ItemStore) {
        guard let found = (try? store.device?.directory.contentsIfPresent(of: Self.path, limit: Self.byteLimit)) ?? nil
        else { return }
        for line in found.bytes.split(separator: 0x0A) {
            guard let json = JSONReading(Array(line)), let id = json.id("id") else { continue }
            for file in json.objects("files") {
                guard let path = file.text("path") else { continue }
                let marks = file.texts("marks").compactMap(OwnFilePast.Mark.init)
                items[id, default: [:]][Array(path.utf8)] = Entry(
                    past: OwnFilePast(now: file.hash("sha256"), marks: marks), isKnown: !file.has("isNew"))
            }
        }
    }

    /// All packs were taken: every file is known now.
    mutating func settle() {
        for (id, files) in items where !files.values.allSatisfy(\.isKnown) {
            self[id] = files.mapValues { Entry(past: $0.past, isKnown: true) }
        }
    }

    /// Writes the record without items that are gone.
    mutating func write(_ store: ItemStore, isHere: (ItemID) -> Bool) throws {
        guard let device = store.device else { return }
        items = items.filter { isHere($0.key) }
        var bytes: [UInt8] = []
        for (id, files) in items.sorted(by: { $0.key < $1.key }) {
            let list = files.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { path, file in
                JSON.members([
                    ("path", .string(String(decoding: path, as: UTF8.self))),
                    ("sha256", file.past.now.map { .string($0.hex) }),
                    ("marks", .strings(file.past.marks.map(\.hex))), ("isNew", file.isKnown ? nil : .bool(true)),
                ])
            }
            bytes += JSON.members([("id", .string(id.description)), ("files", .array(list))]).oneLine + [0x0A]
        }
        try device.directory.makeDirectory(Layout.sync, permissions: 0o700)
        let name = Self.path.pathComponents[1]
        try device.directory.directory(Layout.sync).replaceFile(name, with: bytes)
        isChanged = false
    }
}
