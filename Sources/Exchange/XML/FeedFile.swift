/// RSS 0.9 to 2.0 and Atom: each entry of the feed is a link.
enum FeedFile {
    static func read(_ bytes: [UInt8], _ sink: ImportSink) throws {
        try XMLEvents.read(bytes) { events in
            while let event = events.next() {
                guard case .start(let name, let attributes) = event else { continue }
                if name == "item" || name == "entry" { try sink(.entry(entry(&events, attributes))) }
            }
        }
    }

    private static func entry(
        _ events: inout XMLEvents, _ attributes: [(name: String, value: String)]
    ) -> ImportedEntry {
        var entry = ImportedEntry(at: .line(events.line))
        var about = attributes.first { $0.name == "rdf:about" }?.value
        while let event = events.next() {
            switch event {
            case .text: continue
            case .end(let name): if name == "item" || name == "entry" { return finished(entry, about) }
            case .start(let name, let attributes):
                func value(_ wanted: String) -> String? {
                    attributes.first { $0.name.lowercased() == wanted && !$0.value.isEmpty }?.value
                }
                if name == "author", attributes.isEmpty {
                    author(&events, &entry)
                    continue
                }
                let text = events.text()
                switch name {
                case "title": entry.title = text.isEmpty ? nil : text
                case "link":
                    let link = value("href") ?? text
                    if (value("rel") ?? "alternate") == "alternate", entry.url == nil {
                        entry.url = link
                    } else {
                        entry.keep("link \(value("rel") ?? "")", .string(link))
                    }
                case "guid", "id": about = text
                case "description", "summary": if !text.isEmpty { entry.description = entry.readable(text) }
                case "content:encoded", "content": entry.addHTML(text)
                case "pubdate", "dc:date", "published", "issued":
                    entry.setPublished(text, name: name)
                    entry.setDate(\.createdAt, text, name: name)
                case "updated", "modified": entry.setDate(\.updatedAt, text, name: name)
                case "dc:creator", "creator": if !text.isEmpty { entry.author = text }
                case "category", "dc:subject": entry.tags.append(value("term") ?? text)
                default:
                    entry.keep(name, .string(text.isEmpty ? value("url") ?? value("href") ?? "" : text))
                }
            }
        }
        return finished(entry, about)
    }

    private static func author(_ events: inout XMLEvents, _ entry: inout ImportedEntry) {
        var words: [String] = []
        while let event = events.next() {
            switch event {
            case .start(let name, _):
                let text = events.text()
                if name == "name" { words.insert(text, at: 0) } else { entry.keep("author \(name)", .string(text)) }
            case .text(let text):
                let text = NetscapeBookmarks.trimmed(text)
                if !text.isEmpty { words.append(text) }
            case .end:
                if !words.isEmpty { entry.author = words.joined(separator: " ") }
                return
            }
        }
    }

    private static func finished(_ entry: ImportedEntry, _ id: String?) -> ImportedEntry {
        var entry = entry
        if let id, !id.isEmpty {
            entry.externalID = "feed:" + id
            // The id of an entry is often its address.
            if entry.url == nil, id.hasPrefix("http") { entry.url = id }
        }
        return entry
    }
}
