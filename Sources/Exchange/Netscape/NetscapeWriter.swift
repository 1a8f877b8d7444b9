package import Time

/// Writes a bookmark file in HTML for browsers: doctype first, no byte order mark, UTF-8.
package struct NetscapeWriter {
    /// A bookmark, limited to the fields of this format.
    package struct Bookmark: Sendable {
        package var url: String
        package var title: String
        package var description: String?
        package var notes: String?
        package var tags: [String] = []
        package var createdAt: Timestamp
        package var updatedAt: Timestamp

        package init(url: String, title: String, createdAt: Timestamp, updatedAt: Timestamp) {
            self.url = url
            self.title = title
            self.createdAt = createdAt
            self.updatedAt = updatedAt
        }
    }

    /// Bookmarks and folders in the order of addition.
    private struct Folder {
        var name = ""
        var bookmarks: [Bookmark] = []
        var folders: [Int] = []
        /// Places of these folders by the bytes of their names: String's own hash takes quadratic time for combining marks.
        var places: [[UInt8]: Int] = [:]
    }
    private var folders = [Folder()]

    package init() {}

    package mutating func add(_ bookmark: Bookmark, to path: [String]) {
        folders[place(path)].bookmarks.append(bookmark)
    }

    package mutating func addFolder(_ path: [String]) { _ = place(path) }

    private mutating func place(_ path: [String]) -> Int {
        var place = 0
        for name in path {
            let bytes = Array(name.utf8)
            if let inner = folders[place].places[bytes] {
                place = inner
                continue
            }
            let inner = folders.count
            folders.append(Folder(name: name))
            folders[place].folders.append(inner)
            folders[place].places[bytes] = inner
            place = inner
        }
        return place
    }

    /// Writes the whole file.
    ///
    /// - Parameter output: receives pieces of it.
    package func write(title: String = "Bookmarks", _ output: ([UInt8]) throws -> Void) throws {
        try output(
            Array(
                """
                <!DOCTYPE NETSCAPE-Bookmark-file-1>
                <!-- This is an automatically generated file.
                     It will be read and overwritten.
                     DO NOT EDIT! -->
                <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
                <META NAME="generator" CONTENT="sbfs">
                <TITLE>\(Self.escaped(title))</TITLE>
                <H1>\(Self.escaped(title))</H1>
                <DL><p>

                """.utf8))
        try write(0, level: 1, output)
        try output(Array("</DL><p>\n".utf8))
    }

    private func write(_ number: Int, level: Int, _ output: ([UInt8]) throws -> Void) throws {
        let indent = String(repeating: "    ", count: min(level, ImportedEntry.folderDepthLimit))
        for place in folders[number].folders {
            try output(Array("\(indent)<DT><H3>\(Self.escaped(folders[place].name))</H3>\n\(indent)<DL><p>\n".utf8))
            try write(place, level: level + 1, output)
            try output(Array("\(indent)</DL><p>\n".utf8))
        }
        for bookmark in folders[number].bookmarks { try output(Array(Self.text(bookmark, indent).utf8)) }
    }

    private static func text(_ bookmark: Bookmark, _ indent: String) -> String {
        var text = "\(indent)<DT><A HREF=\"\(escaped(bookmark.url))\""
        text += " ADD_DATE=\"\(bookmark.createdAt.milliseconds / 1000)\""
        text += " LAST_MODIFIED=\"\(bookmark.updatedAt.milliseconds / 1000)\""
        // A comma would split a tag in two.
        let tags = bookmark.tags.map {
            $0.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) }.joined(separator: " ")
        }.joined(separator: ",")
        if !tags.isEmpty { text += " TAGS=\"\(escaped(tags))\"" }
        text += ">\(escaped(bookmark.title))</A>\n"
        let notes = bookmark.notes.map { "[linkding-notes]\($0)[/linkding-notes]" }
        let description = [bookmark.description, notes].compactMap { $0 }.joined(separator: " ")
        if !description.isEmpty { text += "\(indent)<DD>\(escaped(description))\n" }
        return text
    }

    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x26 || $0 == 0x3C || $0 == 0x3E || $0 == 0x22 || $0 < 0x20 }) else {
            return text
        }
        var output: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): output += "&amp;".utf8
            case UInt8(ascii: "<"): output += "&lt;".utf8
            case UInt8(ascii: ">"): output += "&gt;".utf8
            case UInt8(ascii: "\""): output += "&quot;".utf8
            // HTML allows no controls except these.
            case 0x00..<0x20 where byte != 0x09 && byte != 0x0A: output.append(0x20)
            default: output.append(byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
