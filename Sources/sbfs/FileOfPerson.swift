import Glibc
import StuffBucket

/// Files outside the library, at paths that the person gave.
enum FileOfPerson {
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }

    /// Whether it is a regular file, or a link to one.
    static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The absolute path of a file, for a process with another working folder.
    static func absolute(_ path: String) -> String { FilePath.absolute(path) }

    /// - Throws: `ItemError.tooLarge` above `limit` bytes.
    static func read(_ path: String, limit: Int) throws -> [UInt8] {
        do throws(FileError) {
            return try FilePath.contents(path, limit: limit)
        } catch {
            guard case .tooLarge(let byteCount, _) = error.reason else { throw error }
            throw ItemError.tooLarge(name: path, byteCount: byteCount, limit: limit)
        }
    }
}
