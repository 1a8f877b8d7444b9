package import JSONFormat

/// Ask links whether they still answer; a `Finding` is told for each.
package struct LinkCheckOrder: WorkOrder, Hashable {
    package static let name = "check-links"

    package var urls: [String]
    /// `isTyped` is for a single link; cookies are not sent.
    package var access = NetworkAccess()
    /// The time for one answer, in seconds.
    package var seconds = 10

    package init(urls: [String]) { self.urls = urls }

    /// The seconds that all links together may take. A site is asked one link at a time, so a site with many links takes as
    /// long as they take together.
    package var patience: Int { 60 + urls.count * (max(1, min(seconds, 3600)) * 2 + 2) }

    package var members: [(String, JSON?)] {
        [("urls", .strings(urls))] + access.members + [("seconds", .integer(seconds))]
    }

    package init(_ fields: WireFields) throws(WireFault) {
        urls = try fields.strings("urls")
        access = try NetworkAccess(fields)
        seconds = try fields.optionalInteger("seconds") ?? seconds
    }

    package typealias Progress = Finding

    /// What became of one link.
    package struct Finding: WireValue, Hashable {
        package enum State: String, Sendable {
            /// There is an answer that is no error.
            case valid
            /// The server, or the name servers, say that it is gone.
            case dead
            /// Nothing can be said: the server is busy, broken, not reached, or does not let us in.
            case unknown
        }

        /// Of the link in `urls`.
        package let index: Int
        package let state: State
        /// HTTP status of the last answer.
        package var httpStatus: Int?
        /// Where permanent redirects lead.
        package var movedTo: String?
        /// Whether the server turned the check away, so that nothing is known.
        package var isBlocked = false
        /// Why there was no answer, as the item keeps it.
        package var kind: CaptureReason?
        /// The same for a person who looks on now; never stored.
        package var error: String?

        package init(index: Int, _ state: State) {
            self.index = index
            self.state = state
        }

        package var json: JSON {
            .members([
                ("index", .integer(index)), ("status", .string(state.rawValue)), ("http", httpStatus.map(JSON.integer)),
                ("movedTo", movedTo.map(JSON.string)), ("blocked", isBlocked ? .bool(true) : nil),
                ("kind", kind.map { .string($0.rawValue) }), ("error", error.map(JSON.string)),
            ])
        }

        package init(_ fields: WireFields) throws(WireFault) {
            index = try fields.integer("index")
            state = try fields.word("status")
            httpStatus = try fields.optionalInteger("http")
            movedTo = try fields.optionalString("movedTo")
            isBlocked = try fields.flag("blocked")
            kind = try fields.reason("kind")
            error = try fields.optionalString("error")
        }
    }

    package struct Reply: WireValue, Hashable {
        /// How many links were asked for.
        package let count: Int

        package init(count: Int) { self.count = count }

        package var json: JSON { .members([("count", .integer(count))]) }

        package init(_ fields: WireFields) throws(WireFault) { count = try fields.integer("count") }
    }
}
