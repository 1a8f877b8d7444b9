internal import Glibc

/// A regular file's bytes in the page cache, mapped as long as the object lives.
///
/// Mapped files are replaced by renames and never shortened: reading past a shortened end kills the process.
package final class MappedFile: @unchecked Sendable {
    package let base: UnsafeRawPointer
    package let count: Int

    /// - Throws: if the file is empty or cannot be mapped.
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
