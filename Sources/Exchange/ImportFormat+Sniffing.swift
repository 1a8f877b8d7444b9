internal import Characters

extension ImportFormat {
    /// The number of bytes that are examined.
    static let headByteCount = 65_536

    /// The format of the bytes; `nil` for an unknown one. JSON must be parsed before its format is known, so
    /// `service` stands for any JSON here.
    public static func sniff(_ bytes: [UInt8]) -> ImportFormat? {
        if bytes.starts(with: "bplist".utf8) { return .safari }
        if bytes.starts(with: LZ4Block.mark) { return .firefox }
        if PackedFile.isOne(bytes) { return .fullExport }
        if ForeignFormat.binaryKind(of: bytes) != nil { return nil }
        let start = ImportText(Array(bytes.prefix(headByteCount))).bytes
        guard let first = start.firstIndex(where: { $0 > 0x20 }) else { return nil }
        if start[first] == UInt8(ascii: "<") { return markup(Array(start[first...])) }
        if Shortcut.isOne(start[first...]) { return .shortcut }
        if start[first] == UInt8(ascii: "{") || start[first] == UInt8(ascii: "[") { return .service }
        if BookmarkCSV.isOne(start[first...]) { return .csv }
        if ServiceCSV.isOne(start[first...]) { return .serviceCSV }
        if HighlightsCSV.isOne(start[first...]) { return .highlights }
        if Clippings.isOne(start) { return .clippings }
        if LinkList.isOne(start) { return .links }
        if ForeignFormat.kind(of: bytes) != nil { return nil }
        return .markdown
    }

    private static func markup(_ head: [UInt8]) -> ImportFormat? {
        let lower = head.map(\.lowercased)
        let isXML = ["<?xml", "<!doctype", "<plist", "<opml", "<xbel", "<rss", "<feed", "<rdf:", "<posts"].contains {
            lower.starts(with: $0.utf8)
        }
        if isXML, !lower.starts(with: "<!doctype netscape".utf8), !lower.starts(with: "<!doctype html".utf8) {
            // With a prefix, which the file declares for the format's own elements.
            let root = rootElement(lower) ?? ""
            switch root == "rdf:rdf" ? root : root.split(separator: ":").last.map(String.init) ?? "" {
            case "plist": return .safari
            case "opml": return .outline
            case "xbel": return .xbel
            case "rss", "feed", "rdf:rdf": return .feed
            case "posts": return .posts
            default: break
            }
        }
        if lower.starts(with: "<!doctype netscape".utf8) || isListOfLinks(lower) { return dialect(head, lower) }
        if ForeignFormat.kind(of: head) == nil, isLinksAlone(lower) { return .html }
        // A text may start with an HTML tag, but a page or other XML is no person's text.
        return ForeignFormat.kind(of: head) == nil ? .markdown : nil
    }

    /// The first element's name, after declarations and comments.
    static func rootElement(_ lower: [UInt8]) -> String? {
        var at = 0
        while let open = lower[at...].firstIndex(of: UInt8(ascii: "<")), open + 1 < lower.count {
            if lower[open...].starts(with: "<!--".utf8) {
                guard let end = lower[open...].firstRange(ofBytes: "-->") else { return nil }
                at = end.upperBound
            } else if lower[open + 1] == UInt8(ascii: "?") || lower[open + 1] == UInt8(ascii: "!") {
                guard let end = lower[open...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
                at = end + 1
                // A document type may contain declarations, each with such a bracket.
                if lower[open..<end].contains(UInt8(ascii: "[")), let close = lower[open...].firstRange(ofBytes: "]>") {
                    at = close.upperBound
                }
            } else {
                let name = lower[(open + 1)...].prefix {
                    $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
                }
                return String(decoding: name, as: UTF8.self)
            }
        }
        return nil
    }

    /// Whether a page is mainly a list of links: most links come first in a list item.
    private static func isListOfLinks(_ lower: [UInt8]) -> Bool {
        var counts = (all: 0, listed: 0)
        var at = 0
        while let found = lower[at...].firstRange(ofBytes: "<a ") {
            at = found.upperBound
            counts.all += 1
            var place = found.lowerBound
            while place > 0, lower[place - 1] <= 0x20 { place -= 1 }
            let before = lower[max(0, place - 4)..<place]
            if [Array("<dt>".utf8), Array("<li>".utf8)].contains(where: before.elementsEqual) { counts.listed += 1 }
        }
        return counts.all > 0 && counts.listed * 2 >= counts.all
    }

    /// Whether links are all that a piece of HTML shows.
    private static func isLinksAlone(_ lower: [UInt8]) -> Bool {
        var at = 0
        var isInLink = false
        var count = 0
        while at < lower.count {
            guard lower[at] == UInt8(ascii: "<") else {
                if !isInLink, lower[at] > 0x20 { return false }
                at += 1
                continue
            }
            guard let end = lower[at...].firstIndex(of: UInt8(ascii: ">")) else { return false }
            if lower[at...].starts(with: "<a ".utf8), lower[at..<end].firstRange(ofBytes: "href=") != nil {
                isInLink = true
                count += 1
            } else if lower[at...].starts(with: "</a>".utf8) {
                isInLink = false
            }
            at = end + 1
        }
        return count > 0 && !isInLink
    }

    /// The program that wrote bookmark HTML, if the file names it or has a unique spelling.
    private static func dialect(_ head: [UInt8], _ lower: [UInt8]) -> ImportFormat {
        if has(lower, "name=\"generator\" content=\"sbfs") { return .sbfsHTML }
        if has(lower, "<title>pinboard bookmarks") { return .pinboardHTML }
        if has(lower, "<title>pocket export") { return .pocketHTML }
        if has(lower, "<h1>shaarli export") || has(lower, "<!-- shaarli") { return .shaarliHTML }
        // Firefox names the menu since version 3; earlier versions write charsets, feeds and ids.
        if has(lower, "content-security-policy") || has(lower, ">bookmarks menu</h1>") || has(lower, " last_charset=\"")
            || has(lower, " id=\"rdf:#$")
        {
            return .firefoxHTML
        }
        // Safari writes no dates.
        if has(head, "<Title>"), !has(lower, " add_date=\"") { return .safariHTML }
        if has(lower, "[linkding-notes]") || (has(head, " TOREAD=\"") && has(head, " LAST_MODIFIED=\"")) {
            return .linkdingHTML
        }
        if has(lower, "<h3 folded add_date=\"") || has(lower, " last_visit=\"") && has(head, "<Title>") {
            return .explorerHTML
        }
        // Chromium's first folder is its bar, and it has neither tags nor a flag for privacy.
        if has(head, "DO NOT EDIT! -->"), has(head, " PERSONAL_TOOLBAR_FOLDER=\"true\""), !has(lower, " tags=\""),
            !has(lower, " private=\""), !has(lower, "<dd>")
        {
            return has(lower, ">favorites bar<") || has(lower, ">favourites bar<") ? .edgeHTML : .chromeHTML
        }
        return .html
    }

    private static func has(_ text: [UInt8], _ part: StaticString) -> Bool { text.firstRange(ofBytes: part) != nil }
}
