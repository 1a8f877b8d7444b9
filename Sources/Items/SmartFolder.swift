internal import JSONFormat

/// A saved query: a file of its own in smart/.
public struct SmartFolder: Sendable {
    public let name: String
    public let query: String

    /// What every new library has.
    public static let initial = [
        SmartFolder(name: "Today", query: "updated:today"),
        SmartFolder(name: "This Week", query: "updated:week"),
        SmartFolder(name: "Pinned", query: "is:pinned"),
    ]

    public var bytes: [UInt8] {
        JSONWriter.file(.members([("name", .string(name)), ("query", .string(query))]))
    }
}
