/// The browser of an unconfined process that captures pages itself: started for the first page that needs it, reused
/// for later ones, ended with its owner.
package final class BrowserPool: CaptureMeans {
    private let folder: String
    private var running: (setting: String, browser: Browser)?
    /// Settings whose browser could not be started, so that it is not tried again for every page.
    private var failures: [String: BrowserFailure] = [:]

    /// - Parameter folder: where throw-away profiles are made.
    package init(profilesIn folder: String) { self.folder = folder }

    deinit { running?.browser.close() }

    package func fetcher(_ target: FetchTarget) throws -> any Fetching {
        let reach = try Reach(target)
        return try Fetcher(rule: reach.rule, cookies: reach.cookies)
    }

    /// The browser for a setting; `nil` if none is wanted or installed.
    ///
    /// - Throws: `BrowserFailure` if a browser given by name does not exist or does not start.
    package func browser(_ setting: String) throws(BrowserFailure) -> Browser? {
        if let running, running.setting == setting { return running.browser }
        if let failure = failures[setting] { throw failure }
        let wanted = BrowserSetting(setting)
        do throws(BrowserFailure) {
            guard let location = try BrowserLocation.find(setting: wanted) else { return nil }
            let browser = try Browser.start(location, profilesIn: folder)
            running?.browser.close()
            running = (setting, browser)
            return browser
        } catch {
            failures[setting] = error
            // Nobody demanded this browser, so pages are fetched without it.
            if wanted == .auto { return nil }
            throw error
        }
    }

    /// Forgets a failed browser.
    package func drop(_ browser: Browser, before deadline: ContinuousClock.Instant) {
        browser.close()
        if running?.browser === browser { running = nil }
    }

    package var isWornOut: Bool { false }
}
