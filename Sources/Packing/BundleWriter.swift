internal import CArchive
internal import Files
internal import Glibc
package import WorkerProtocol

/// Packs files as one tar file with zstd, and hashes the tar file on the way.
///
/// The tar file depends on names and contents alone: every entry is a file of mode 0644, owner 0 and time 0. One archive of
/// libarchive writes it, a second one packs the first one's bytes. Order of calls: `init`, `begin` and `write` for each
/// file, `finish`.
package final class BundleWriter {
    private let tar: OpaquePointer
    private let packer: OpaquePointer
    private let entry: OpaquePointer
    private var hash = SHA256()
    private var byteCount = 0
    private let output: ([UInt8]) throws -> Void
    /// What libarchive collects before it hands it on. The bytes do not depend on it.
    private static let blockByteCount: Int32 = 1 << 17
    /// What `output` threw, which C cannot carry.
    private var outputFailure: (any Error)?

    /// - Parameter output: called with each piece of the packed file.
    package init(to output: @escaping ([UInt8]) throws -> Void) throws {
        self.output = output
        tar = archive_write_new()
        packer = archive_write_new()
        entry = archive_entry_new()
        let own = Unmanaged.passUnretained(self).toOpaque()
        try check(archive_write_set_format_raw(packer), packer)
        try check(archive_write_add_filter_zstd(packer), packer)
        try check(archive_write_set_bytes_per_block(packer, Self.blockByteCount), packer)
        try check(archive_write_set_bytes_in_last_block(packer, 1), packer)
        try check(
            archive_write_open(
                packer, own, nil,
                { _, own, bytes, count in
                    guard let own, let bytes else { return -1 }
                    return Unmanaged<BundleWriter>.fromOpaque(own).takeUnretainedValue().put(bytes, count)
                }, nil), packer)
        archive_entry_set_pathname(entry, "bundle.tar")
        archive_entry_set_filetype(entry, 0o100000)
        try check(archive_write_header(packer, entry), packer)
        try check(archive_write_set_format_pax_restricted(tar), tar)
        try check(archive_write_set_bytes_per_block(tar, Self.blockByteCount), tar)
        try check(archive_write_set_bytes_in_last_block(tar, 1), tar)
        try check(
            archive_write_open(
                tar, own, nil,
                { _, own, bytes, count in
                    guard let own, let bytes else { return -1 }
                    return Unmanaged<BundleWriter>.fromOpaque(own).takeUnretainedValue().pack(bytes, count)
                }, nil), tar)
    }

    deinit {
        archive_entry_free(entry)
        archive_write_free(tar)
        archive_write_free(packer)
    }

    /// Begins a file; exactly `byteCount` bytes follow by `write`.
    package func begin(_ path: [UInt8], byteCount: Int) throws {
        archive_entry_clear(entry)
        (path + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { name in
            archive_entry_set_pathname(entry, name.baseAddress)
        }
        archive_entry_set_filetype(entry, 0o100000)
        archive_entry_set_perm(entry, 0o644)
        archive_entry_set_size(entry, Int64(byteCount))
        archive_entry_set_mtime(entry, 0, 0)
        try check(archive_write_header(tar, entry), tar)
    }

    package func write(_ bytes: [UInt8]) throws {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                archive_write_data(tar, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
            }
            if count <= 0 { try check(Int32(min(count, -1)), tar) }
            offset += Int(count)
        }
    }

    /// Ends the packed file.
    ///
    /// - Returns: what names it.
    package func finish() throws -> BundleFrame.UnpackedSum {
        try check(archive_write_close(tar), tar)
        try check(archive_write_close(packer), packer)
        return .init(sha256: hash.finish(), byteCount: byteCount)
    }

    /// Takes bytes of the tar file.
    private func pack(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        hash.update(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
        byteCount += count
        var offset = 0
        while offset < count {
            let done = archive_write_data(packer, bytes + offset, count - offset)
            if done <= 0 { return -1 }
            offset += Int(done)
        }
        return count
    }

    /// Takes bytes of the packed file.
    private func put(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        do {
            try output(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
            return count
        } catch {
            outputFailure = error
            return -1
        }
    }

    private func check(_ status: Int32, _ archive: OpaquePointer) throws {
        if let outputFailure { throw outputFailure }
        if status >= ARCHIVE_WARN { return }
        throw PackWriter.Failure(detail: archive_error_string(archive).map { String(cString: $0) } ?? "")
    }
}
