internal import JSONFormat
internal import URLs
internal import WorkerProtocol

/// The requests and answers between `RemoteFetcher` and `FetchService`.
extension FetchRequest {
    func json(number: Int) -> JSON {
        .members([
            ("number", .integer(number)), ("url", .string(url.href)), ("purpose", .string(purpose.rawValue)),
            ("method", .string(method.rawValue)), ("referrer", referrer.map { .string($0.href) }),
            ("policy", .string(referrerPolicy.rawValue)), ("tag", validators?.entityTag.map(JSON.string)),
            ("modified", validators?.lastModified.map(JSON.string)), ("limit", byteLimit.map(JSON.integer)),
            ("truncated", .bool(acceptsTruncated)), ("range", range.map(JSON.string)),
            ("timeout", timeout.map { .integer($0.wholeMilliseconds) }),
        ])
    }

    static func read(_ message: Message) -> (Int, FetchRequest)? {
        guard let number = message.integer("number"), let url = message.string("url").flatMap({ WebURL($0) }) else {
            return nil
        }
        var request = FetchRequest(
            url, for: message.string("purpose").flatMap(Purpose.init) ?? .other,
            referrer: message.string("referrer").flatMap { WebURL($0) })
        request.method = message.string("method").flatMap(Method.init) ?? .get
        if let policy = message.string("policy").flatMap(ReferrerPolicy.init(rawValue:)) {
            request.referrerPolicy = policy
        }
        let (tag, modified) = (message.string("tag"), message.string("modified"))
        if tag != nil || modified != nil { request.validators = .init(entityTag: tag, lastModified: modified) }
        request.byteLimit = message.integer("limit")
        request.acceptsTruncated = message.bool("truncated")
        request.range = message.string("range")
        request.timeout = message.integer("timeout").map { .milliseconds($0) }
        return (number, request)
    }
}

enum FetchAnswer {
    static func message(_ result: Result<FetchResponse, FetchFailure>, number: Int) -> (JSON, [UInt8]) {
        switch result {
        case .failure(let failure):
            return (.members([("number", .integer(number)), ("failure", failure.json)]), [])
        case .success(let response):
            let redirects = response.redirects.map { redirect in
                JSON.members([
                    ("from", .string(redirect.from.href)), ("status", .integer(redirect.status)),
                    ("to", .string(redirect.to.href)),
                ])
            }
            return (
                .members([
                    ("number", .integer(number)), ("url", .string(response.requestURL.href)),
                    ("final", .string(response.finalURL.href)), ("redirects", .array(redirects)),
                    ("status", .integer(response.status)), ("names", .strings(response.fields.fields.map(\.name))),
                    ("values", .strings(response.fields.fields.map(\.value))),
                    ("truncated", .bool(response.wasTruncated)), ("address", .string(response.remoteAddress)),
                ]), response.body
            )
        }
    }

    static func read(
        _ message: Message, _ body: [UInt8], for request: FetchRequest?
    ) -> Result<FetchResponse, FetchFailure> {
        if let failure = message.object("failure") { return .failure(FetchFailure(failure)) }
        guard let url = message.string("url").flatMap({ WebURL($0) }) ?? request?.url,
            let final = message.string("final").flatMap({ WebURL($0) }), final.isHTTP,
            let status = message.integer("status")
        else { return .failure(.local("the part that fetches gave no answer")) }
        let redirects = message.objects("redirects").compactMap { each -> FetchResponse.Redirect? in
            guard let from = each.string("from").flatMap({ WebURL($0) }), let status = each.integer("status"),
                let to = each.string("to").flatMap({ WebURL($0) })
            else { return nil }
            return .init(from: from, status: status, to: to)
        }
        let fields = HeaderFields(Array(zip(message.strings("names"), message.strings("values"))))
        return .success(
            FetchResponse(
                requestURL: url, finalURL: final, redirects: redirects, status: status, fields: fields, body: body,
                wasTruncated: message.bool("truncated"), remoteAddress: message.string("address") ?? ""))
    }
}

/// Requests all cookies; the answer's bytes are a cookie file.
enum CookieQuestion {
    static let json = JSON.members([("cookies", .bool(true))])

    static func isOne(_ message: Message) -> Bool { message.bool("cookies") }

