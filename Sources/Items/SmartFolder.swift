internal import JSONFormat

/// A saved query: a file of its own in smart/.
public struct SmartFolder: Sendable {
    /// The name that a person sees; the file's name follows from it.
    public let name: String
    /// The query as it was typed.
    public let query: String

    /// What every new library has.
    public static let initial = [
        SmartFolder(name: "Today", query: "updated:today"),
        SmartFolder(name: "This Week", query: "updated:week"),
        SmartFolder(name: "Pinned", query: "is:pinned"),
    ]

    /// The whole file, as canonical JSON.
    public var bytes: [UInt8] {
        JSONWriter.file(.members([("name", .string(name)), ("query", .string(query))]))
    }
}
