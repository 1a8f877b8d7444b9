package import JSONFormat

/// What a worker is asked to save: one page, into one empty folder.
package struct CaptureOrder: Sendable {
    /// http or https.
    package var url: String
    /// An existing empty folder, by its full path; page.html, reader.html, assets/ and document/ are made in it.
    package var folder: String
    /// Whether a person typed the URL: its own host and port may then be private ones.
    package var isTyped = false
    package var allowsPrivate = false
    /// `host:port` pairs that may be reached although private.
    package var allowed: [String] = []
    /// A Netscape cookie file.
    package var cookieFile: String?
    /// `auto`, `never`, or the path of a browser.
    package var browser = "auto"
    /// The time for the whole, in seconds.
    package var seconds = 120
    /// A saved page on disk (HTML of SingleFile or a browser, MHTML, .webarchive) to be taken instead of fetching.
    package var savedFile: String?
    /// What a server said of the capture that is there, so that an unchanged page need not be sent again.
    package var entityTag: String?
    package var lastModified: String?

    package init(url: String, folder: String) {
        self.url = url
        self.folder = folder
    }

    package var json: JSON {
        .members([
            ("do", .string("capture")), ("url", .string(url)), ("folder", .string(folder)), ("typed", .bool(isTyped)),
            ("allowPrivate", .bool(allowsPrivate)), ("allowed", .strings(allowed)),
            ("cookies", cookieFile.map(JSON.string)), ("browser", .string(browser)), ("seconds", .integer(seconds)),
            ("savedFile", savedFile.map(JSON.string)), ("entityTag", entityTag.map(JSON.string)),
            ("lastModified", lastModified.map(JSON.string)),
        ])
    }

    /// - Returns: `nil` where the URL or the folder is missing.
    package init?(_ message: Message) {
        guard let url = message.string("url"), let folder = message.string("folder") else { return nil }
        self.init(url: url, folder: folder)
        isTyped = message.bool("typed")
        allowsPrivate = message.bool("allowPrivate")
        allowed = message.strings("allowed")
        cookieFile = message.string("cookies")
        browser = message.string("browser") ?? "auto"
        seconds = message.integer("seconds") ?? 120
        savedFile = message.string("savedFile")
        entityTag = message.string("entityTag")
        lastModified = message.string("lastModified")
    }
}
