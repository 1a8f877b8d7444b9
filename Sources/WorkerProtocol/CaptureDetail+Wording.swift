extension CaptureDetail: CustomStringConvertible {
    /// A sentence for a person, without a full stop.
    public var description: String {
        let (first, second) = (value(0), value(1))
        return switch code {
        case .refusedScope:
            "\(place) was not contacted: the address is for \(value(2)), not on the public network\(way)"
        case .refusedRebinding:
            "\(place) was not contacted: the name had a public address before and now has one for \(value(2))\(way)"
        case .refusedPort: "\(place) was not contacted: port \(port) belongs to another service than the web\(way)"
        case .refusedUnreadable: "\(place) was not contacted: its address cannot be read"
        case .badScheme: "only http and https pages are fetched, not \(first): addresses"
        case .notHTTP: "only http and https pages can be saved, and \(first) is neither"
        case .iconNotHTTP: "\(first) is no http or https URL"
        case .linkNotHTTP: "it is no http or https URL"

        case .noSuchHost: "there is no host \(first); check the spelling"
        case .nameLookup: "the name \(first) could not be looked up; check the connection and try again"
        case .connect: "no connection to \(first) (\(second)); the server may be down, try again later"
        case .certificate:
            "the certificate of \(first) is not to be trusted (\(second)); nothing was fetched. If it is your own server,"
                + " add its authority to this machine's certificates"
        case .handshake: "no secure connection to \(first) (\(second)); the server may speak only http there"
        case .authorities:
            "this machine's list of certificate authorities cannot be read (\(first));"
                + " install the package ca-certificates or set SSL_CERT_FILE"
        case .malformedAnswer: "the server's answer is no HTTP (\(first))"
        case .proxy: "the proxy does not work (\(first)); check http_proxy and https_proxy"
        case .local: "fetching failed on this machine (\(first))"
        case .connectingTime: "no connection within \(first); the server may be down, try again later"
        case .answerTime: "no whole answer within \(first); try again later"
        case .stalledTime: "the answer came to a standstill for \(first); try again later"
        case .captureTime: "the time for the whole capture was over after \(first); try again with more time"
        case .assetSize: "it is larger than the limit of \(first) bytes for one file"
        case .pageSize: "the page and its files are larger than the limit of \(first) bytes"
        case .headerSize: "the server sent more than \(first) bytes of header fields"
        case .tooManyRedirects:
            "the server redirected more than \(first) times; open it in a browser to see where it leads"
        case .redirectLoop: "the server redirects in a circle by way of \(first); it may want cookies"
        case .incomplete:
            "the answer broke off after \(first)" + (second.isEmpty ? "" : " of \(second)") + " bytes; try again"

        case .noBrowser:
            first == "auto"
                ? "no Chromium, Chrome, Edge or Brave is installed"
                : "there is no browser at \(first) (setting capture.browser)"
        case .browserDidNotStart: "\(first) did not start" + Self.quote(second)
        case .browserDied: "the browser ended unexpectedly" + Self.quote(first)
        case .browserHung: "the browser did not answer in time (\(first))"
        case .browserProtocol: "the browser does not speak the DevTools protocol as expected: \(first)"
        case .pageCrashed: "the browser's process for \(first) crashed"
        case .pageRefused: "the address of \(first) is private and was not allowed"
        case .pageNotHTTP: "\(first) is not an http or https address"
        case .pageUnreachable: "\(first) could not be reached: \(second)"
        case .noOtherUser:
            "sbfs does not run the browser as root, and cannot run it as the user nobody here; run sbfs as an ordinary "
                + "user, or save pages without a browser"
        case .noSandbox:
            "\(first) cannot make its own sandbox here, and sbfs does not run it without one; allow user namespaces "
                + "(kernel.unprivileged_userns_clone=1), or save pages without a browser"
        case .noOwnNetwork: "cannot make a separate network for the browser: \(first)"
        case .tooMuchMemory: "the page took more memory than a page may, and was stopped"
        case .noBrowserFolder: "there is no folder for the browser's data: \(first)"
        case .browserSystem: "\(first): \(second)"
        case .printsNeedBrowser:
            "a print or a picture of the page needs a browser, and none is used; install Chromium, Chrome, Edge or Brave, or"
                + " name one (setting capture.browser)"

        case .login: "the page asks for a login"
        case .robots: "the page refuses robots"
        case .errorMessage: "the page is only an error message"
        case .emptyPage: "the page shows nothing"
        case .needsScript: "scripts make the page, and there was no browser to run them"
        case .status:
            switch first {
            case "404": "the server has no such page (404)"
            case "410": "the server says that the page is gone for good (410)"
            default: "the server answered with an error (\(first))"
            }
        case .assetStatus: "the server answered \(first)"
        case .missingFiles:
            "\(first) file\(first == "1" ? " is" : "s are") missing: "
                + inner(after: 1)
        case .tooManyFiles: "the page has more than \(first) files"
        case .textSize: "a text of more than \(first) bytes"
        case .aboveByteLimit: "it is above the limit in bytes"
        case .emptyAnswer: "the server answered, but sent nothing"
        case .cutFile: "the file ends before the page does; save the page again"
        case .stillLoading: "it was still loading when the page was taken"
        case .otherDocument: "the link leads to a file, and the item has another document"

        case .noSavedPage: "\(first) is no saved page (HTML, MHTML or .webarchive)"
        case .emptyMHTML: "\(first) is MHTML without a page in it"
        case .brokenWebArchive: "\(first) is a .webarchive that cannot be read"

        case .cookieFile: "\(first):\(second): \(value(2))"
        case .noCookies: "the part that fetches gave no cookies"
        case .noFetching: "nothing is fetched for this order"
        case .noFetchAnswer: "the fetcher gave no answer"
        case .processorTime: "it took more processor time than a page may and was stopped"
        case .forbiddenCall: "it made a system call that it may not make, and was stopped"
        case .workerKilled: "what came was too much for sbfs-worker, which was stopped by signal \(first)"
        case .workerEnded: "sbfs-worker ended unexpectedly (exit \(first))"
        case .noProcess: "sbfs-worker has no process left for the order: \(first)"
        case .noSuchTrial: "trial needs an action: \(values.joined(separator: ", "))"
        case .invalidOrder: first
        case .withoutBrowser: "\(inner(after: 0)); the page is fetched without a browser"
        case .words: first
        }
    }

    private func value(_ index: Int) -> String { index < values.count ? values[index] : "" }

    /// The sentence of the reason that the values hold from a place on. Such a reason holds no further one.
    private func inner(after count: Int) -> String {
        guard let inner = CaptureDetail(wire: Array(values.dropFirst(count))),
            inner.code != .missingFiles, inner.code != .withoutBrowser
        else { return "" }
        return inner.description
    }

    private static func quote(_ words: String) -> String { words.isEmpty ? "" : ": \(words)" }

    // MARK: Refused addresses: the host and port, and the resolved address or nothing

    private var place: String { value(1).isEmpty ? value(0) : "\(value(0)) (\(value(1)))" }
    private var way: String { "; if you mean it, allow \(value(0))" }
    private var port: String { value(0).split(separator: ":").last.map(String.init) ?? "" }
}
