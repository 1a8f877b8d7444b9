internal import Glibc

/// A regular file's bytes as they are in the page cache, for as long as the object lives.
///
/// Files that are mapped are replaced by renames and never cut short: reading past a cut end kills the process.
package final class MappedFile: @unchecked Sendable {
    package let base: UnsafeRawPointer
    package let count: Int

    /// - Throws: where the file is empty or cannot be mapped.
    package init(_ file: borrowing Descriptor, count: Int? = nil) throws(FileError) {
        let size: Int
        if let count { size = count } else { size = try file.status().byteCount }
        guard size > 0, let address = mmap(nil, size, PROT_READ, MAP_SHARED, file.number, 0), address != MAP_FAILED
        else { throw FileError(.read, file.path, .system(size > 0 ? errno : EINVAL)) }
        base = UnsafeRawPointer(address)
        self.count = size
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: base), count) }
}
