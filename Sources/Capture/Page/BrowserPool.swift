/// The browser of a worker: started for the first page that needs it, used for the next ones, ended with the worker.
package final class BrowserPool {
    private let folder: String
    private var running: (setting: String, browser: Browser)?
    /// Settings with which none could be started; it is not tried for every page again.
    private var failures: [String: BrowserFailure] = [:]

    /// - Parameter folder: where throw-away profiles are made.
    package init(profilesIn folder: String) { self.folder = folder }

    deinit { running?.browser.close() }

    /// The browser for a setting, or `nil` where none is wanted or installed.
    ///
    /// - Throws: `BrowserFailure` if one that was asked for by name is not there or does not start.
    func browser(_ setting: String) throws(BrowserFailure) -> Browser? {
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
    func drop(_ browser: Browser) {
        browser.close()
        if running?.browser === browser { running = nil }
    }
}
