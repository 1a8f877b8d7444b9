internal import WorkerProtocol

/// The means of a capture: access to the network and to a browser.
package protocol CaptureMeans {
    /// The fetcher for an order, with its address rule and cookies.
    func fetcher(_ target: FetchTarget) throws -> any Fetching
    /// The browser for a setting; `nil` if none is wanted or installed.
    func browser(_ setting: String) throws(BrowserFailure) -> Browser?
    /// Forgets a failed browser.
    func drop(_ browser: Browser, before deadline: ContinuousClock.Instant)
    /// Whether the browser failed after it had rendered other pages. The page is then tried again in a new browser, so
    /// this capture ends without a report.
    var isWornOut: Bool { get }
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
        /// It failed after it had rendered other pages. The order gave no answer; it can be tried in a new browser.
        case wornOut = 13
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
            // It answered before, for another page.
            if isWorn {
                fate = .wornOut
                throw error
            }
            if isRequired { throw error }
            tell(error)
            return nil
        }
    }

    package func drop(_ browser: Browser, before deadline: ContinuousClock.Instant) {
        fate = isWorn && ContinuousClock.now + Self.timeForAnother <= deadline ? .wornOut : .failed
    }

    package var isWornOut: Bool { fate == .wornOut }

    /// Whether the browser that this process was given has rendered other pages.
    private var isWorn: Bool { (try? adoption.get())?.isWorn ?? false }

    /// A page is tried again only if this much time is left.
    private static let timeForAnother = Duration.seconds(10)

    /// Leaves the browser for the next page, if it was used.
    package func leave() {
        guard fate == .fit, let browser else { return }
        if !browser.leave() { fate = .failed }
    }
}
