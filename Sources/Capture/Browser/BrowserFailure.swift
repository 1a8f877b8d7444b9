internal import Glibc
internal import WorkerProtocol

/// Why there is no rendered page.
package enum BrowserFailure: Error, Equatable, Sendable {
    /// No browser was found for this setting.
    case notFound(setting: String)
    /// It ended before it answered; the last line that it wrote, which may be empty.
    case didNotStart(path: String, said: String)
    /// It ended during its work.
    case died(said: String)
    /// It did not answer in time.
    case hung(waitingFor: String)
    /// Its output is not the DevTools protocol, or it refused a command that must not be refused.
    case wrongProtocol(String)
    /// The page's own process ended.
    case pageCrashed(url: String)
    /// The page could not be reached; the browser's name for the network error.
    case unreachable(url: String, error: String)
    /// The address rule refused the page's own address.
    case refused(url: String)
    /// The scheme is not http or https.
    case unsupportedAddress(url: String)
    /// This process is root, and the browser cannot run as another user.
    case noOtherUser
    /// The browser's sandbox cannot be made here, and the browser is not run without it.
    case noSandbox(path: String)
    /// A separate network namespace cannot be made; the error number.
    case noOwnNetwork(Int32)
    /// It used more memory than a page may.
    case tooMuchMemory
    /// The folder of the browser's data cannot be made; the error's sentence.
    case folder(String)
    /// A process or a connection could not be made.
    case system(call: String, number: Int32)
}

extension BrowserFailure {
    /// Whether the browser itself failed, so that the page may work in a new browser or without one.
    package var isOfBrowser: Bool {
        switch self {
        case .notFound, .didNotStart, .died, .hung, .wrongProtocol, .system, .noOtherUser, .noSandbox, .noOwnNetwork,
            .tooMuchMemory, .folder:
            true
        case .pageCrashed, .unreachable, .refused, .unsupportedAddress: false
        }
    }
}

extension BrowserFailure: CustomStringConvertible {
    package var description: String { CaptureDetail(self).description }
}

extension CaptureDetail {
    package init(_ failure: BrowserFailure) {
        switch failure {
        case .notFound(let setting): self.init(.noBrowser, setting)
        case .didNotStart(let path, let said): self.init(.browserDidNotStart, path, said)
        case .died(let said): self.init(.browserDied, said)
        case .hung(let what): self.init(.browserHung, what)
        case .wrongProtocol(let what): self.init(.browserProtocol, what)
        case .pageCrashed(let url): self.init(.pageCrashed, url)
        case .unreachable(let url, let error): self.init(.pageUnreachable, url, error)
        case .refused(let url): self.init(.pageRefused, url)
        case .unsupportedAddress(let url): self.init(.pageNotHTTP, url)
        case .noOtherUser: self.init(Code.noOtherUser)
        case .noSandbox(let path): self.init(.noSandbox, path)
        case .noOwnNetwork(let number): self.init(.noOwnNetwork, String(cString: strerror(number)))
        case .tooMuchMemory: self.init(Code.tooMuchMemory)
        case .folder(let error): self.init(.noBrowserFolder, error)
        case .system(let call, let number): self.init(.browserSystem, call, String(cString: strerror(number)))
        }
    }
}
