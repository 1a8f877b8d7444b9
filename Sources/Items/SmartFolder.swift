internal import JSONFormat

/// A saved query: one file in smart/.
package struct SmartFolder: Sendable {
    /// The name that a person sees; the file is named after it.
    package let name: String
    /// The query as typed.
    package let query: String

    /// The smart folders of every new library.
    package static let initial = [
        SmartFolder(name: "Today", query: "updated:today"),
        SmartFolder(name: "This Week", query: "updated:week"),
        SmartFolder(name: "Pinned", query: "is:pinned"),
    ]

    /// The whole file, as canonical JSON.
    package var bytes: [UInt8] {
        JSONWriter.file(.members([("name", .string(name)), ("query", .string(query))]))
    }
}
