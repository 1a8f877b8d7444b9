internal import JSONFormat

/// A saved query: a file of its own in smart/.
package struct SmartFolder: Sendable {
    package let name: String
    package let query: String

    /// What every new library has.
    package static let initial = [
        SmartFolder(name: "Today", query: "updated:today"),
        SmartFolder(name: "This Week", query: "updated:week"),
        SmartFolder(name: "Pinned", query: "is:pinned"),
    ]

    package var bytes: [UInt8] {
        JSONWriter.file(.members([("name", .string(name)), ("query", .string(query))]))
    }
}
