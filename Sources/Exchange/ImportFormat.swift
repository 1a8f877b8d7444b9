internal import Characters

/// The formats that import reads, told apart by content alone.
package enum ImportFormat: String, Sendable, CaseIterable {
    /// Safari's Bookmarks.plist.
    case safari
    /// Bookmark HTML of Safari, Chrome and its kin, Firefox, Pinboard and linkding, and of any other program.
    case safariHTML, chromeHTML, firefoxHTML, pinboardHTML, linkdingHTML, pocketHTML, html
    /// Chromium's Bookmarks file, and Firefox's backup, packed or not.
    case chromium, firefox
    /// CSV with the sections #FOLDERS and #BOOKMARKS.
    case csv
    /// CSV with a line of column names, as services export it.
    case serviceCSV
    /// Items as this program exports them.
    case items
    case notes
    /// JSON of services.
    case service
    /// One text, with front matter perhaps.
    case markdown
    /// A folder of files.
    case folder
    /// A whole library in a tar archive.
    case archive

    /// What a person calls it.
    package var name: String {
        switch self {
        case .safari: "Safari's bookmarks"
        case .safariHTML: "bookmark HTML of Safari"
        case .chromeHTML: "bookmark HTML of Chrome"
        case .firefoxHTML: "bookmark HTML of Firefox"
        case .pinboardHTML: "bookmark HTML of Pinboard"
        case .linkdingHTML: "bookmark HTML of linkding"
        case .pocketHTML: "Pocket's list"
        case .html: "bookmark HTML"
        case .chromium: "Chromium's bookmarks"
        case .firefox: "Firefox's bookmarks"
        case .csv: "bookmark CSV"
        case .serviceCSV: "CSV"
        case .items: "items in JSON"
        case .notes: "notes in JSON"
        case .service: "bookmarks in JSON"
        case .markdown: "a text"
        case .folder: "a folder of files"
        case .archive: "a whole library"
        }
    }

    /// The tag that every item of this source gets.
    package var defaultTag: String? {
        switch self {
        case .safari, .safariHTML: "Safari"
        case .chromeHTML: "Chrome"
        case .chromium: "Chromium"
        case .firefox, .firefoxHTML: "Firefox"
        case .pinboardHTML: "Pinboard"
        case .linkdingHTML: "linkding"
        case .pocketHTML: "Pocket"
        default: nil
        }
    }

    /// The item's `source`.
    package var source: String { self == .safari || self == .safariHTML ? "safari_bookmarks" : "import" }

    // MARK: Sniffing

    /// What the bytes hold; `nil` for what import does not know. JSON is read before more can be said: `service` stands for
    /// all of it here.
    package static func sniff(_ bytes: [UInt8]) -> ImportFormat? {
        if bytes.starts(with: "bplist".utf8) { return .safari }
        if bytes.starts(with: LZ4Block.mark) { return .firefox }
        if TarHeader.isOne(bytes) { return .archive }
        let start = ImportText(Array(bytes.prefix(65_536))).bytes
        guard let first = start.firstIndex(where: { $0 > 0x20 }) else { return bytes.isEmpty ? nil : .markdown }
        if start[first] == UInt8(ascii: "<") {
            let head = Array(start[first...])
            let lower = head.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
            let isXML = ["<?xml", "<!doctype plist", "<plist"].contains { lower.starts(with: $0.utf8) }
            if isXML, has(lower, "<plist") { return .safari }
            if lower.starts(with: "<!doctype netscape".utf8) || has(lower, "<a ") { return dialect(head, lower) }
        }
        if start[first] == UInt8(ascii: "{") || start[first] == UInt8(ascii: "[") { return .service }
        if BookmarkCSV.isOne(start[first...]) { return .csv }
        if ServiceCSV.isOne(start[first...]) { return .serviceCSV }
        return start.contains(0)
            || UTF8Sequence.firstFault(in: Array(bytes.prefix(65_000))).map { $0 < 64_900 } ?? false
            ? nil : .markdown
    }

    private static func dialect(_ head: [UInt8], _ lower: [UInt8]) -> ImportFormat {
        if has(lower, "<title>pinboard bookmarks") { return .pinboardHTML }
        if has(lower, "<title>pocket export") { return .pocketHTML }
        if has(head, "<H1>Bookmarks Menu") || has(lower, "content-security-policy") { return .firefoxHTML }
        // Safari writes this one tag in mixed case.
        if has(head, "<Title>") { return .safariHTML }
        if has(lower, "[linkding-notes]") || (has(head, " TOREAD=\"") && has(head, " LAST_MODIFIED=\"")) {
            return .linkdingHTML
        }
        if has(lower, "this is an automatically generated file") { return .chromeHTML }
        return .html
    }

    private static func has(_ text: [UInt8], _ part: StaticString) -> Bool { text.firstRange(ofBytes: part) != nil }
}
