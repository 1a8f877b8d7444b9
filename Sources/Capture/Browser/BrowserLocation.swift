internal import Glibc

/// An installed browser of the Chromium family.
package struct BrowserLocation: Equatable, Sendable {
    /// The absolute path.
    package let path: String

    /// Names on PATH, in order of preference.
    package static let names = [
        "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge",
        "microsoft-edge-stable", "brave-browser", "brave-browser-stable", "brave", "vivaldi", "vivaldi-stable",
        "google-chrome-beta", "google-chrome-unstable", "chromium-freeworld", "ungoogled-chromium",
        // Without windows, so with less work. Some pages see the difference and give it another page.
        "chromium-headless-shell", "chrome-headless-shell",
    ]

    /// - Parameter searchPath: as in `PATH`; relative parts are ignored.
    /// - Returns: `nil` if no browser is wanted, or none is installed.
    /// - Throws: `.notFound` if a browser given by path or name does not exist.
    package static func find(
        setting: BrowserSetting, searchPath: String? = nil
    ) throws(BrowserFailure) -> BrowserLocation? {
        let folders = (searchPath ?? getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin")
            .split(separator: ":").filter { $0.hasPrefix("/") }
        switch setting {
        case .never: return nil
        case .auto:
            for name in names {
                for folder in folders where isProgram("\(folder)/\(name)") {
                    return BrowserLocation(path: "\(folder)/\(name)")
                }
            }
            return nil
        case .path(let text):
            if text.utf8.contains(UInt8(ascii: "/")) {
                guard let path = absolute(text), isProgram(path) else { throw .notFound(setting: text) }
                return BrowserLocation(path: path)
            }
            for folder in folders where isProgram("\(folder)/\(text)") {
                return BrowserLocation(path: "\(folder)/\(text)")
            }
            throw .notFound(setting: text)
        }
    }

    private static func absolute(_ path: String) -> String? {
        if path.hasPrefix("/") { return path }
        guard let folder = getcwd(nil, 0) else { return nil }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
