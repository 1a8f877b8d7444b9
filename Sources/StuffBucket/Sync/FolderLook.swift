internal import Files
internal import Items

/// What an item's folder looks like: it differs when a file of the item changed, from names, sizes, times and inodes alone.
///
/// Of history/ and conflicts/, and of the captures in assets/ and snapshots/, only the folder's own status counts: programs
/// replace files there and do not change them in place. A person's own files in assets/ and snapshots/ count: without any,
/// these folders are not listed again before their own status changes.
struct FolderLook: Sendable, Equatable {
    /// As the device keeps it (DeviceFiles.md § D12).
    let number: UInt64

    /// The look of an item that each sync reads.
    static let unread = FolderLook(number: 0)

    init(number: UInt64) { self.number = number }

    private init(_ hash: UInt64, hasOwnFiles: Bool) { number = hash & ~1 | (hasOwnFiles ? 1 : 0) }

    /// Whether the person has files in assets/ or snapshots/.
    private var hasOwnFiles: Bool { number & 1 == 1 }

    private static let closed: [[UInt8]] = [Layout.history, Layout.conflicts].map { Array($0.utf8) }
    /// The folders of captures, and which names in them are those of captures.
    private static let pages: [(name: [UInt8], isOfCapture: @Sendable (String) -> Bool)] = [
        (Array(Layout.assets.utf8), Layout.isAssetName), (Array(Layout.snapshots.utf8), Layout.isSnapshotName),
    ]

    /// - Parameters:
    ///   - folder: the item's, relative to the library's.
    ///   - last: the look that the item had when it was read last, if any.
    /// - Returns: `nil` if the folder is gone.
    static func look(
        of folder: String, in root: borrowing Directory, last: FolderLook? = nil
    ) throws(FileError) -> (look: FolderLook, byteCount: Int)? {
        do throws(FileError) {
            if let last, !last.hasOwnFiles {
                var closed = Sum(listsPages: false)
                try closed.add(root.directory(folder), 0)
                if closed.look == last { return (closed.look, closed.byteCount) }
            }
            var sum = Sum(listsPages: true)
            try sum.add(root.directory(folder), 0)
            return (sum.look, sum.byteCount)
        } catch {
            if error.isAbsent { return nil }
            throw error
        }
    }

    /// What the files of one item's folder give.
    private struct Sum {
        let listsPages: Bool
        private var hash = FNV()
        private(set) var byteCount = 0
        private var hasOwnFiles = false

        init(listsPages: Bool) { self.listsPages = listsPages }

        var look: FolderLook { FolderLook(hash.value, hasOwnFiles: hasOwnFiles) }

        /// - Parameter isOfCapture: tells names in a folder of captures that do not count.
        mutating func add(
            _ folder: borrowing Directory, _ depth: Int, besides isOfCapture: ((String) -> Bool)? = nil
        ) throws(FileError) {
            var names: [[UInt8]] = []
            try folder.forEachNameOnce { name, _ in names.append(Array(name) + [0]) }
            if let isOfCapture {
                names.removeAll { String(validating: $0.dropLast(), as: UTF8.self).map(isOfCapture) ?? false }
                if !names.isEmpty { hasOwnFiles = true }
            }
            names.sort { $0.lexicographicallyPrecedes($1) }
            for name in names {
                let path = name.map { CChar(bitPattern: $0) }
                guard let status = try folder.status(at: path) else { continue }
                for byte in name { hash.add(UInt64(byte)) }
                hash.add(UInt64(bitPattern: status.modified))
                hash.add(UInt64(bitPattern: status.changed))
                hash.add(status.inode)
                if status.kind == .directory {
                    if depth == 0, closed.contains(Array(name.dropLast())) { continue }
                    let page = depth == 0 ? pages.first { name.dropLast().elementsEqual($0.name) } : nil
                    if page != nil, !listsPages { continue }
                    guard depth < FullExportPlace.depthLimit,
                        let text = String(validating: name.dropLast(), as: UTF8.self)
                    else { continue }
                    try add(folder.directory(text), depth + 1, besides: page?.isOfCapture)
                } else {
                    hash.add(UInt64(status.byteCount))
                    byteCount += status.byteCount
                }
            }
        }
    }

    /// FNV-1a with words in place of bytes.
    private struct FNV {
        private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func add(_ word: UInt64) {
            value = (value ^ word) &* 0x0000_0100_0000_01B3
            value ^= value >> 29
        }
    }
}
