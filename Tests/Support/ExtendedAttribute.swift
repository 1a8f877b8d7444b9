internal import Glibc

// <sys/xattr.h> is not in Swift's Glibc module.
@_silgen_name("setxattr")
private func setxattr(
    _ path: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>, _ value: UnsafeRawPointer?, _ size: Int, _ flags: Int32
) -> Int32

extension ScratchDirectory {
    /// Sets an extended attribute, such as `user.xdg.tags`.
    package func setAttribute(_ relative: String, _ name: String, _ value: String) throws {
        let bytes = Array(value.utf8)
        if setxattr(full(relative), name, bytes, bytes.count, 0) != 0 {
            throw ScratchError(call: "setxattr", path: relative)
        }
    }
}
