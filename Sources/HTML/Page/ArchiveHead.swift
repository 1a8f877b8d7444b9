/// The lines that every rewritten page begins its head with.
package enum ArchiveHead {
    /// Allows files of the archive and content of the page itself. Nothing from elsewhere, no script, no form.
    package static let contentSecurityPolicy = """
        default-src 'none'; img-src 'self' file: data: blob:; style-src 'self' file: data: 'unsafe-inline'; \
        font-src 'self' file: data:; media-src 'self' file: data: blob:; frame-src 'self' file:; \
        object-src 'self' file:; form-action 'none'; base-uri 'none'
        """

    static let lines = """
        <meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="\(contentSecurityPolicy)">\
        <meta name="referrer" content="no-referrer">
        """

    static func line(_ mark: PageContext.Mark) -> String {
        "<meta name=\"\(escaped(mark.name))\" content=\"\(escaped(mark.content))\">"
    }

    /// For an attribute value in double quotes. Control characters are left out.
    private static func escaped(_ text: String) -> String {
        var output = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output.append(contentsOf: "&amp;".unicodeScalars)
            case "\"": output.append(contentsOf: "&quot;".unicodeScalars)
            case "<": output.append(contentsOf: "&lt;".unicodeScalars)
            case ">": output.append(contentsOf: "&gt;".unicodeScalars)
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: continue
            default: output.append(scalar)
            }
        }
        return String(output)
    }
}
