/// CSV with a line of column names, as Raindrop, Pocket, Instapaper, Readwise and others export it.
enum ServiceCSV {
    private enum Column { case url, title, description, note, folder, tags, created, favorite }

    /// The names that services give their columns, lower-case.
    private static let names: [String: Column] = [
        "url": .url, "link": .url, "href": .url, "address": .url, "uri": .url,
        "title": .title, "name": .title,
        "description": .description, "excerpt": .description, "selection": .description, "summary": .description,
        "note": .note, "notes": .note, "document note": .note, "comment": .note,
        "folder": .folder, "collection": .folder, "list": .folder,
        "tags": .tags, "labels": .tags, "document tags": .tags, "tag": .tags,
        "created": .created, "created_at": .created, "createdat": .created, "time_added": .created,
        "timestamp": .created, "saved date": .created, "date": .created, "added": .created, "date added": .created,
        "favorite": .favorite, "favourite": .favorite, "starred": .favorite, "is_starred": .favorite,
    ]

    static func isOne(_ bytes: ArraySlice<UInt8>) -> Bool { columns(Array(bytes.prefix(4096))) != nil }

    /// The columns and what separates them; `nil` unless one of them is a URL and there are others.
    private static func columns(_ bytes: [UInt8]) -> (columns: [Column?], separator: UInt8)? {
        for separator in [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09] {
            var reader = CSVReader(bytes, separator: separator)
            guard let record = reader.next(), record.fields.count > 1, record.fields.count < 100 else { continue }
            var seen: Set<Column> = []
            let columns = record.fields.map { name -> Column? in
                let column = names[NetscapeBookmarks.trimmed(name).lowercased()]
                return column.flatMap { seen.insert($0).inserted ? $0 : nil }
            }
            if seen.contains(.url) { return (columns, separator) }
        }
        return nil
    }

    static func read(_ bytes: [UInt8], _ sink: ImportSink) throws {
        guard let (columns, separator) = columns(Array(bytes.prefix(4096))) else {
            throw ImportError("line 1: there is no column of URLs")
        }
        var reader = CSVReader(bytes, separator: separator)
        _ = reader.next()
        while let record = reader.next() {
            if let fault = record.fault { try sink(.fault(ImportFault(.line(record.line), fault))) }
            if record.fields.allSatisfy({ $0.isEmpty }) { continue }
            var entry = ImportedEntry(at: .line(record.line))
            for (column, field) in zip(columns, record.fields) {
                let text = CSVField.read(field)
                guard let column, !text.isEmpty else { continue }
                switch column {
                case .url: entry.url = NetscapeBookmarks.trimmed(text)
                case .title: entry.title = text
                case .description: entry.description = text
                case .note: entry.text = Array(text.utf8)
                // Instapaper's own folders are states and no folders.
                case .folder: if text != "Unread", text != "Unsorted" { entry.folder = FolderPath.split(text) }
                case .tags: entry.tags = tags(text)
                case .created: entry.createdAt = ImportDate.timestamp(text)
                case .favorite: entry.isFavorite = ["true", "1", "yes"].contains(text.lowercased())
                }
            }
            try sink(.entry(entry))
        }
    }

    /// Tags by commas, by bars (Pocket), or as a list in brackets (Instapaper, Readwise).
    private static func tags(_ text: String) -> [String] {
        let separator: Character = text.contains("|") ? "|" : ","
        return text.split(separator: separator).map { tag in
            NetscapeBookmarks.trimmed(String(tag.filter { $0 != "[" && $0 != "]" && $0 != "\"" && $0 != "'" }))
        }.filter { !$0.isEmpty }
    }
}
