internal import Files
internal import Items

/// The size of an item's files, by their purpose.
struct ItemSize {
    private var parts: [SizeStatistics.Part: (files: Int, bytes: Int)] = [:]
    private static let depthLimit = 64

    /// - Parameter folder: the item's folder, relative to the library's.
    init(_ store: ItemStore, _ folder: String) throws(FileError) {
        let directory = try store.root.directory(folder)
        for entry in try directory.entries() {
            guard let name = entry.name.string, let status = try directory.statusIfPresent(of: name) else { continue }
            let part = Self.part(of: name)
            if status.kind == .directory {
                try add(directory.directory(name), part, depth: 1)
            } else {
                add(status, part)
            }
        }
    }

    private static func part(of name: String) -> SizeStatistics.Part {
        switch name {
        case Layout.itemFile, Layout.textFile: .text
        case Layout.pageFile, Layout.readerFile, Layout.printFile, Layout.pictureFile, Layout.assets: .pages
        case Layout.document: .documents
        case Layout.snapshots: .snapshots
        default: .other
        }
    }

    private mutating func add(
        _ directory: borrowing Directory, _ part: SizeStatistics.Part, depth: Int
    ) throws(FileError) {
        if depth > Self.depthLimit { return }
        for entry in try directory.entries() {
            guard let name = entry.name.string, let status = try directory.statusIfPresent(of: name) else { continue }
            if status.kind == .directory {
                try add(directory.directory(name), part, depth: depth + 1)
            } else {
                add(status, part)
            }
        }
    }

    private mutating func add(_ status: FileStatus, _ part: SizeStatistics.Part) {
        let sum = parts[part] ?? (0, 0)
        parts[part] = (sum.files + 1, sum.bytes + status.byteCount)
    }

    var bytes: Int { parts.values.reduce(0) { $0 + $1.bytes } }

    func add(to total: inout [SizeStatistics.Part: (files: Int, bytes: Int)]) {
        for (part, own) in parts {
            let sum = total[part] ?? (0, 0)
            total[part] = (sum.files + own.files, sum.bytes + own.bytes)
        }
    }
}
