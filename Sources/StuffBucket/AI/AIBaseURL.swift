internal import URLs

/// The address below which requests go. It comes from the person's own configuration, never from a library.
public struct AIBaseURL: Sendable, CustomStringConvertible {
    /// Why an address is refused.
    public enum Refusal: Sendable, Equatable {
        /// It is no http or https URL.
        case noURL
        /// http, and another machine than this one: the key and the items could be read on the way.
        case plain
        /// It has a user name or a password.
        case credentials
        /// It has a query or a fragment.
        case query
    }

    /// The address without a final slash. An address without a path gets `/v1`.
    public let text: String

    /// Whether the host is this machine.
    public let isLoopback: Bool

    /// Reads an address.
    ///
    /// - Throws: `AIError.badURL`.
    public init(_ typed: String) throws(AIError) {
        guard let url = WebURL(typed), url.isHTTP else { throw .badURL(typed, .noURL) }
        if url.hasCredentials { throw .badURL(url.origin, .credentials) }
        if url.query != nil || url.fragment != nil { throw .badURL(typed, .query) }
        isLoopback =
            switch url.host {
            case .domain(let name): name == "localhost" || name.hasSuffix(".localhost")
            case .ipv4(let number): number >> 24 == 127
            case .ipv6(let pieces): pieces == [0, 0, 0, 0, 0, 0, 0, 1]
            default: false
            }
        if url.scheme == "http", !isLoopback { throw .badURL(typed, .plain) }
        var path = url.path
        while path.hasSuffix("/") { path.removeLast() }
        text = url.origin + (path.isEmpty ? "/v1" : path)
    }

    /// The address.
    public var description: String { text }
}
