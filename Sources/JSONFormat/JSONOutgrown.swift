/// A file would become longer than the limit for reading it.
public struct JSONOutgrown: Error, CustomStringConvertible {
    /// The largest number of bytes that readers accept.
    public let limit: Int

    /// - Parameter limit: in bytes.
    package init(limit: Int) { self.limit = limit }

    /// A sentence for a person, with the limit.
    public var description: String {
        "the change would make the file longer than \(limit) bytes, the most that is read; nothing was changed"
    }
}
