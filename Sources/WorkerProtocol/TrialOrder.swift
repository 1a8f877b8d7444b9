package import JSONFormat

/// Tries actions that a process with a profile must not be able to perform. For tests.
package struct TrialOrder: WorkOrder, Hashable {
    package typealias Progress = Never

    package static let name = "trial"

    /// A profile of confinement; any other word means none.
    package var profile: String
    package var action: String
    package var target = ""
    /// A file that the process may read.
    package var file: String?
    /// A folder that the process may write.
    package var folder: String?

    package init(profile: String, action: String) {
        self.profile = profile
        self.action = action
    }

    package var members: [(String, JSON?)] {
        [
            ("profile", .string(profile)), ("action", .string(action)), ("target", .string(target)),
            ("file", file.map(JSON.string)), ("folder", folder.map(JSON.string)),
        ]
    }

    package init(_ fields: WireFields) throws(WireFault) {
        profile = try fields.optionalString("profile") ?? ""
        action = try fields.string("action")
        target = try fields.optionalString("target") ?? target
        file = try fields.optionalString("file")
        folder = try fields.optionalString("folder")
    }

    package struct Reply: WireValue, Hashable {
        /// `done`, or the error's name.
        package let outcome: String

        package init(outcome: String) { self.outcome = outcome }

        package var json: JSON { .members([("outcome", .string(outcome))]) }

        package init(_ fields: WireFields) throws(WireFault) { outcome = try fields.string("outcome") }
    }
}
