internal import Glibc

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
    package var description: String {
        switch self {
        case .notFound(let setting):
            setting == "auto"
                ? "no Chromium, Chrome, Edge or Brave is installed"
                : "there is no browser at \(setting) (setting capture.browser)"
        case .didNotStart(let path, let said): "\(path) did not start" + (said.isEmpty ? "" : ": \(said)")
        case .died(let said): "the browser ended unexpectedly" + (said.isEmpty ? "" : ": \(said)")
        case .hung(let what): "the browser did not answer in time (\(what))"
        case .wrongProtocol(let what): "the browser does not speak the DevTools protocol as expected: \(what)"
        case .pageCrashed(let url): "the browser's process for \(url) crashed"
        case .unreachable(let url, let error): "\(url) could not be reached: \(error)"
        case .refused(let url): "the address of \(url) is private and was not allowed"
        case .unsupportedAddress(let url): "\(url) is not an http or https address"
        case .noOtherUser:
            "sbfs does not run the browser as root, and cannot run it as the user nobody here; run sbfs as an ordinary "
                + "user, or save pages without a browser"
        case .noSandbox(let path):
            "\(path) cannot make its own sandbox here, and sbfs does not run it without one; allow user namespaces "
                + "(kernel.unprivileged_userns_clone=1), or save pages without a browser"
        case .noOwnNetwork(let number):
            "cannot make a separate network for the browser: \(String(cString: strerror(number)))"
        case .tooMuchMemory: "the page took more memory than a page may"
        case .folder(let error): "there is no folder for the browser's data: \(error)"
        case .system(let call, let number): "\(call): \(String(cString: strerror(number)))"
        }
    }
}
