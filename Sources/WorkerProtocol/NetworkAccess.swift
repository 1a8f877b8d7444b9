package import JSONFormat

/// The addresses that an order allows besides public ones, and its cookies.
package struct NetworkAccess: Hashable, Sendable {
    /// Whether a person typed the URL: its own host and port may then be private.
    package var isTyped = false
    /// Whether all private addresses may be contacted.
    package var allowsPrivate = false
    /// `host:port` pairs that may be contacted although their addresses are private.
    package var allowed: [String] = []
    /// The path of a Netscape cookie file; `nil` for no cookies.
    package var cookieFile: String?

    /// Allows public addresses only, without cookies.
    package init() {}

    package var members: [(String, JSON?)] {
        [
            ("typed", .bool(isTyped)), ("allowPrivate", .bool(allowsPrivate)), ("allowed", .strings(allowed)),
            ("cookies", cookieFile.map(JSON.string)),
        ]
    }

    package init(_ fields: WireFields) throws(WireFault) {
        isTyped = try fields.flag("typed")
        allowsPrivate = try fields.flag("allowPrivate")
        allowed = try fields.optionalStrings("allowed") ?? []
        cookieFile = try fields.optionalString("cookies")
    }
}
