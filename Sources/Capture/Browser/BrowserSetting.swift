/// The choice of a browser.
package enum BrowserSetting: Equatable, Sendable {
    /// The first one that is installed.
    case auto
    case never
    case path(String)

    /// Reads the setting `capture.browser`. Text that is neither word is a path or a name on PATH.
    package init(_ text: String) {
        switch text {
        case "", "auto": self = .auto
        case "never": self = .never
        default: self = .path(text)
        }
    }
}
