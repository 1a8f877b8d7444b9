/// A file was to be written that is longer than what is read of such files.
public struct JSONOutgrown: Error, CustomStringConvertible {
    public let limit: Int

    public init(limit: Int) { self.limit = limit }

    public var description: String {
        "the change would make the file longer than \(limit) bytes, the most that is read; nothing was changed"
    }
}
