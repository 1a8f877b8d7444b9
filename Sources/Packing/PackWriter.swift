internal import CArchive
internal import Glibc
package import WorkerProtocol

/// Packs a stream of entries (`EntryStreamReader`). The same entries give the same bytes with one version of libarchive.
package final class PackWriter {
    /// Why libarchive refused; its words.
    package struct Failure: Error {
        package let detail: String
    }

    private let archive: OpaquePointer
    private let entry: OpaquePointer

    /// - Parameter descriptor: gets the packed bytes.
    package init(_ format: PackedFormat, to descriptor: Int32) throws(Failure) {
        archive = archive_write_new()
        entry = archive_entry_new()
        switch format {
        case .tar: try check(archive_write_set_format_pax(archive))
        case .tarGzip:
            try check(archive_write_set_format_pax(archive))
            try check(archive_write_add_filter_gzip(archive))
            // The time of packing stays out of the file.
            try check(archive_write_set_filter_option(archive, "gzip", "timestamp", nil))
        case .tarZstd:
            try check(archive_write_set_format_pax(archive))
            try check(archive_write_add_filter_zstd(archive))
            // One and more threads give the same bytes.
            try check(archive_write_set_filter_option(archive, "zstd", "threads", "\(max(1, min(4, processors)))"))
        case .zip: try check(archive_write_set_format_zip(archive))
        }
        if format != .zip {
            // GNU tar and bsdtar both know this form of extended attributes, and neither warns about it.
            try check(archive_write_set_format_option(archive, "pax", "xattrheader", "SCHILY"))
        }
        // Two blocks of zeros at the end of a tar file, not a record of 10 KiB.
        try check(archive_write_set_bytes_in_last_block(archive, 1))
        try check(archive_write_open_fd(archive, descriptor))
    }

    deinit {
        archive_entry_free(entry)
        archive_write_free(archive)
    }

    private var processors: Int { Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Packs all entries of a stream.
    ///
    /// - Throws: `Failure`; the errors of the stream.
    package func run(_ stream: inout EntryStreamReader) throws {
        while let next = try stream.next() {
            begin(next)
            try check(archive_write_header(archive, entry))
            while true {
                let piece = try stream.piece()
                if piece.isEmpty { break }
                var offset = 0
                while offset < piece.count {
                    let count = piece.withUnsafeBytes { bytes in
                        archive_write_data(archive, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
                    }
                    if count <= 0 { try check(Int32(min(count, -1))) }
                    offset += Int(count)
                }
            }
            try check(archive_write_finish_entry(archive))
        }
        try check(archive_write_close(archive))
    }

    private func begin(_ next: PackedEntry) {
        archive_entry_clear(entry)
        let path = next.kind == .folder ? next.path + [0x2F] : next.path
        path.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { name in
            // The name needs a zero at its end.
            var name = Array(name)
            name.append(0)
            archive_entry_set_pathname(entry, name)
        }
        archive_entry_set_filetype(entry, next.kind == .folder ? 0o040000 : 0o100000)
        archive_entry_set_perm(entry, next.permissions)
        archive_entry_set_size(entry, Int64(next.byteCount ?? 0))
        let second = Int64(1_000_000_000)
        let nanoseconds = (next.modified % second + second) % second
        archive_entry_set_mtime(entry, Int((next.modified - nanoseconds) / second), Int(nanoseconds))
        if let sum = next.sha256 { archive_entry_xattr_add_entry(entry, SumAttribute.name, sum, sum.utf8.count) }
    }

    private func check(_ status: Int32) throws(Failure) {
        if status >= ARCHIVE_WARN { return }
        throw Failure(detail: archive_error_string(archive).map { String(cString: $0) } ?? "")
    }
}
