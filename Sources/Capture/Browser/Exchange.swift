/// One request of the page, and what is known about its response.
struct Exchange {
    enum State {
        case open, finished
        case failed(String)
    }

    let id: String
    /// The session that reported it last; it still has the body.
    var session: String
    /// Every URL of the chain of redirects, the last one answered.
    var urls: [String]
    /// The protocol's name for the type: `Document`, `Stylesheet`, `Image`, `XHR`, ….
    var kind: String
    var frame: String?
    var status = 0
    var contentType = ""
    /// Whether the response is a part of the resource, as media players request (RFC 9110, 14.4).
    var isPart = false
    /// Bytes received, after decompression.
    var byteCount = 0
    /// Whether its Content-Type names an encoding.
    var saysEncoding = false
    /// The Content-Length, if the server sent one.
    var announcedByteCount = 0
    var state = State.open
    /// Whether the end of the response may be reported to nobody.
    var isHeadOnly = false
    let started: ContinuousClock.Instant

    /// Whether the response is known to be larger than a number of bytes, even if only its head has arrived.
    func isLarger(than limit: Int) -> Bool { max(byteCount, announcedByteCount) > limit }

    var isOver: Bool {
        if case .finished = state { true } else { false }
    }

    /// Whether a request of this type may stay open as long as the page.
    var isEndless: Bool {
        switch kind {
        case "WebSocket", "EventSource", "Ping", "Media", "CSPViolationReport", "Prefetch", "WebTransport": true
        default: false
        }
    }

    /// Whether the archive may need the body. Data that only scripts use is not kept.
    var isKept: Bool {
        switch kind {
        case "Stylesheet", "Image", "Font", "Media", "TextTrack", "Manifest", "SignedExchange", "Document": true
        case "XHR", "Fetch", "Other", "Prefetch":
            ["image/", "font/", "audio/", "video/", "text/css", "application/font", "application/x-font"]
                .contains { contentType.hasPrefix($0) }
        default: false
        }
    }
}

/// The requests of one page, in the order of their start.
struct Exchanges {
    private(set) var all: [Exchange] = []
    private var places: [String: Int] = [:]
    /// Indices of open requests that are not endless.
    private(set) var pending: Set<Int> = []
    private(set) var byteCount = 0

    /// IDs are counted per process. Those of navigations are unique, and two sessions may report the same one.
    private static func key(_ session: String, _ id: String) -> String {
        id.utf8.contains(UInt8(ascii: ".")) ? session + " " + id : id
    }

    mutating func begin(_ session: String, _ id: String, url: String, kind: String, frame: String?) {
        let key = Self.key(session, id)
        if let place = places[key] {
            all[place].urls.append(url)
            all[place].session = session
            return
        }
        places[key] = all.count
        let exchange = Exchange(
            id: id, session: session, urls: [url], kind: kind, frame: frame, started: .now)
        if !exchange.isEndless { pending.insert(all.count) }
        all.append(exchange)
    }

    mutating func answer(
        _ session: String, _ id: String, status: Int, contentType: String, kind: String?, length: String?,
        range: String?, saysEncoding: Bool = false
    ) {
        guard let place = places[Self.key(session, id)] else { return }
        all[place].session = session
        all[place].status = status
        all[place].contentType = contentType
        all[place].saysEncoding = saysEncoding
        all[place].announcedByteCount = length.flatMap { Int($0) } ?? 0
        all[place].isPart = status == 206 && !(range.map(Self.isWhole) ?? false)
        if let kind { all[place].kind = kind }
    }

    /// Whether a Content-Range, such as `bytes 0-99/100`, covers the whole resource.
    static func isWhole(_ range: String) -> Bool {
        let words = range.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return false }
        let numbers = words[1].split(whereSeparator: { $0 == "-" || $0 == "/" }).map { Int($0) }
        guard numbers.count == 3, let first = numbers[0], let last = numbers[1], let count = numbers[2] else {
            return false
        }
        return first == 0 && last < count && last == count - 1
    }

    /// - Returns: the number of bytes of this body so far.
    mutating func receive(_ session: String, _ id: String, byteCount count: Int) -> Int {
        guard let place = places[Self.key(session, id)], count > 0 else { return 0 }
        all[place].byteCount += count
        byteCount += count
        return all[place].byteCount
    }

    mutating func end(_ session: String, _ id: String, _ state: Exchange.State) {
        guard let place = places[Self.key(session, id)] else { return }
        all[place].session = session
        all[place].state = state
        pending.remove(place)
    }

    /// Expects no event after the response's head.
    mutating func expectHeadOnly(_ session: String, _ id: String) {
        if let place = places[Self.key(session, id)] { all[place].isHeadOnly = true }
    }

    func isHeadOnly(_ session: String, _ id: String) -> Bool {
        places[Self.key(session, id)].map { all[$0].isHeadOnly } ?? false
    }

    /// Stops waiting for a request, which may continue.
    mutating func giveUp(_ session: String, _ id: String) {
        if let place = places[Self.key(session, id)] { pending.remove(place) }
    }
}
