internal import CArchive
internal import Glibc
package import WorkerProtocol

/// Reads a tar file, packed or not, or a zip file, and gives its entries as a stream (`EntryStreamWriter`).
///
/// A tar file is read in two steps: one archive of libarchive unpacks, a second one reads the entries of the first one's bytes.
/// So the end of the unpacked bytes is known, which shows a tar file that was cut between two files.
package final class PackReader {
    /// Blocks of zeros at the end of a tar file, in bytes (POSIX.1-2017, pax, "ustar Interchange Format").
    private static let endByteCount = 1024
    private static let pieceByteCount = 1 << 18

    private let descriptor: Int32
    /// Unpacks the bytes of a tar file; `nil` for a zip file.
    private let outer: OpaquePointer?
    /// Reads the entries: of a zip file, or of one of the tar files that follow each other.
    private var inner: OpaquePointer
    /// The bytes that the tar reader has at the moment.
    private let supplied = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceByteCount, alignment: 16)
    private var unpackedByteCount = 0
    /// The contents of entries; of files that are stored sparse, this is more than the bytes in the tar file.
    private var contentByteCount = 0
    /// Zeros at the end of the bytes so far.
    private var zeroCount = 0
    /// The bytes in `supplied`, and the first of them that the tar reader has not taken.
    private var suppliedCount = 0
    private var next = 0
    /// Where the current tar file begins in the unpacked bytes.
    private var start = 0
    /// The headers of entries that were read.
    private var entryCount = 0
    private var hasEntries: Bool { entryCount > 0 }
    /// The entries of a zip file that could not be read to their end.
    private var damagedCount = 0
    /// So many may be passed over; each costs a look at the headers of all entries before it.
    private static let damagedLimit = 64
    /// Why `supply` gave nothing.
    private var fault: PackedFault?

    /// - Parameter descriptor: the file; it is read from its beginning.
    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
        inner = archive_read_new()
        outer = Self.isZip(descriptor) ? nil : archive_read_new()
        lseek(descriptor, 0, SEEK_SET)
    }

    /// Whether the file is a zip file: it begins with a local header, or with the end of its directory if it is empty
    /// (APPNOTE.TXT 4.3).
    ///
    /// libarchive reads names in zip files only in a locale of UTF-8, and brings them to NFC there. In the C locale it gives the
    /// names in tar files as they are.
    package static func isZip(_ descriptor: Int32) -> Bool {
        var mark = [UInt8](repeating: 0, count: 4)
        return pread(descriptor, &mark, 4, 0) == 4 && [[0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6]].contains(mark)
    }

    deinit {
        archive_read_free(inner)
        if let outer { archive_read_free(outer) }
        supplied.deallocate()
    }

    /// Writes all entries, and the end or a fault.
    ///
    /// - Throws: The errors of the stream.
    package func run(_ stream: EntryStreamWriter) throws {
        do {
            try open()
            while let entry = try nextEntry() {
                try stream.begin(entry)
                if entry.kind == .file { try copyContents(to: stream) }
            }
            try stream.end()
        } catch let fault as PackedFault {
            try stream.fail(fault)
        }
    }

    private func open() throws(PackedFault) {
        if let outer {
            archive_read_support_filter_gzip(outer)
            archive_read_support_filter_bzip2(outer)
            archive_read_support_filter_xz(outer)
            archive_read_support_filter_zstd(outer)
            archive_read_support_format_raw(outer)
            archive_read_support_format_empty(outer)
            // Any bytes make a raw entry. So if these are none, they begin as a packed file does, and cannot be unpacked.
            try check(archive_read_open_fd(outer, descriptor, Self.pieceByteCount), outer, .damaged)
            var entry: OpaquePointer?
            let status = archive_read_next_header(outer, &entry)
            if status == ARCHIVE_EOF { throw PackedFault(.cut, offset: 0, "") }
            try check(status, outer, .damaged)
            try openTar()
        } else {
            archive_read_support_format_zip(inner)
            try check(archive_read_open_fd(inner, descriptor, Self.pieceByteCount), inner, .foreign)
        }
    }

    private func openTar() throws(PackedFault) {
        archive_read_support_format_tar(inner)
        let own = Unmanaged.passUnretained(self).toOpaque()
        try check(
            archive_read_open(
                inner, own, nil,
                { _, own, bytes in
                    guard let own, let bytes else { return -1 }
                    return Unmanaged<PackReader>.fromOpaque(own).takeUnretainedValue().supply(bytes)
                }, nil), inner, .foreign)
    }

    /// Gives libarchive's tar reader the next unpacked bytes.
    private func supply(_ bytes: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
        if next >= suppliedCount {
            do throws(PackedFault) {
                try unpack()
            } catch {
                fault = error
                return -1
            }
        }
        bytes.pointee = supplied.baseAddress.map { UnsafeRawPointer($0 + next) }
        defer { next = suppliedCount }
        return suppliedCount - next
    }

    /// Unpacks the next bytes; none at the end.
    private func unpack() throws(PackedFault) {
        guard let outer else { return }
        next = 0
        suppliedCount = 0
        let count = archive_read_data(outer, supplied.baseAddress, supplied.count)
        if count < 0 { throw fault(.damaged, outer) }
        suppliedCount = count
        unpackedByteCount += count
        if count > 0 {
            let end = supplied[max(0, count - Self.endByteCount)..<count]
            let zeros = end.reversed().prefix { $0 == 0 }.count
            zeroCount = zeros == count ? min(Self.endByteCount, zeroCount + count) : zeros
        }
        if isTooMuch { throw PackedFault(.bomb, offset: unpackedByteCount, "") }
    }

    /// Goes on behind the end of a tar file.
    ///
    /// - Returns: whether another one follows.
    private func beginNextTar() throws(PackedFault) -> Bool {
        // What libarchive has read, which may be less than it was given.
        var place = start + Int(archive_filter_bytes(inner, 0)) - (unpackedByteCount - suppliedCount)
        while true {
            if let first = supplied[min(max(0, place), suppliedCount)..<suppliedCount].firstIndex(where: { $0 != 0 }) {
                start = unpackedByteCount - suppliedCount + first
                next = first
                archive_read_free(inner)
                inner = archive_read_new()
                do throws(PackedFault) {
                    try openTar()
                } catch {
                    throw fault ?? PackedFault(.more, offset: start, "")
                }
                return true
            }
            try unpack()
            if suppliedCount == 0 { return false }
            place = 0
        }
    }

    private var isTooMuch: Bool {
        UnpackingLimit.isTooMuch(max(unpackedByteCount, contentByteCount)) {
            var status = stat()
            return fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
        }
    }

    private func nextEntry() throws(PackedFault) -> PackedEntry? {
        var entry: OpaquePointer?
        var status = archive_read_next_header(inner, &entry)
        if status == ARCHIVE_EOF {
            // If something follows, the reader has found the zeros of the end.
            let goesOn = outer == nil ? false : try beginNextTar()
            if !goesOn {
                let isWhole = outer == nil ? hasDirectory : zeroCount >= Self.endByteCount
                if !isWhole { throw PackedFault(.cut, offset: unpackedByteCount, "") }
                return nil
            }
            status = archive_read_next_header(inner, &entry)
            if status < ARCHIVE_OK {
                throw fault ?? PackedFault(.more, offset: start, "")
            }
        }
        // A header that is none; libarchive would look for the next one.
        if status == ARCHIVE_RETRY { throw fault(hasEntries ? .damaged : .foreign, inner) }
        try check(status, inner, hasEntries ? .damaged : .foreign)
        entryCount += 1
        guard let entry else { return nil }
        let seconds = max(-9_000_000_000, min(archive_entry_mtime(entry), 9_000_000_000))
        return PackedEntry(
            kind(of: entry), Self.plain(archive_entry_pathname(entry)),
            byteCount: archive_entry_size_is_set(entry) != 0 ? Int(archive_entry_size(entry)) : nil,
            permissions: UInt32(archive_entry_perm(entry)),
            modified: Int64(seconds) * 1_000_000_000 + Int64(archive_entry_mtime_nsec(entry)),
            sha256: SumAttribute.read(entry))
    }

    /// Whether a zip file ends with its directory: the record of its end stands before a comment of at most 65,535 bytes
    /// (APPNOTE.TXT 4.3.16). libarchive reads the entries without one.
    private var hasDirectory: Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        let count = min(Int(status.st_size), 22 + 65_535)
        var end = [UInt8](repeating: 0, count: count)
        guard pread(descriptor, &end, count, status.st_size - off_t(count)) == count else { return false }
        return stride(from: count - 22, through: 0, by: -1).contains { place in
            end[place] == 0x50 && end[place + 1] == 0x4B && end[place + 2] == 5 && end[place + 3] == 6
        }
    }

    private func kind(of entry: OpaquePointer) -> PackedEntry.Kind {
        if archive_entry_hardlink(entry) != nil { return .hardLink }
        if archive_entry_is_data_encrypted(entry) != 0 { return .encrypted }
        switch archive_entry_filetype(entry) {
        case 0o100000: return .file
        case 0o040000: return .folder
        case 0o120000: return .symbolicLink
        case 0o010000: return .fifo
        case 0o020000, 0o060000: return .device
        default: return .unknown
        }
    }

    private static func plain(_ name: UnsafePointer<CChar>?) -> [UInt8] {
        guard let name else { return Array("\u{FF}".utf8.prefix(1)) }
        var path = UnsafeBufferPointer(start: name, count: strlen(name)).map { UInt8(bitPattern: $0) }[...]
        while path.starts(with: "./".utf8) { path = path.dropFirst(2) }
        while path.count > 1, path.last == 0x2F { path = path.dropLast() }
        return path.elementsEqual(".".utf8) ? [] : Array(path)
    }

    private func copyContents(to stream: EntryStreamWriter) throws {
        var bytes = [UInt8](repeating: 0, count: Self.pieceByteCount)
        while true {
            let count = bytes.withUnsafeMutableBytes { archive_read_data(inner, $0.baseAddress, $0.count) }
            if count == 0 { return }
            if count < 0 {
                let fault = fault ?? fault(.damaged, inner)
                if !passOver(Int32(count)) { throw fault }
                return try stream.damage()
            }
            contentByteCount += count
            if isTooMuch { throw PackedFault(.bomb, offset: max(unpackedByteCount, contentByteCount), "") }
            try stream.piece(Array(bytes[..<count]))
        }
    }

    /// Goes on behind an entry of a zip file whose contents cannot be read: the directory at the end tells where the next one is.
    ///
    /// - Parameter status: what libarchive returned. If only the sum is wrong, it goes on itself.
    /// - Returns: whether that is possible.
    private func passOver(_ status: Int32) -> Bool {
        guard outer == nil, damagedCount < Self.damagedLimit, hasDirectory else { return false }
        damagedCount += 1
        if status == ARCHIVE_FAILED { return true }
        archive_read_free(inner)
        inner = archive_read_new()
        lseek(descriptor, 0, SEEK_SET)
        archive_read_support_format_zip_seekable(inner)
        guard archive_read_open_fd(inner, descriptor, Self.pieceByteCount) >= ARCHIVE_WARN else { return false }
        var entry: OpaquePointer?
        return (0..<entryCount).allSatisfy { _ in archive_read_next_header(inner, &entry) >= ARCHIVE_WARN }
    }

    private func check(_ status: Int32, _ archive: OpaquePointer, _ kind: PackedFault.Kind) throws(PackedFault) {
        if status >= ARCHIVE_WARN { return }
        throw fault ?? fault(kind, archive)
    }

    private func fault(_ kind: PackedFault.Kind, _ archive: OpaquePointer) -> PackedFault {
        let detail = archive_error_string(archive).map { String(cString: $0) } ?? ""
        // libarchive has no number for it; archive_read_support_format_tar.c and archive_read_support_filter_*.c write these words.
        let isCut = ["truncated", "Truncated", "premature end"].contains { detail.hasPrefix($0) }
        let offset = outer == nil ? Int(archive_filter_bytes(inner, 0)) : unpackedByteCount
        return PackedFault(isCut ? .cut : kind, offset: offset, detail)
    }
}
