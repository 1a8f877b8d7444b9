internal import CSystem
internal import Glibc

extension Descriptor {
    /// The value of an extended attribute, such as `user.xdg.tags`.
    ///
    /// - Parameter limit: a longer value is `nil`, in bytes.
    /// - Returns: `nil` also if there is none, or the file system has no attributes.
    package func attribute(_ name: String, limit: Int) -> [UInt8]? {
        var byteCount = 0
        let value = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            byteCount = csystem_attribute(number, name, buffer.baseAddress, buffer.count)
            count = max(0, byteCount)
        }
        return byteCount < 0 ? nil : value
    }

    /// Sets an extended attribute.
    ///
    /// - Returns: false if the file system has none, or it does not fit.
    package func setAttribute(_ name: String, _ value: [UInt8]) -> Bool {
        uninterrupted { csystem_set_attribute(number, name, value, value.count) } == 0
    }
}
