/// One request of the page with what is known of its answer.
struct Exchange {
    enum State {
        case open, finished
        case failed(String)
    }

    let id: String
    /// The session that reported it last: it still has the body.
    var session: String
    /// Every URL on the way, the last one answered.
    var urls: [String]
    /// As the protocol names them: `Document`, `Stylesheet`, `Image`, `XHR`, ….
    var kind: String
    var frame: String?
    var status = 0
    var contentType = ""
    /// Whether the answer is a part of the resource, as players ask for (RFC 9110, 14.4).
    var isPart = false
    /// After decompression, as far as received.
    var byteCount = 0
    var state = State.open
    let started: ContinuousClock.Instant

    /// Requests of a kind that may stay open for as long as the page does.
    var isEndless: Bool {
        switch kind {
        case "WebSocket", "EventSource", "Ping", "Media", "CSPViolationReport", "Prefetch", "WebTransport": true
        default: false
        }
    }

    /// Whether the archive can have a use for the body: what only scripts use is not carried over.
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

/// The requests of one page, in the order in which they began.
struct Exchanges {
    private(set) var all: [Exchange] = []
    private var places: [String: Int] = [:]
    /// Places of those that are open and not endless.
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
        _ session: String, _ id: String, status: Int, contentType: String, kind: String?, range: String?
    ) {
        guard let place = places[Self.key(session, id)] else { return }
        all[place].session = session
        all[place].status = status
        all[place].contentType = contentType
        all[place].isPart = status == 206 && !(range.map(Self.isWhole) ?? false)
        if let kind { all[place].kind = kind }
    }

    /// Whether a Content-Range, as in `bytes 0-99/100`, is all there is.
    static func isWhole(_ range: String) -> Bool {
        let words = range.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return false }
        let numbers = words[1].split(whereSeparator: { $0 == "-" || $0 == "/" }).map { Int($0) }
        guard numbers.count == 3, let first = numbers[0], let last = numbers[1], let count = numbers[2] else {
            return false
        }
        return first == 0 && last < count && last == count - 1
    }

    /// - Returns: how much of this body there is now.
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

    /// No longer waits for one, though it goes on.
    mutating func giveUp(_ session: String, _ id: String) {
        if let place = places[Self.key(session, id)] { pending.remove(place) }
    }
}
