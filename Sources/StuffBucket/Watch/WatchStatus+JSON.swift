public import JSONFormat
internal import Time

extension WatchStatus {
    /// All values under their names.
    public var json: JSON {
        .members([
            ("phase", .string(phase.rawValue)), ("process", .integer(Int(process))), ("since", .string(since.rfc3339)),
            ("isPolling", .bool(isPolling)), ("watchedItems", .integer(watchedItems)),
            ("unwatchedItems", .integer(unwatchedItems)), ("watches", .integer(watches)),
            ("waiting", .integer(waiting)), ("lag", .integer(Int(lag))), ("faults", .integer(faults)),
            ("overflows", .integer(overflows)), ("sweptAt", sweptAt.map { .string($0.rfc3339) }),
            ("problem", problem?.json), ("pages", pages?.json), ("works", .array(works.map(\.json))),
        ])
    }

    /// - Returns: `nil` if the bytes are no status.
    init?(json bytes: [UInt8]) {
        guard let json = try? JSONDocument(parsing: bytes) else { return nil }
        func member(_ key: String) -> JSONDocument.Value? { json.member(key, of: json.root) }
        func text(_ key: String) -> String? { member(key).flatMap { json.string($0) } }
        func number(_ key: String) -> Int? {
            member(key).flatMap { Int(String(decoding: json.spelling($0), as: UTF8.self)) }
        }
        guard let phase = text("phase").flatMap(Phase.init), let process = number("process"),
            let since = text("since").flatMap(Timestamp.init), let watched = number("watchedItems"),
            let unwatched = number("unwatchedItems"),
            let watches = number("watches"), let waiting = number("waiting"), let lag = number("lag"),
            let faults = number("faults"), let overflows = number("overflows"),
            let isPolling = member("isPolling")
        else { return nil }
        self.phase = phase
        self.process = Int32(clamping: process)
        self.since = since
        self.isPolling = json.kind(isPolling) == .true
        watchedItems = watched
        unwatchedItems = unwatched
        self.watches = watches
        self.waiting = waiting
        self.lag = Int64(lag)
        self.faults = faults
        self.overflows = overflows
        sweptAt = text("sweptAt").flatMap(Timestamp.init)
        problem = member("problem").flatMap { WatchProblem(json, $0) }
        pages = member("pages").flatMap { PagesStatus(json, $0) }
        works = member("works").map { json.elements($0).compactMap { WorkStatus(json, $0) } } ?? []
    }
}
