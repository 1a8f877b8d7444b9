internal import Files
internal import Time

/// A person's highlights, grouped by publication.
package struct Passages {
    struct Passage {
        let place: ImportPlace
        var work = ""
        var author: String?
        var url: String?
        var quote: String?
        var note: String?
        var tags: [String] = []
        /// Place and kind of the highlight, as names and texts.
        var details: [(String, String)] = []
        var time: Timestamp?
        /// A date that cannot be read, as spelt.
        var unreadDate: String?

        init(at place: ImportPlace) { self.place = place }

        /// Sets the time. An unreadable date stays among the details.
        mutating func setTime(_ text: String) {
            time = ImportDate.timestamp(text)
            if time == nil, !ImportDate.isNone(text) { unreadDate = text }
            details.append(("at", text))
        }

        /// A quotation in Markdown, followed by its note.
        fileprivate var text: String {
            var parts: [String] = []
            if let quote {
                parts.append(
                    quote.split(separator: "\n", omittingEmptySubsequences: false).map { "> " + $0 }
                        .joined(separator: "\n"))
            }
            if let note { parts.append(note) }
            if !details.isEmpty { parts.append("(" + details.map { "\($0): \($1)" }.joined(separator: ", ") + ")") }
            return parts.joined(separator: "\n\n")
        }
    }

    private let prefix: String
    private var entries: [ImportedEntry] = []
    private var places: [String: Int] = [:]
    /// The passages of each publication whose dates cannot be read.
    private var unread: [Int: (first: String, count: Int)] = [:]

    /// - Parameter prefix: the prefix of the publications' ids.
    init(prefix: String) { self.prefix = prefix }

    mutating func add(_ passage: Passage) {
        let key = passage.work + "\0" + (passage.author ?? "") + "\0" + (passage.url ?? "")
        let index: Int
        if let known = places[key] {
            index = known
        } else {
            index = entries.count
            places[key] = index
            var entry = ImportedEntry(at: passage.place)
            entry.title = passage.work.isEmpty ? nil : passage.work
            entry.author = passage.author
            entry.url = passage.url
            entry.externalID = prefix + ":" + SHA256.hex(Array(key.utf8)).prefix(32)
            entries.append(entry)
        }
        entries[index].addText(passage.text)
        let parts = [passage.quote, passage.note].compactMap { $0.map { Self.words(Array($0.utf8)) } }
        entries[index].passages.append(ImportedPassage(text: passage.text, parts: parts))
        for tag in passage.tags
        where entries[index].tags.count <= ImportedEntry.tagCountLimit && !entries[index].tags.contains(tag) {
            entries[index].tags.append(tag)
        }
        if let date = passage.unreadDate { unread[index, default: (date, 0)].count += 1 }
        if let time = passage.time {
            entries[index].createdAt = min(entries[index].createdAt ?? time, time)
            entries[index].updatedAt = max(entries[index].updatedAt ?? time, time)
        }
    }

    /// A text without white space and quotation marks of Markdown, so that reformatted text compares equal.
    package static func words(_ text: [UInt8]) -> [UInt8] { text.filter { $0 > 0x20 && $0 != UInt8(ascii: ">") } }

    func tell(_ sink: ImportSink) throws {
        for (index, entry) in entries.enumerated() {
            var entry = entry
            if let (first, count) = unread[index] {
                let date = ImportedEntry.cut(first, 60)
                entry.remarks.append(count == 1 ? .unknownDate(date) : .unknownDates(first: date, count: count))
            }
            try sink(.entry(entry))
        }
    }
}
