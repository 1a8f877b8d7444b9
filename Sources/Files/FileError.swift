internal import Glibc

/// An error of the file system, with the path and the kernel's reason.
///
/// The only error that `Files` throws. If an absent file is an expected outcome, functions return `nil` instead.
public struct FileError: Error, Equatable, Sendable {
    /// The operation that failed.
    public enum Operation: String, Sendable {
        case open, create, read, write, sync, rename, swap, remove, list, inspect, lock, copy
        case makeDirectory = "make the folder"
    }

    /// Why it failed.
    public enum Reason: Equatable, Sendable {
        /// The kernel's error number.
        case system(Int32)
        /// A FIFO, device, socket, folder or symbolic link instead of a regular file.
        case notRegular(FileKind)
        /// More bytes than the limit of the caller.
        case tooLarge(byteCount: Int, limit: Int)
        /// A relative path that is empty, absolute, or contains an empty, `.` or `..` component or a NUL.
        case unsafePath
        /// Another process holds the lock.
        case busy
        /// Nested folders below this depth are not followed.
        case tooDeep(limit: Int)
    }

    /// The operation that failed.
    public let operation: Operation
    /// The path of the file or folder.
    public let path: String
    /// Why it failed: the kernel's error, or a refusal by this module.
    public let reason: Reason

    /// Makes an error from the operation, the path and the reason.
    package init(_ operation: Operation, _ path: String, _ reason: Reason) {
        self.operation = operation
        self.path = path
        self.reason = reason
    }

    /// The kernel's error number; `nil` if this module refused.
    public var number: Int32? {
        if case .system(let number) = reason { number } else { nil }
    }

    /// Whether the file or a folder in its path does not exist.
    public var isAbsent: Bool { number == ENOENT || number == ENOTDIR }

    /// Whether a file, or another thing that is no folder, is where a folder should be.
    package var isNoFolder: Bool { number == ENOTDIR }

    /// Whether the name is taken.
    package var isTaken: Bool { number == EEXIST }

    /// Whether the path leads through a symbolic link or out of the library.
    package var isEscape: Bool { number == ELOOP || number == EXDEV || reason == .unsafePath }

    /// Whether the name belongs to an entry that is no regular file: a folder, a FIFO, a device, a socket that cannot
    /// be opened.
    package var isNoFile: Bool {
        if case .notRegular = reason { true } else { number == ENXIO || number == EISDIR }
    }

    /// Whether the disk is full, or a quota or file size limit is reached.
    public var isOutOfSpace: Bool { number == ENOSPC || number == EDQUOT || number == EFBIG }

    /// Whether the place is read-only.
    public var isReadOnly: Bool { number == EROFS || number == EACCES || number == EPERM }

    /// Whether the permissions of a file or its folder are at fault: others may be written all the same.
    package var isDenied: Bool { number == EACCES || number == EPERM }

    /// Whether other files may be read all the same: the permissions of this one, or its place on the disk, are at fault.
    package var concernsOneFile: Bool { number == EACCES || number == EPERM || number == EIO }
}

extension FileError: CustomStringConvertible {
    /// The operation, the path and the reason, for a person.
    public var description: String {
        switch reason {
        case .system(ELOOP):
            "cannot \(operation.rawValue) \(path): a symbolic link is in the path where none is followed, or links lead in a circle"
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