    static func answer(_ cookies: [Cookie], _ fault: String?) -> (JSON, [UInt8]) {
        (.members([("fault", fault.map(JSON.string))]), Array(cookies.map(\.line).joined(separator: "\n").utf8))
    }

    static func read(_ message: Message, _ bytes: [UInt8]) throws(CaptureFailure) -> [Cookie] {
        if let fault = message.string("fault") { throw CaptureFailure(.machine, CaptureDetail(.words, fault)) }
        return CookieFile(bytes).cookies
    }
}

extension FetchFailure {
    /// The case by name, with its associated values.
    fileprivate var json: JSON {
        switch self {
        case .refusedAddress(let target, let address, let why):
            let (name, scope) = why.parts
            return Self.members(
                "refused", target, address, [("why", .string(name)), ("scope", scope.map { .string($0.rawValue) })])
        case .badScheme(let scheme): return Self.members("scheme", nil, scheme)
        case .noSuchHost(let host): return Self.members("host", nil, host)
        case .nameLookup(let host): return Self.members("lookup", nil, host)
        case .connect(let target, let words): return Self.members("connect", target, words)
        case .tls(let target, let fault, let words):
            return Self.members("tls", target, words, [("fault", .string(fault.rawValue))])
        case .timeout(let kind, let seconds):
            return Self.members("timeout", nil, kind.rawValue, [("count", .integer(Int(min(seconds, 1e9) * 1000)))])
        case .tooLarge(let limit, let byteCount):
            return Self.members("large", nil, limit.rawValue, [("count", .integer(byteCount))])
        case .tooManyRedirects(let limit): return Self.members("redirects", nil, "", [("count", .integer(limit))])
        case .redirectLoop(let url): return Self.members("loop", nil, url)
        case .incomplete(let received, let expected):
            return Self.members(
                "incomplete", nil, "", [("count", .integer(received)), ("expected", expected.map(JSON.integer))])
        case .malformedAnswer(let words): return Self.members("malformed", nil, words)
        case .proxy(let words): return Self.members("proxy", nil, words)
        case .local(let words): return Self.members("local", nil, words)
        }
    }

    private static func members(
        _ kind: String, _ target: HostPort?, _ words: String, _ more: [(String, JSON?)] = []
    ) -> JSON {
        .members(
            [
                ("kind", .string(kind)), ("target", target.map { .string($0.description) }), ("words", .string(words)),
            ] + more)
    }

    /// An unreadable message is a failure too.
    fileprivate init(_ message: Message) {
        let words = message.string("words") ?? ""
        let target = message.string("target").flatMap { HostPort($0) } ?? HostPort(host: "", port: 0)
        let count = message.integer("count") ?? 0
        switch message.string("kind") {
        case "refused":
            let scope = message.string("scope").flatMap(AddressScope.init(rawValue:)) ?? .reserved
            self = .refusedAddress(target, address: words, AddressRefusal(message.string("why") ?? "", scope))
        case "scheme": self = .badScheme(words)
        case "host": self = .noSuchHost(words)
        case "lookup": self = .nameLookup(words)
        case "connect": self = .connect(target, words)
        case "tls":
            self = .tls(target, message.string("fault").flatMap(TLSFault.init(rawValue:)) ?? .handshake, words)
        case "timeout": self = .timeout(TimeoutKind(rawValue: words) ?? .capture, seconds: Double(count) / 1000)
        case "large": self = .tooLarge(SizeLimit(rawValue: words) ?? .page, byteCount: count)
        case "redirects": self = .tooManyRedirects(limit: count)
        case "loop": self = .redirectLoop(words)
        case "incomplete": self = .incomplete(received: count, expected: message.integer("expected"))
        case "malformed": self = .malformedAnswer(words)
        case "proxy": self = .proxy(words)
        default: self = .local(words)
        }
    }
}

extension AddressRefusal {
    fileprivate var parts: (name: String, scope: AddressScope?) {
        switch self {
        case .scope(let scope): ("scope", scope)
        case .rebinding(let scope): ("rebinding", scope)
        case .port: ("port", nil)
        case .unreadable: ("unreadable", nil)
        }
    }

    fileprivate init(_ name: String, _ scope: AddressScope) {
        switch name {
        case "scope": self = .scope(scope)
        case "rebinding": self = .rebinding(scope)
        case "port": self = .port
        default: self = .unreadable
        }
    }
}
