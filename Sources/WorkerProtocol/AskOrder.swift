package import JSONFormat

/// Sends bodies to one address by POST, several at once, and passes on the answers as they come.
///
/// The fields may hold a key, so the line of this order must not be printed or kept.
package struct AskOrder: WorkOrder {
    package typealias Progress = Answered

    package static let name = "ask"

    /// An http or https URL. Only its host and port are contacted, and no redirect is followed.
    package var url: String
    /// Header fields, each `Name: value`.
    package var fields: [String]
    /// JSON in UTF-8.
    package var bodies: [String]
    /// The number of requests at once.
    package var atOnce = 4
    /// The time for one attempt, in seconds.
    package var seconds = 300
    /// Attempts for one body, including the first.
    package var attempts = 4

    package init(url: String, fields: [String], bodies: [String]) {
        self.url = url
        self.fields = fields
        self.bodies = bodies
    }

    /// The longest wait that a server may ask for before another attempt, in seconds.
    package static let longestWait = 60

    /// The time for all bodies, in seconds.
    package var patience: Int {
        let rounds = bodies.count / max(1, atOnce) + 1
        return min(rounds * (seconds + Self.longestWait) * attempts, 86_400)
    }

    package var members: [(String, JSON?)] {
        [
            ("url", .string(url)), ("fields", .strings(fields)), ("bodies", .strings(bodies)),
            ("atOnce", .integer(atOnce)), ("seconds", .integer(seconds)), ("attempts", .integer(attempts)),
        ]
    }

    package init(_ wire: WireFields) throws(WireFault) {
        url = try wire.string("url")
        fields = try wire.strings("fields")
        bodies = try wire.strings("bodies")
        atOnce = try wire.optionalInteger("atOnce") ?? atOnce
        seconds = try wire.optionalInteger("seconds") ?? seconds
        attempts = try wire.optionalInteger("attempts") ?? attempts
    }

    /// What became of one body.
    package struct Answered: WireValue, Hashable {
        /// Its place in `bodies`.
        package let index: Int
        /// The HTTP status; `nil` without an answer.
        package var status: Int?
        /// The answer's body. Bytes that are not UTF-8 are replaced.
        package var body = ""
        /// The wait in seconds that the server asks for.
        package var retryAfter: Int?
        /// Why there is no answer.
        package var kind: CaptureReason?
        /// What the worker knows about the reason.
        package var diagnostic: CaptureDetail?

        package init(index: Int) { self.index = index }

        package var json: JSON {
            .members([
                ("index", .integer(index)), ("status", status.map(JSON.integer)), ("body", .string(body)),
                ("retryAfter", retryAfter.map(JSON.integer)), ("kind", kind.map { .string($0.rawValue) }),
                ("detail", (diagnostic?.wire).map(JSON.strings)),
            ])
        }

        package init(_ wire: WireFields) throws(WireFault) {
            index = try wire.integer("index")
            status = try wire.optionalInteger("status")
            body = try wire.optionalString("body") ?? ""
            retryAfter = try wire.optionalInteger("retryAfter")
            kind = try wire.reason("kind")
            diagnostic = try wire.detail("detail")
        }
    }

    package struct Reply: WireValue, Hashable {
        /// The number of bodies sent.
        package let count: Int

        package init(count: Int) { self.count = count }

        package var json: JSON { .members([("count", .integer(count))]) }

        package init(_ wire: WireFields) throws(WireFault) { count = try wire.integer("count") }
    }
}
