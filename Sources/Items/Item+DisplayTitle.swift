internal import URLs

extension Item {
    /// Whether the person's title has more than white space.
    public var hasTitle: Bool { title.map { !TagList.collapsed($0).isEmpty } ?? false }

    /// The title that lists show.
    ///
    /// The title; else the first line of the text that is not blank, without Markdown's `#`; else the page's title;
    /// else the document's file name, also of one that is not here; else the host of a link whose page was not fetched yet; else "Untitled".
    ///
    /// - Parameters:
    ///   - textStart: the first bytes of the item's text, or `nil`.
    ///   - documentFileName: the name of the file in document/, or `nil`.
    package func displayTitle(textStart: [UInt8]?, documentFileName: String?) -> String {
        if let title = title.map(TagList.collapsed), !title.isEmpty { return title }
        if let line = textStart.flatMap(Self.firstLine) { return line }
        if let title = linkTitle.map(TagList.collapsed), !title.isEmpty { return title }
        let name =
            documentName ?? documentFileName
            ?? documentRelativePath?.utf8.split(separator: 0x2F).last.flatMap { String($0) }
        if let name, !name.isEmpty { return name }
        if let host = linkURL.flatMap({ LinkIdentity($0) })?.host { return host }
        return "Untitled"
    }

    /// The first line with more than white space and heading marks in it, at most 200 characters.
    package static func firstLine(_ text: [UInt8]) -> String? {
        let text = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text[...]
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            var line = TagList.collapsed(String(decoding: line, as: UTF8.self))
            // A line of heading marks alone is no title.
            if line.allSatisfy({ $0 == "#" || $0 == " " }) { continue }
            if let space = line.firstIndex(of: " "), line[..<space].allSatisfy({ $0 == "#" }) {
                line = String(line[line.index(after: space)...])
            }
            if !line.isEmpty { return String(line.prefix(200)) }
        }
        return nil
    }
}
