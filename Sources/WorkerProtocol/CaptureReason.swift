import Characters
internal import Characters

/// Why a page was saved in part or not at all, as item.json records it (FORMAT.md § 8.6).
///
/// A reason names no host, path or user of this machine, since an item goes wherever the library goes. The sentence
/// for a person is made where it is shown.
public enum CaptureReason: Hashable, Sendable {
    // Saved in part; `timeout` too.
    /// The page asks for a name and a password.
    case login
    /// The page is a bot check or a refusal.
    case blocked
    /// The page is only an error message.
    case errorPage
    /// The page shows nothing, or only that something is loading.
    case emptyPage
    /// Scripts build the page, and no browser was available to run them.
    case needsScript
    /// Existing files are missing because of a limit.
    case missingFiles

    // Not saved.
    case noSuchHost, nameLookup, noConnection, certificate, insecureConnection, timeout, redirects, brokenAnswer,
        tooLarge
    case proxy
    /// The browser, or its process for the page, ended.
    case browser
    /// The program that reads pages ended, or its answer is invalid.
    case worker
    /// The link leads to a file, and the item has another document.
    case otherDocument
    /// An HTTP status.
    case http(Int)

    // Never stored, since they say nothing about the page: the item stays unchanged.
    /// The address is private, or its port belongs to another service than the web. It was not contacted.
    case privateAddress
    /// The given file is no saved page.
    case noSavedPage
    /// An error of this machine: the disk, memory, permissions.
    case machine

    /// Whether the saved page is not the link's own: a login, a block, an error or nothing.
    package var isWall: Bool {
        switch self {
        case .login, .blocked, .errorPage, .emptyPage: true
        default: false
        }
    }

    /// Whether it says something about the link or its page, and is recorded in the item.
    package var isStored: Bool {
        switch self {
        case .privateAddress, .noSavedPage, .machine: false
        default: true
        }
    }
}

// Not RawRepresentable: its `==` compares raw values, which are looked up here with `==`.
extension CaptureReason {
    private static let words: [(CaptureReason, String)] = [
        (.login, "login"), (.blocked, "blocked"), (.errorPage, "error_page"),
        (.emptyPage, "empty_page"), (.needsScript, "needs_script"),
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

    /// The word that the item records; `http_` and three digits for an HTTP status.
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
    /// Reads the value in item.json: a word, or a sentence of an earlier version.
    ///
    /// - Returns: `nil` for a sentence that no version wrote.
    package init?(stored text: String) {
        if let kind = CaptureReason(rawValue: text) {
            self = kind
        } else if let status = Self.status(in: text) {
            self = .http(status)
        } else if let found = Self.sentences.first(where: { text.hasPrefix($0.0) || text.contains(text: " " + $0.0) }) {
            self = found.1
        } else {
            return nil
        }
    }

    /// Parts of the sentences of earlier versions, at their start or anywhere.
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

    /// `… (404)` in sentences about answers with an error status.
    private static func status(in text: String) -> Int? {
        guard text.hasPrefix("the server "), text.hasSuffix(")"), text.utf8.count > 5 else { return nil }
        let digits = text.dropLast().suffix(3)
        guard text.dropLast(4).hasSuffix("("), digits.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(digits).flatMap { $0 >= 100 ? $0 : nil }
    }
}
