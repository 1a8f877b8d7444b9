internal import JSONFormat

/// A saved query: one file in smart/.
public struct SmartFolder: Sendable {
    /// The name that a person sees; the file is named after it.
    public let name: String
    /// The query as typed.
    public let query: String

    /// The smart folders of every new library.
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
