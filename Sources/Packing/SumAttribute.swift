internal import CArchive
internal import WorkerProtocol

/// The extended attribute by which a tar file says the SHA-256 of a file: FORMAT.md § 16.1.
///
/// The checksum of a tar header covers the header alone, gzip's is not compared by libarchive, and its zstd has none.
enum SumAttribute {
    static let name = "user.sha256"

    /// The SHA-256 that an entry says, as 64 hexadecimal digits; `nil` if it says none.
    static func read(_ entry: OpaquePointer) -> String? {
        archive_entry_xattr_reset(entry)
        var name: UnsafePointer<CChar>?
        var value: UnsafeRawPointer?
        var count = 0
        while archive_entry_xattr_next(entry, &name, &value, &count) == ARCHIVE_OK {
            guard let name, let value, String(cString: name) == Self.name else { continue }
            let digits = UnsafeRawBufferPointer(start: value, count: count)
            // What is no sum names no bytes: the file counts as one without.
            return PackedEntry.isSum(digits) ? String(decoding: digits, as: UTF8.self) : nil
        }
        return nil
    }
}
