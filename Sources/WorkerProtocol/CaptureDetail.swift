/// What the worker knows about a reason, or why it has no answer: what happened, and the names, limits and words of other
/// programs that belong to it.
///
/// It is for a person who watches, or a log: it may name files and hosts of this machine, and is never stored. Decide by
/// ``CaptureReason``.
public struct CaptureDetail: Hashable, Sendable {
    /// What happened. The comment names the values.
    package enum Code: String, Sendable {
        // Addresses. The host and port, the resolved address or nothing, and for whom the address is.
        case refusedScope, refusedRebinding, refusedPort, refusedUnreadable
        /// An address that is not http or https: its scheme.
        case badScheme
        /// The link of an order.
        case notHTTP
        /// The link of an order for an icon.
        case iconNotHTTP
        /// A link that was checked.
        case linkNotHTTP

        // The network.
        /// A host.
        case noSuchHost, nameLookup
        /// The host and port; libcurl's message.
        case connect, certificate, handshake
        /// libcurl's message.
        case authorities, malformedAnswer, proxy, local
        /// The time.
        case connectingTime, answerTime, stalledTime, captureTime
        /// The limit in bytes.
        case assetSize, pageSize, headerSize
        /// The limit.
        case tooManyRedirects
        /// A URL.
        case redirectLoop
        /// The number of bytes received, and of those announced, if any.
        case incomplete

        // The browser.
        /// The setting.
        case noBrowser
        /// The path; its last line.
        case browserDidNotStart
        /// Its last line.
        case browserDied
        /// What was expected.
        case browserHung, browserProtocol
        /// The page's URL.
        case pageCrashed, pageRefused, pageNotHTTP
        /// The page's URL; the browser's name of the error.
        case pageUnreachable
        case noOtherUser
        /// The path.
        case noSandbox
        /// The system's words.
        case noOwnNetwork
        case tooMuchMemory
        /// The error.
        case noBrowserFolder
        /// The call; the system's words.
        case browserSystem
        /// A print or a picture is wanted, and there is no browser.
        case printsNeedBrowser

        // The page.
        case login, robots, errorMessage, emptyPage, needsScript
        /// The HTTP status.
        case status, assetStatus
        /// The number of files; then the code and the values of the first one's reason.
        case missingFiles
        /// The limit.
        case tooManyFiles, textSize
        case aboveByteLimit, stillLoading
        /// The server sent nothing; a saved file ends before its page does.
        case emptyAnswer, cutFile
        case otherDocument

        // Saved files.
        /// The path.
        case noSavedPage, emptyMHTML, brokenWebArchive

        // This machine and the worker.
        /// The path, the line, what is wrong there.
        case cookieFile
        case noCookies, noFetching, noFetchAnswer
        case processorTime, forbiddenCall
        /// The signal.
        case workerKilled
        /// The exit code.
        case workerEnded
        /// The system's words.
        case noProcess
        /// The actions that exist.
        case noSuchTrial
        /// What is wrong with it.
        case invalidOrder
        /// The code and the values of the reason for which no browser was used.
        case withoutBrowser
        /// The words of the system, or of the library about its worker.
        case words
    }

    package let code: Code
    package let values: [String]

    package init(_ code: Code, _ values: String...) {
        self.code = code
        self.values = values
    }

    package init(_ code: Code, values: [String]) {
        self.code = code
        self.values = values
    }

    /// Files are missing because of a limit.
    package static func missingFiles(_ count: Int, _ first: CaptureDetail) -> CaptureDetail {
        CaptureDetail(.missingFiles, values: [String(count), first.code.rawValue] + first.values)
    }

    /// The page is fetched without a browser, for a reason.
    package static func withoutBrowser(_ reason: CaptureDetail) -> CaptureDetail {
        CaptureDetail(.withoutBrowser, values: reason.wire)
    }

    /// The code and the values.
    var wire: [String] { [code.rawValue] + values }

    /// - Returns: `nil` for an unknown code.
    init?(wire: [String]) {
        guard let word = wire.first, let code = Code(rawValue: word) else { return nil }
        self.init(code, values: Array(wire.dropFirst()))
    }
}

extension WireFields {
    func detail(_ key: String) throws(WireFault) -> CaptureDetail? {
        guard let wire = try optionalStrings(key) else { return nil }
        guard let detail = CaptureDetail(wire: wire) else { throw WireFault("\"\(key)\" is no known detail") }
        return detail
    }
}
