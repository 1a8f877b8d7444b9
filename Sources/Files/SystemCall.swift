internal import Glibc

/// Runs a system call until no signal interrupts it. Only this function knows EINTR; C code uses TEMP_FAILURE_RETRY.
///
/// - Returns: the result of the call, −1 with errno if it failed.
package func uninterrupted(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}

/// As above, for calls that return a C `int`.
package func uninterrupted(_ call: () -> Int32) -> Int32 {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}

/// Runs a system call until no signal interrupts it.
///
/// - Returns: the result of the call.
/// - Throws: `FileError` with errno if the call returned −1.
@inline(__always)
func systemCall(
    _ operation: FileError.Operation, _ path: @autoclosure () -> String, _ call: () -> Int
) throws(FileError) -> Int {
    let result = uninterrupted(call)
    if result == -1 { throw FileError(operation, path(), .system(errno)) }
    return result
}

/// As above, for calls that return a C `int`.
@inline(__always)
func systemCall(
    _ operation: FileError.Operation, _ path: @autoclosure () -> String, _ call: () -> Int32
) throws(FileError) -> Int32 {
    let result = uninterrupted(call)
    if result == -1 { throw FileError(operation, path(), .system(errno)) }
    return result
}
