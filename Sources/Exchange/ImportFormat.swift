/// The formats that import reads. Only the content decides.
public enum ImportFormat: String, Sendable, CaseIterable {
    /// Safari's Bookmarks.plist.
    case safari
    /// Bookmark HTML of identified programs, and of any other.
    case safariHTML, chromeHTML, edgeHTML, firefoxHTML, explorerHTML, pinboardHTML, linkdingHTML, pocketHTML
    case shaarliHTML, sbfsHTML, html
    /// Chromium's Bookmarks file, and Firefox's backup, compressed or not.
    case chromium, firefox
    /// CSV with the sections #FOLDERS and #BOOKMARKS.
    case csv
    /// CSV with a line of column names, as services export it.
    case serviceCSV
    /// Highlights of books and articles.
    case highlights, clippings
    /// Items as this program exports them.
    case items
    case notes
    /// JSON of services.
    case service
    /// JSON that holds nothing that import knows.
    case json
    /// XML with links: outlines, bookmarks, feeds, and posts of Delicious and similar services.
    case outline, xbel, feed, posts
    /// One link a line.
    case links
    /// The address of one page: a Windows .url or a desktop entry.
    case shortcut
    /// One text, optionally with front matter.
    case markdown
    /// A folder of files.
    case folder
    /// A full export of a library: a tar file.
    case fullExport

    /// The format's name for a person.
    public var name: String {
        switch self {
        case .safari: "Safari's bookmarks"
        case .safariHTML: "bookmark HTML of Safari"
        case .chromeHTML: "bookmark HTML of Chrome"
        case .edgeHTML: "bookmark HTML of Edge"
        case .firefoxHTML: "bookmark HTML of Firefox"
        case .explorerHTML: "bookmark HTML of Internet Explorer"
        case .pinboardHTML: "bookmark HTML of Pinboard"
        case .linkdingHTML: "bookmark HTML of linkding"
        case .pocketHTML: "Pocket's list"
        case .shaarliHTML: "bookmark HTML of Shaarli"
        case .sbfsHTML: "bookmark HTML of sbfs"
        case .html: "bookmark HTML"
        case .chromium: "Chromium's bookmarks"
        case .firefox: "Firefox's bookmarks"
        case .csv: "bookmark CSV"
        case .serviceCSV: "CSV"
        case .highlights: "highlights in CSV"
        case .clippings: "a Kindle's clippings"
        case .items: "items in JSON"
        case .notes: "notes in JSON"
        case .service: "bookmarks in JSON"
        case .json: "JSON without bookmarks, notes and items"
        case .outline: "OPML"
        case .xbel: "XBEL"
        case .feed: "a feed"
        case .posts: "bookmarks in XML"
        case .links: "a list of links"
        case .shortcut: "a shortcut"
        case .markdown: "a text"
        case .folder: "a folder of files"
        case .fullExport: "a whole library"
        }
    }

    /// The tag that every item from this source gets; `nil` for none.
    package var defaultTag: String? {
        switch self {
        case .safari, .safariHTML: "Safari"
        case .chromeHTML: "Chrome"
        case .edgeHTML: "Edge"
        case .chromium: "Chromium"
        case .firefox, .firefoxHTML: "Firefox"
        case .explorerHTML: "Internet Explorer"
        case .pinboardHTML: "Pinboard"
        case .linkdingHTML: "linkding"
        case .pocketHTML: "Pocket"
        case .shaarliHTML: "Shaarli"
        default: nil
        }
    }

    /// The item's `source`.
    package var source: String { self == .safari || self == .safariHTML ? "safari_bookmarks" : "import" }

    var isHTML: Bool {
        switch self {
        case .safariHTML, .chromeHTML, .edgeHTML, .firefoxHTML, .explorerHTML, .pinboardHTML, .linkdingHTML,
            .pocketHTML,
            .shaarliHTML, .sbfsHTML, .html:
            true
        default: false
        }
    }
}
