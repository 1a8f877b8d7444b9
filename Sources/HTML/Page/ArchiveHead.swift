/// The lines that every rewritten page begins its head with.
package enum ArchiveHead {
    /// Files of the archive and what is in the page itself; nothing from elsewhere, no script, no form.
    package static let contentSecurityPolicy = """
        default-src 'none'; img-src 'self' file: data: blob:; style-src 'self' file: data: 'unsafe-inline'; \
        font-src 'self' file: data:; media-src 'self' file: data: blob:; frame-src 'self' file:; \
        object-src 'self' file:; form-action 'none'; base-uri 'none'
        """

    static let lines = """
        <meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="\(contentSecurityPolicy)">\
        <meta name="referrer" content="no-referrer">
        """
}
