import StuffBucket

/// A copy of an item's reader.html with the summary by a model above the article. The file of the library stays as it is.
enum SummarizedReader {
    private static let byteLimit = 64 << 20

    /// The path of the copy in the person's cache; `nil` if there is no summary, or the page has no place for it.
    static func path(_ stored: StoredItem, _ library: Library) throws -> String? {
        guard let summary = StoredSummary(stored) else { return nil }
        let folder = FileOfPerson.absolute(library.path) + "/" + stored.folder
        let page = try FilePath.contents(folder + "/" + Layout.readerFile, limit: byteLimit)
        guard let head = place(of: "<head>\n", in: page), let article = place(of: "<article>", in: page), head < article
        else { return nil }
        // Before the page's own policy, which allows no base: pictures beside the page stay where they are.
        let base = "<base href=\"file://\(escapedPath(folder))/\">\n"
        let start = head + "<head>\n".utf8.count
        let copy =
            page[..<start] + Array(base.utf8) + page[start..<article] + Array(aside(summary).utf8) + page[article...]
        let cache = Environment.cacheFolder + "/reader"
        let copies = LocalFolder(cache)
        try copies.makePrivate(from: Environment.cacheFolder)
        let name = stored.id.description + ".html"
        try copies.write(Array(copy), to: name, .lazy)
        return cache + "/" + name
    }

    private static func aside(_ summary: StoredSummary) -> String {
        var text = "<aside style=\"border-left:3px solid;padding-left:1em;margin-bottom:2em\">\n"
        if let words = summary.summary { text += "<p>\(escaped(words))</p>\n" }
        if !summary.keyPoints.isEmpty {
            text += "<ul>\n" + summary.keyPoints.map { "<li>\(escaped($0))</li>\n" }.joined() + "</ul>\n"
        }
        return text + "<p><small>\(escaped(summary.origin ?? "made by a model"))</small></p>\n</aside>\n"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in Printable.line(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func escapedPath(_ path: String) -> String {
        path.utf8.map { byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || "/-._~".utf8.contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
        }.joined()
    }

    private static func place(of text: String, in page: [UInt8]) -> Int? {
        let mark = Array(text.utf8)
        var at = page.startIndex
        while let found = page[at...].firstIndex(of: mark[0]) {
            if page[found...].starts(with: mark) { return found }
            at = found + 1
        }
        return nil
    }
}
