internal import WorkerProtocol

/// The means of a capture: access to the network and to a browser.
package protocol CaptureMeans {
    /// The fetcher for an order, with its address rule and cookies.
    func fetcher(_ target: FetchTarget) throws -> any Fetching
    /// The browser for a setting; `nil` if none is wanted or installed.
    func browser(_ setting: String) throws(BrowserFailure) -> Browser?
    /// Forgets a failed browser.
    func drop(_ browser: Browser)
}

/// The means of a confined process: sockets from another process.
package final class HandedMeans: CaptureMeans {
    private let socket: MessageSocket?
    private let adoption: Result<BrowserAdoption?, BrowserFailure>
    private let isRequired: Bool
    private let tell: (BrowserFailure) -> Void
    private var browser: Browser?
    /// The state of the browser at the end, for the process that started it.
    package private(set) var fate = Fate.unused

    package enum Fate: Int32, Sendable {
        case unused = 0
        /// It can be used again.
        case fit = 10
        case failed = 11
        /// It never answered.
        case neverStarted = 12
    }

    /// - Parameters:
    ///   - socket: to a `FetchService`; `nil` for work that fetches nothing.
    ///   - isRequired: whether the person demanded this browser, so that pages are not saved without it.
    ///   - tell: called with the reason if an optional browser is not used.
    package init(
        fetchingBy socket: MessageSocket?, _ adoption: Result<BrowserAdoption?, BrowserFailure>, isRequired: Bool,
        tell: @escaping (BrowserFailure) -> Void
    ) {
        self.socket = socket
        self.adoption = adoption
        self.isRequired = isRequired
        self.tell = tell
    }

    package func fetcher(_ target: FetchTarget) throws -> any Fetching {
        guard let socket else { throw CaptureFailure(.worker, CaptureDetail(.noFetching)) }
        return RemoteFetcher(socket)
    }

    package func browser(_ setting: String) throws(BrowserFailure) -> Browser? {
        do throws(BrowserFailure) {
            guard let adoption = try adoption.get() else { return nil }
            fate = .neverStarted
            let new = try Browser.adopt(adoption)
            fate = .fit
            browser = new
            return new
        } catch {
            if isRequired { throw error }
            tell(error)
            return nil
        }
    }

    package func drop(_ browser: Browser) { fate = .failed }

    /// Leaves the browser for the next page, if it was used.
    package func leave() {
        guard fate == .fit, let browser else { return }
        if !browser.leave() { fate = .failed }
    }
}
