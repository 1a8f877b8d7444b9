internal import Glibc

extension Descriptor {
    /// Asks the kernel to drop clean pages of the file from its cache. Later reads come from the disk, and a program
    /// that reads everything once displaces nothing that others use.
    ///
    /// - Parameters:
    ///   - start: the first byte.
    ///   - count: how many; 0 for all up to the end of the file.
    package func dropFromCache(from start: Int = 0, count: Int = 0) {
        _ = posix_fadvise(number, off_t(start), off_t(count), POSIX_FADV_DONTNEED)
    }
}
