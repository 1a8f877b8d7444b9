internal import Glibc

/// Runs a system call until it is no longer interrupted; the one place in this module that knows EINTR.
///
/// - Returns: what the call returned.
/// - Throws: `FileError` with errno if the call returned −1.
@inline(__always)
func systemCall(
    _ operation: FileError.Operation, _ path: @autoclosure () -> String, _ call: () -> Int
) throws(FileError) -> Int {
    while true {
        let result = call()
        if result != -1 { return result }
        let number = errno
        if number != EINTR { throw FileError(operation, path(), .system(number)) }
    }
}

/// The same for calls that return a C `int`.
@inline(__always)
func systemCall(
    _ operation: FileError.Operation, _ path: @autoclosure () -> String, _ call: () -> Int32
) throws(FileError) -> Int32 {
    while true {
        let result = call()
        if result != -1 { return result }
        let number = errno
        if number != EINTR { throw FileError(operation, path(), .system(number)) }
    }
}
