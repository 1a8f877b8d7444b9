internal import CArchive
internal import Files
internal import Glibc
package import WorkerProtocol

/// Reads a tar file that may be packed by zstd or gzip, or a zip file, as bytes that come piece by piece, and hashes the
/// unpacked bytes.
///
/// One archive of libarchive unpacks; a second one reads the entries of the first one's bytes. Only regular files are
/// taken: any other entry is a fault.
package final class BundleReader {
    private let outer: OpaquePointer
    private let inner: OpaquePointer
    /// The next packed bytes; none at the end.
    private let read: () throws -> [UInt8]
    private let byteLimit: Int
    /// The packed bytes that libarchive has at the moment, and the unpacked ones.
    private var packed: UnsafeMutableRawBufferPointer?
    private let unpacked = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceByteCount, alignment: 16)
    private var hash = SHA256()
    private var byteCount = 0
    /// Of all entries. Files that are stored sparse have more bytes than the tar file.
    private var contentByteCount = 0
    /// What C could not carry.
    private var failure: (any Error)?
    private static let pieceByteCount = 1 << 18

    /// - Parameters:
    ///   - byteLimit: the file may unpack to so many bytes, and so may its entries together.
    ///   - read: returns the next packed bytes; none at the end.
    package init(byteLimit: Int, read: @escaping () throws -> [UInt8]) {
        outer = archive_read_new()
        inner = archive_read_new()
        self.byteLimit = byteLimit
        self.read = read
    }

    deinit {
        archive_read_free(inner)
        archive_read_free(outer)
        packed?.deallocate()
        unpacked.deallocate()
    }

    /// Gives every entry with its contents, and then the sum.
    ///
    /// - Throws: `PackedFault`; the errors of `read` and `give`.
    package func run(_ give: (BundleFrame) throws -> Void) throws {
        let own = Unmanaged.passUnretained(self).toOpaque()
        archive_read_support_filter_zstd(outer)
        archive_read_support_format_raw(outer)
        archive_read_support_format_empty(outer)
        try check(
            archive_read_open(
                outer, own, nil,
                { _, own, bytes in
                    guard let own, let bytes else { return -1 }
                    return Unmanaged<BundleReader>.fromOpaque(own).takeUnretainedValue().supplyPacked(bytes)
                }, nil), outer)
        var entry: OpaquePointer?
        let status = archive_read_next_header(outer, &entry)
        if status == ARCHIVE_EOF { throw PackedFault(.cut, offset: 0, "") }
        try check(status, outer)
        archive_read_support_format_tar(inner)
        // How the original packed documents: Documentation/Exchange.md § 1.
        archive_read_support_format_zip_streamable(inner)
        try check(
            archive_read_open(
                inner, own, nil,
                { _, own, bytes in
                    guard let own, let bytes else { return -1 }
                    return Unmanaged<BundleReader>.fromOpaque(own).takeUnretainedValue().supplyUnpacked(bytes)
                }, nil), inner)
        while true {
            let status = archive_read_next_header(inner, &entry)
            if status == ARCHIVE_EOF { break }
            try check(status, inner)
            guard let entry, archive_entry_filetype(entry) == 0o100000, archive_entry_hardlink(entry) == nil,
                let name = archive_entry_pathname(entry)
            else { throw fault(.damaged, "an entry that is no file") }
            let path = UnsafeBufferPointer(start: name, count: strlen(name)).map { UInt8(bitPattern: $0) }
            try give(
                .entry(
                    PackedEntry(
                        .file, path, byteCount: Int(archive_entry_size(entry)),
                        permissions: UInt32(archive_entry_perm(entry)), modified: 0)))
            try copyContents(give)
        }
        // What follows the end of the tar file belongs to the hash.
        var rest: UnsafeRawPointer?
        while true {
            let count = supplyUnpacked(&rest)
            if count < 0 { throw failure ?? fault(.damaged, "") }
            if count == 0 { break }
        }
        try give(.end(.init(sha256: hash.finish(), byteCount: byteCount)))
    }

    private func copyContents(_ give: (BundleFrame) throws -> Void) throws {
        var bytes = [UInt8](repeating: 0, count: Self.pieceByteCount)
        while true {
            let count = bytes.withUnsafeMutableBytes { archive_read_data(inner, $0.baseAddress, $0.count) }
            if count == 0 { return }
            // What is a warning of libarchive, as a wrong CRC in a zip file, is damage here.
            if count < 0 { throw failure ?? fault(.damaged, Self.message(inner)) }
            contentByteCount += count
            if contentByteCount > byteLimit { throw fault(.bomb, "") }
            try give(.piece(Array(bytes[..<count])))
        }
    }

    private func supplyPacked(_ bytes: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
        do {
            let piece = try read()
            packed?.deallocate()
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, piece.count), alignment: 16)
            copy.copyBytes(from: piece)
            packed = copy
            bytes.pointee = UnsafeRawPointer(copy.baseAddress)
            return piece.count
        } catch {
            failure = error
            return -1
        }
    }

    private func supplyUnpacked(_ bytes: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
        let count = archive_read_data(outer, unpacked.baseAddress, unpacked.count)
        if count < 0 {
            if failure == nil { failure = fault(.damaged, Self.message(outer)) }
            return -1
        }
        byteCount += count
        if byteCount > byteLimit {
            failure = fault(.bomb, "")
            return -1
        }
        hash.update(Array(UnsafeRawBufferPointer(rebasing: unpacked[..<count])))
        bytes.pointee = UnsafeRawPointer(unpacked.baseAddress)
        return count
    }

    private func check(_ status: Int32, _ archive: OpaquePointer) throws {
        if status >= ARCHIVE_WARN { return }
        throw failure ?? fault(.damaged, Self.message(archive))
    }

    private static func message(_ archive: OpaquePointer) -> String {
        archive_error_string(archive).map { String(cString: $0) } ?? ""
    }

    private func fault(_ kind: PackedFault.Kind, _ detail: String) -> PackedFault {
        // libarchive has no number for it; archive_read_support_format_tar.c and archive_read_support_filter_*.c write these words.
        let isCut = ["truncated", "Truncated", "premature end"].contains { detail.hasPrefix($0) }
        return PackedFault(isCut ? .cut : kind, offset: byteCount, detail)
    }
}
