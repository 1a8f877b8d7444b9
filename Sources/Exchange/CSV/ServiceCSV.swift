internal import Characters
internal import JSONFormat

/// CSV with a line of column names, as Raindrop, Pocket, Instapaper, Readwise, wallabag, Zotero and others export it.
///
/// A column without a field here is kept under its own name.
struct ServiceCSV {
    enum Column {
        case url, title, description, note, folder, tags, created, updated, favorite, author, site, language, published
        case highlights, state, id
    }

    /// The services' column names, in lower case.
    private static let names: [String: Column] = [
        "url": .url, "link": .url, "href": .url, "address": .url, "uri": .url,
        "title": .title, "name": .title,
        "description": .description, "excerpt": .description, "selection": .description, "summary": .description,
        "abstract note": .description, "abstract": .description,
        "note": .note, "notes": .note, "document note": .note, "comment": .note, "content": .note, "text": .note,
        "folder": .folder, "collection": .folder, "list": .folder,
        "tags": .tags, "labels": .tags, "document tags": .tags, "tag": .tags, "manual tags": .tags,
        "automatic tags": .tags,
        "created": .created, "created_at": .created, "createdat": .created, "time_added": .created,
        "timestamp": .created, "saved date": .created, "date": .created, "added": .created, "date added": .created,
        "creation date": .created, "saved_at": .created, "savedat": .created, "date_added": .created,
        "updated": .updated, "updated_at": .updated, "date modified": .updated, "modified": .updated,
        "favorite": .favorite, "favourite": .favorite, "starred": .favorite, "is_starred": .favorite,
        "author": .author, "authors": .author, "site": .site, "language": .language,
        "highlights": .highlights, "status": .state, "publication date": .published,
    ]

    /// The program, judged by all columns.
    private enum Kind { case raindrop, zotero, wallabag, other }

    private let kind: Kind
    private let columns: [Column?]
    private let titles: [String]
    private let separator: UInt8

    static func isOne(_ bytes: ArraySlice<UInt8>) -> Bool { ServiceCSV(head: Array(bytes)) != nil }

    /// - Returns: `nil` unless one of several columns is a URL.
    private init?(head: [UInt8]) {
        for separator in [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09] {
            guard let fields = CSVHeader.fields(head, separator: separator), fields.count > 1, fields.count < 200 else {
                continue
            }
            let lower = fields.map { $0.word.lowercased() }
            let kind = Self.kind(Set(lower))
            var seen: Set<Column> = []
            let columns = lower.map { name -> Column? in
                guard let column = Self.column(name, kind) else { return nil }
                // Several columns may hold tags; of other columns the first counts.
                return column == .tags || seen.insert(column).inserted ? column : nil
            }
            guard seen.contains(.url) else { continue }
            (self.kind, self.columns, self.titles, self.separator) = (kind, columns, fields, separator)
            return
        }
        return nil
    }

    private static func kind(_ names: Set<String>) -> Kind {
        if names.isSuperset(of: ["key", "item type", "title", "url"]) { return .zotero }
        if names.isSuperset(of: ["id", "title", "excerpt", "url", "cover"]) { return .raindrop }
        if names.isSuperset(of: ["title", "url", "mime type", "creation date"]) { return .wallabag }
        return .other
    }

    private static func column(_ name: String, _ kind: Kind) -> Column? {
        switch (kind, name) {
        // The day of publication.
        case (.zotero, "date"): .published
        case (.zotero, "key"), (.raindrop, "id"): .id
        default: names[name]
        }
    }

    static func read(_ input: ImportInput, _ sink: ImportSink) throws {
        guard let table = ServiceCSV(head: try input.bytes(at: 0, count: 65_536)) else {
            throw ImportError(.noURLColumn)
        }
        var reader = try CSVReader(input, separator: table.separator)
        _ = try reader.next()
        while let record = try reader.next() {
            if let fault = record.fault { try sink(.fault(ImportFault(.line(record.line), fault))) }
            if record.fields.allSatisfy({ $0.isEmpty }) { continue }
            try sink(.entry(table.entry(record)))
        }
    }

    private func entry(_ record: CSVReader.Record) -> ImportedEntry {
        var entry = ImportedEntry(at: .line(record.line))
        for (place, field) in record.fields.enumerated() {
            let text = CSVField.read(field)
            if text.isEmpty { continue }
            let name = place < titles.count ? titles[place] : "column \(place + 1)"
            take(text, place < columns.count ? columns[place] : nil, name, &entry)
        }
        // A book in a list of publications has no page.
        if kind == .zotero || entry.description != nil { entry.standAlone() }
        return entry
    }

    private func take(_ text: String, _ column: Column?, _ name: String, _ entry: inout ImportedEntry) {
        switch column {
        case .url: entry.url = ImportText.trimmed(text)
        case .title: entry.title = text
        case .description: entry.description = text
        // wallabag's articles and Zotero's notes are HTML.
        case .note: entry.addText(kind == .other ? entry.likelyReadable(text) : entry.readable(text))
        case .folder: folder(text, &entry)
        case .tags: entry.tags += tags(text)
        case .created: entry.setDate(\.createdAt, text, name: name, dayOrder: kind == .wallabag ? .dayFirst : nil)
        case .updated: entry.setDate(\.updatedAt, text, name: name)
        case .published: entry.setPublished(text, name: name)
        case .favorite:
            let word = text.word.lowercased()
            entry.isFavorite = ["true", "1", "yes"].contains(word)
            if !entry.isFavorite, !["false", "0", "no"].contains(word) { entry.keep(name, .string(text)) }
        case .author: entry.author = text
        case .site: entry.site = text
        case .language: entry.language = text
        case .highlights: entry.annotations.append(.string(text))
        case .state:
            if text.word.lowercased() == "unread" {
                entry.tags.append("toread")
            } else {
                entry.keep(name, .string(text))
            }
        case .id: entry.externalID = (kind == .zotero ? "zotero:" : "raindrop:") + text
        case nil: entry.keep(name.isEmpty ? "column" : name, .string(text))
        }
    }

    private func folder(_ text: String, _ entry: inout ImportedEntry) {
        switch text.word {
        // Instapaper's own folders are states; Raindrop uses this name for bookmarks outside of folders.
        case "Unread": entry.tags.append("toread")
        case "Starred": entry.isFavorite = true
        case "Unsorted": break
        default: entry.folder = FolderPath.split(text)
        }
    }

    /// Tags separated by commas, bars (Pocket) or semicolons (Zotero), or a list in brackets (Instapaper, Readwise).
    private func tags(_ text: String) -> [String] {
        TagField.read(text, separator: kind == .zotero ? ";" : text.utf8.contains(UInt8(ascii: "|")) ? "|" : ",")
    }
}
