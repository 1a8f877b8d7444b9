package import JSONFormat

/// What a piece of work may reach besides public addresses, and with whose cookies.
public struct NetworkAccess: Hashable, Sendable {
    /// Whether a person typed the URL: its own host and port may then be private ones.
    public var isTyped = false
    /// Whether every private address may be reached.
    public var allowsPrivate = false
    /// `host:port` pairs that may be reached although private.
    public var allowed: [String] = []
    /// The path of a Netscape cookie file.
    public var cookieFile: String?

    /// Makes an access to public addresses alone, without cookies.
    public init() {}

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
