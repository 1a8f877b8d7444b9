internal import Items
public import WorkerProtocol

/// Why a model gave no answer that can be used.
public enum AIError: Error, Sendable {
    /// No provider is set up.
    case notSetUp
    /// The settings cannot be read; what is wrong.
    case badSettings(path: String, why: String)
    /// Others can read the file of the settings.
    case exposed(path: String)
    /// The address of a server is refused.
    case badURL(String, AIBaseURL.Refusal)
    /// No key where the settings say that it is; the command or variable.
    case noKey(String)
    /// The provider does not accept the key; its words.
    case unauthorized(String)
    /// The provider does not know the address or the model; its words.
    case notFound(String)
    /// Too many requests, or no more budget. The wait in seconds that the provider asks for; its words.
    case rateLimited(retryAfter: Int?, String)
    /// The server failed, several times; its words.
    case server(status: Int, String)
    /// The server refuses the request; its words.
    case refusedRequest(status: Int, String)
    /// The server redirects, which is never followed.
    case redirected(status: Int)
    /// The network failed; what the worker knows about it.
    case network(CaptureDetail?)
    /// The answer is none of the protocol, twice; what is wrong.
    case brokenAnswer(String)
    /// The model declined to answer; its words.
    case declined(String)
    /// The answer was cut at its limit of length, twice.
    case cutShort
    /// The text does not fit into one request; its bytes and the limit.
    case tooLarge(byteCount: Int, limit: Int)
    /// The setting of what is never sent is doubtful, so nothing is sent.
    case doubtfulNever(String)

    /// Whether the same error awaits every other request.
    public var concernsAll: Bool {
        switch self {
        case .brokenAnswer, .declined, .cutShort, .tooLarge, .refusedRequest: false
        default: true
        }
    }

    /// Whether the same request may succeed later.
    public var isTransient: Bool {
        switch self {
        case .rateLimited, .server, .network: true
        default: false
        }
    }
}

extension AIError: CustomStringConvertible {
    /// The error as a sentence for a person, without a final full stop.
    public var description: String {
        switch self {
        case .notSetUp: "no model is set up"
        case .badSettings(let path, let why): "\(path): \(why)"
        case .exposed(let path): "\(path) holds a key and can be read by others"
        case .badURL(let url, .noURL): "\(url) is no http or https address"
        case .badURL(let url, .plain):
            "\(url) is another machine, and http would show the key and the items on the way; use https"
        case .badURL(let url, .credentials): "the address of \(url) has a user name or password in it"
        case .badURL(let url, .query): "\(url) has a ? or #; an address such as https://api.example.org/v1 is wanted"
        case .noKey(let source): "there is no key in \(source)"
        case .unauthorized(let words): "the key was not accepted" + Self.quote(words)
        case .notFound(let words): "the server does not know the model or the address" + Self.quote(words)
        case .rateLimited(let wait, let words):
            "the provider takes no more requests now" + (wait.map { " and asks to wait \($0) s" } ?? "")
                + Self.quote(words)
        case .server(let status, let words): "the provider's server failed (\(status))" + Self.quote(words)
        case .refusedRequest(let status, let words): "the server refused the request (\(status))" + Self.quote(words)
        case .redirected(let status): "the server redirects elsewhere (\(status)), and nothing was sent there"
        case .network(let detail): detail.map { AIAnswer.words("\($0)") } ?? "the network failed"
        case .brokenAnswer(let words): "the model's answer cannot be used: \(words)"
        case .declined(let words): "the model declined" + Self.quote(words)
        case .cutShort: "the model's answer was cut off at its limit of length"
        case .tooLarge(let count, let limit):
            "its text has \(ByteCount.text(count)), and one request takes \(ByteCount.text(limit))"
        case .doubtfulNever(let query): "the setting ai.never (\(query)) may be a mistake, so nothing was sent"
        }
    }

    private static func quote(_ words: String) -> String { words.isEmpty ? "" : ": \"\(words)\"" }
}
