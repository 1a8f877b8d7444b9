package import JSONFormat

/// Asks whether links still answer; the worker reports a `Finding` for each.
package struct LinkCheckOrder: WorkOrder, Hashable {
    package static let name = "check-links"

    package var urls: [String]
    /// `isTyped` is only for a single link; no cookies are sent.
    package var access = NetworkAccess()
    /// The time for one answer, in seconds.
    package var seconds = 10

    package init(urls: [String]) { self.urls = urls }

    /// The time for all links together, in seconds. A site is asked about one link at a time, so many links of one
    /// site add up.
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

    /// The result for one link.
    package struct Finding: WireValue, Hashable {
        package enum State: String, Sendable {
            /// The answer is no error.
            case valid
            /// The server or the name servers report that it is gone.
            case dead
            /// Nothing is known: the server is busy, broken or unreachable, or refuses the check.
            case unknown
        }

        /// The index of the link in `urls`.
        package let index: Int
        package let state: State
        /// The HTTP status of the last answer; `nil` without an answer.
        package var httpStatus: Int?
        /// The target of permanent redirects; `nil` if there were none.
        package var movedTo: String?
        /// Whether the server refused the check, so that nothing is known.
        package var isBlocked = false
        /// Why there was no answer, as the item records it.
        package var kind: CaptureReason?
        /// What the worker knows about the reason.
        package var error: CaptureDetail?

        package init(index: Int, _ state: State) {
            self.index = index
            self.state = state
        }

        package var json: JSON {
            .members([
                ("index", .integer(index)), ("status", .string(state.rawValue)), ("http", httpStatus.map(JSON.integer)),
                ("movedTo", movedTo.map(JSON.string)), ("blocked", isBlocked ? .bool(true) : nil),
                ("kind", kind.map { .string($0.rawValue) }), ("detail", (error?.wire).map(JSON.strings)),
            ])
        }

        package init(_ fields: WireFields) throws(WireFault) {
            index = try fields.integer("index")
            state = try fields.word("status")
            httpStatus = try fields.optionalInteger("http")
            movedTo = try fields.optionalString("movedTo")
            isBlocked = try fields.flag("blocked")
            kind = try fields.reason("kind")
            error = try fields.detail("detail")
        }
    }

    package struct Reply: WireValue, Hashable {
        /// The number of checked links.
        package let count: Int

        package init(count: Int) { self.count = count }

        package var json: JSON { .members([("count", .integer(count))]) }

        package init(_ fields: WireFields) throws(WireFault) { count = try fields.integer("count") }
    }
}
