internal import Files
internal import Items

/// A number that changes when a file of an item changes, from names, sizes, times and inodes alone.
///
/// Of snapshots/, history/ and conflicts/, and of the page's files in assets/, only the folder's own status counts: programs
/// replace files there and do not change them in place.
enum FolderLook {
    private static let closed: [[UInt8]] = [Layout.snapshots, Layout.history, Layout.conflicts].map { Array($0.utf8) }
    private static let assets = Array(Layout.assets.utf8)

    /// - Parameter folder: the item's, relative to the library's.
    /// - Returns: `nil` if the folder is gone.
    static func look(of folder: String, in root: borrowing Directory) throws(FileError) -> (
        look: UInt64, byteCount: Int
    )? {
        do throws(FileError) {
            var hash = FNV()
            var byteCount = 0
            try add(root.directory(folder), 0, &hash, &byteCount)
            return (hash.value, byteCount)
        } catch {
            if error.isAbsent { return nil }
            throw error
        }
    }

    private static func add(
        _ folder: borrowing Directory, _ depth: Int, isAssets: Bool = false, _ hash: inout FNV, _ byteCount: inout Int
    ) throws(FileError) {
        var names: [[UInt8]] = []
        try folder.forEachNameOnce { name, _ in names.append(Array(name) + [0]) }
        if isAssets {
            names.removeAll { String(validating: $0.dropLast(), as: UTF8.self).map(Layout.isAssetName) ?? false }
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
                guard depth < FullExportPlace.depthLimit, let text = String(validating: name.dropLast(), as: UTF8.self)
                else { continue }
                let isAssets = depth == 0 && name.dropLast().elementsEqual(assets)
                try add(folder.directory(text), depth + 1, isAssets: isAssets, &hash, &byteCount)
            } else {
                hash.add(UInt64(status.byteCount))
                byteCount += status.byteCount
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
