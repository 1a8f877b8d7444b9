/// Which browser to use.
package enum BrowserSetting: Equatable, Sendable {
    /// The first that is installed.
    case auto
    case never
    case path(String)

    /// Reads the setting `capture.browser`; a text that is neither word is a path or a name on PATH.
    package init(_ text: String) {
        switch text {
        case "", "auto": self = .auto
        case "never": self = .never
        default: self = .path(text)
        }
    }
}
