/// Why a page was saved in part, or not at all: what item.json keeps of it (FORMAT.md § 8.6).
///
/// A kind names no host, path or user of this machine: what goes into an item goes wherever the library goes. The sentence for
/// a person is made where it is shown.
public enum CaptureReason: Hashable, Sendable {
    // Saved in part.
    /// The page asks for a name and a password.
    case login
    /// The page turns robots away, or refuses.
    case blocked
    /// The page is only the message of an error.
    case errorPage
    /// Scripts make the page, and no browser was there to run them.
    case needsScript
    /// Files are missing that are there, but beyond a limit.
    case missingFiles

    // Not saved.
    case noSuchHost, nameLookup, noConnection, certificate, insecureConnection, timeout, redirects, brokenAnswer,
        tooLarge
    case proxy
    /// The browser, or its process for the page, ended.
    case browser
    /// The program that reads pages ended, or wrote what is no answer.
    case worker
    /// The link leads to a file, and the item has another document.
    case otherDocument
    /// A status of HTTP.
    case http(Int)

    // Never stored, since they say nothing of the page: the item stays as it was.
    /// The address is a private one, or of another service than the web, and was not contacted.
    case privateAddress
    /// The file that was given is no saved page.
    case noSavedPage
    /// A fault of this machine: the disk, memory, permissions.
    case machine

    /// Whether the page that was saved is none of the link's own: a login, a block or an error.
    public var isWall: Bool {
        switch self {
        case .login, .blocked, .errorPage: true
        default: false
        }
    }

    /// Whether it says something of the link or its page, and is kept in the item.
    public var isStored: Bool {
        switch self {
        case .privateAddress, .noSavedPage, .machine: false
        default: true
        }
    }
}

// Not RawRepresentable: its `==` compares raw values, which are looked up by `==` here.
extension CaptureReason {
    private static let words: [(CaptureReason, String)] = [
        (.login, "login"), (.blocked, "blocked"), (.errorPage, "error_page"), (.needsScript, "needs_script"),
        (.missingFiles, "missing_files"), (.noSuchHost, "no_such_host"), (.nameLookup, "name_lookup"),
        (.noConnection, "no_connection"), (.certificate, "certificate"), (.insecureConnection, "insecure_connection"),
        (.timeout, "timeout"), (.redirects, "redirects"), (.brokenAnswer, "broken_answer"), (.tooLarge, "too_large"),
        (.proxy, "proxy"), (.browser, "browser"), (.worker, "worker"), (.otherDocument, "other_document"),
        (.privateAddress, "private_address"), (.noSavedPage, "no_saved_page"), (.machine, "machine"),
    ]

    /// `http_` and three digits, or a word.
    public init?(rawValue: String) {
        if rawValue.hasPrefix("http_"), rawValue.utf8.count == 8, let status = Int(rawValue.dropFirst(5)), status >= 100
        {
            self = .http(status)
            return
        }
        guard let found = Self.words.first(where: { $0.1 == rawValue }) else { return nil }
        self = found.0
    }

    /// The word that the item keeps; `http_` and three digits for an HTTP status.
    public var rawValue: String {
        if case .http(let status) = self { return "http_\(max(100, min(status, 999)))" }
        return Self.words.first { $0.0 == self }?.1 ?? "machine"
    }
}

extension WireFields {
    func reason(_ key: String) throws(WireFault) -> CaptureReason? {
        guard let text = try optionalString(key) else { return nil }
        guard let reason = CaptureReason(rawValue: text) else { throw WireFault("\"\(key)\" is no known reason") }
        return reason
    }
}

extension CaptureReason {
    /// Reads what item.json has: a kind, or a sentence of an earlier version.
    ///
    /// - Returns: `nil` for a sentence that no version wrote.
    public init?(stored text: String) {
        if let kind = CaptureReason(rawValue: text) {
            self = kind
        } else if let status = Self.status(in: text) {
            self = .http(status)
        } else if let found = Self.sentences.first(where: { text.hasPrefix($0.0) || text.contains(" " + $0.0) }) {
            self = found.1
        } else {
            return nil
        }
    }

    /// How the sentences of earlier versions begin, or what stands in them.
    private static let sentences: [(String, CaptureReason)] = [
        ("the page asks for a login", .login), ("the page is only an error message", .errorPage),
        ("the page is made by scripts", .needsScript), ("files are missing:", .missingFiles),
        ("file is missing:", .missingFiles), ("there is no host", .noSuchHost), ("could not be looked up", .nameLookup),
        ("no connection", .noConnection), ("the certificate of", .certificate),
        ("no secure connection", .insecureConnection), ("no whole answer", .timeout),
        ("the answer came to a standstill", .timeout), ("the time for the whole capture", .timeout),
        ("it took longer than", .timeout), ("the server redirect", .redirects), ("the answer broke off", .brokenAnswer),
        ("the server's answer is no HTTP", .brokenAnswer), ("larger than the limit", .tooLarge),
        ("the proxy does not work", .proxy), ("was not contacted", .privateAddress), ("is no saved page", .noSavedPage),
        ("the browser", .browser), ("sbfs-worker", .worker),
    ]

    /// `… (404)` of the sentences on answers that are errors.
    private static func status(in text: String) -> Int? {
        guard text.hasPrefix("the server "), text.hasSuffix(")"), text.utf8.count > 5 else { return nil }
        let digits = text.dropLast().suffix(3)
        guard text.dropLast(4).hasSuffix("("), digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return Int(digits).flatMap { $0 >= 100 ? $0 : nil }
    }
}
