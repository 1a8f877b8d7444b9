internal import Characters
internal import URLs

/// A small file that opens a URL in the browser.
///
/// On file systems with symbolic links a desktop entry of type Link (Desktop Entry Specification 1.5), which Dolphin,
/// PCManFM and Thunar open and Nautilus shows as text. It has no Exec key, so that it runs nothing. On others, which are
/// mostly read by Windows or macOS, too, an Internet shortcut (`.url`), which these open.
enum LinkFile {
    /// - Returns: `nil` for a text that is no http or https URL.
    static func bytes(url: String, title: String, isDesktopEntry: Bool) -> [UInt8]? {
        // In this form, a URL has no control characters and no spaces, so it stays on its line.
        guard let url = LinkIdentity(url).map({ _ in url }), Printable.isPlain(url) else { return nil }
        if !isDesktopEntry { return Array("[InternetShortcut]\r\nURL=\(url)\r\n".utf8) }
        let text = """
            [Desktop Entry]
            Version=1.5
            Type=Link
            Name=\(escaped(title))
            URL=\(escaped(url))
            Icon=text-html

            """
        return Array(text.utf8)
    }

    static func fileExtension(isDesktopEntry: Bool) -> String { isDesktopEntry ? ".desktop" : ".url" }

    /// A value of type string: the backslash is escaped; there is no line end, since titles have no control characters.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in Printable.visible(text).unicodeScalars {
            if scalar == "\\" { escaped += "\\\\" } else { escaped.unicodeScalars.append(scalar) }
        }
        return escaped.hasPrefix(" ") ? "\\s" + escaped.dropFirst() : escaped
    }
}
