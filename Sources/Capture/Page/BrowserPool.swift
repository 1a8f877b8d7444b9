/// The browser of one process that captures by itself, without confinement: started for the first page that needs it, used
/// for the next ones, ended with its owner.
package final class BrowserPool: CaptureMeans {
    private let folder: String
    private var running: (setting: String, browser: Browser)?
    /// Settings with which none could be started; it is not tried for every page again.
    private var failures: [String: BrowserFailure] = [:]

    /// - Parameter folder: where throw-away profiles are made.
    package init(profilesIn folder: String) { self.folder = folder }

    deinit { running?.browser.close() }

    package func fetcher(_ target: FetchTarget) throws -> any Fetching {
        let reach = try Reach(target)
        return try Fetcher(rule: reach.rule, cookies: reach.cookies)
    }

    /// The browser for a setting, or `nil` where none is wanted or installed.
    ///
    /// - Throws: `BrowserFailure` if one that was asked for by name is not there or does not start.
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
            // Nobody asked for this one by name: pages are fetched without it.
            if wanted == .auto { return nil }
            throw error
        }
    }

    /// Forgets a browser that has failed.
    package func drop(_ browser: Browser) {
        browser.close()
        if running?.browser === browser { running = nil }
    }
}
