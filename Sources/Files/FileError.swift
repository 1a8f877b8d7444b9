internal import Glibc

/// What the file system refused, with the path and the kernel's reason.
///
/// The only error that `Files` throws. A file that is absent where absence is an expected outcome is `nil`, not an
/// error.
public struct FileError: Error, Equatable, Sendable {
    /// What was being done when it failed.
    public enum Operation: String, Sendable {
        case open, create, read, write, sync, rename, exchange, remove, list, inspect, lock, copy
        case makeDirectory = "make the folder"
    }

    /// Why it failed.
    public enum Reason: Equatable, Sendable {
        /// The kernel's error number.
        case system(Int32)
        /// A FIFO, device, socket, folder or symbolic link where a regular file must be.
        case notRegular(FileKind)
        /// More bytes than the caller is ready to read.
        case tooLarge(byteCount: Int, limit: Int)
        /// A relative path that is empty, absolute, or holds an empty, `.` or `..` component or a NUL.
        case unsafePath
        /// Another process holds the lock.
        case busy
        /// Nested folders below this depth are not followed.
        case tooDeep(limit: Int)
    }

    /// What was being done when it failed.
    public let operation: Operation
    /// The file or folder that it was done to.
    public let path: String
    /// Why it failed: the kernel's error, or a refusal of our own.
    public let reason: Reason

    /// Makes an error from what was done, to which path, and why it failed.
    public init(_ operation: Operation, _ path: String, _ reason: Reason) {
        self.operation = operation
        self.path = path
        self.reason = reason
    }

    /// The kernel's error number, or `nil` where the refusal is our own.
    public var number: Int32? {
        if case .system(let number) = reason { number } else { nil }
    }

    /// Whether the file or a folder on the way to it does not exist.
    public var isAbsent: Bool { number == ENOENT || number == ENOTDIR }

    /// Whether the name is taken.
    public var isTaken: Bool { number == EEXIST }

    /// Whether the path leads through a symbolic link or out of the library.
    public var isEscape: Bool { number == ELOOP || number == EXDEV || reason == .unsafePath }

    /// Whether something that is no regular file has the name: a folder, a FIFO, a device, a socket that cannot be opened.
    public var isNoFile: Bool {
        if case .notRegular = reason { true } else { number == ENXIO || number == EISDIR }
    }

    /// Whether the disk, the quota or a file-size limit is exhausted.
    public var isOutOfSpace: Bool { number == ENOSPC || number == EDQUOT || number == EFBIG }

    /// Whether the place cannot be written at all.
    public var isReadOnly: Bool { number == EROFS || number == EACCES || number == EPERM }
}

extension FileError: CustomStringConvertible {
    /// What could not be done, to which path, and why, for a person.
    public var description: String {
        switch reason {
        case .system(let number):
            "cannot \(operation.rawValue) \(path): \(String(cString: strerror(number)))"
        case .notRegular(let kind):
            "cannot \(operation.rawValue) \(path): it is \(kind.phrase), not a regular file"
        case .tooLarge(let byteCount, let limit):
            "cannot \(operation.rawValue) \(path): \(byteCount) bytes are more than the limit of \(limit)"
        case .unsafePath:
            "cannot \(operation.rawValue) \(path): the path leaves its folder"
        case .busy:
            "cannot \(operation.rawValue) \(path): another program holds it; try again"
        case .tooDeep(let limit):
            "cannot \(operation.rawValue) \(path): folders are nested deeper than \(limit)"
        }
    }
}
