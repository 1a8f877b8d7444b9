internal import CSystem
internal import Glibc

/// Copies of whole files.
extension Descriptor {
    /// Copies the rest of a file to this file's position within the kernel, which may share blocks or copy on the server
    /// (copy_file_range).
    ///
    /// - Returns: false if the file systems cannot; then nothing is copied.
    package func append(contentsOf source: borrowing Descriptor) throws(FileError) -> Bool {
        var isFirst = true
        while true {
            let count = uninterrupted { csystem_copy_file_range(source.number, number, 1 << 30) }
            if count == 0 { return true }
            if count < 0 {
                let error = errno
                if isFirst, [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP, EPERM, ETXTBSY].contains(error) { return false }
                throw FileError(.copy, path, .system(error))
            }
            isFirst = false
        }
    }

    /// Reads from the file's beginning again.
    package func rewind() throws(FileError) {
        _ = try systemCall(.read, path) { Int(lseek(number, 0, SEEK_SET)) }
    }
}
