internal import Characters
internal import JSONFormat

/// RSS 0.9 to 2.0 and Atom: each entry of the feed is a link. What the feed says of itself is named and not taken.
enum FeedFile {
    /// Elements around the entries; `items` lists them in RSS 1.0.
    private static let containers: Set<String> = ["rss", "rdf:rdf", "channel", "feed", "items"]

    static func read(_ bytes: [UInt8], _ sink: ImportSink) throws {
        try XMLEvents.read(bytes, sink) { events in
            // The number of open elements that say something of the feed.
            var depth = 0
            while let event = events.next() {
                switch event {
                case .start(let name, let attributes):
                    if name == "item" || name == "entry" {
                        let line = events.line
                        if let entry = entry(&events, attributes) {
                            try sink(.entry(entry))
                        } else {
                            try sink(.fault(ImportFault(.line(line), .endsWithinEntry)))
                        }
                    } else if containers.contains(name) {
                        for name in XMLEvents.untakenAttributes(attributes, of: "feed") { try sink(.untaken(name)) }
                    } else {
                        let isOfList = ["rdf:seq", "rdf:li"].contains(name)
                        if depth == 0, !isOfList { try sink(.untaken("feed \(ImportedEntry.cut(name, 60))")) }
                        depth += 1
                    }
                case .end(let name):
                    if !containers.contains(name), name != "item", name != "entry" { depth = max(0, depth - 1) }
                case .text(let text):
                    if depth == 0, XMLEvents.isWords(text) { try sink(.untaken("feed text")) }
                }
            }
        }
    }

    /// - Returns: `nil` if the file ends within the entry: its last value, such as the link, may be cut.
    private static func entry(
        _ events: inout XMLEvents, _ attributes: [(name: String, value: String)]
    ) -> ImportedEntry? {
        var entry = FeedEntry(at: .line(events.line))
        entry.take(own: attributes)
        while let event = events.next() {
            switch event {
            case .text(let text): if XMLEvents.isWords(text) { entry.take(text: text) }
            case .end(let name): if name == "item" || name == "entry" { return entry.finished() }
            case .start(let name, let attributes): entry.take(name, attributes, &events)
            }
        }
        // An element without an end hides the entry's, in a file that is whole.
        return events.isAtRootEnd ? entry.finished() : nil
    }
}

/// One entry of a feed while it is read.
private struct FeedEntry {
    private var entry: ImportedEntry
    private var id: String?
    private var authors: [String] = []

    init(at place: ImportPlace) { entry = ImportedEntry(at: place) }

    mutating func take(text: String) { entry.keep("text", .string(ImportText.trimmed(text))) }

    mutating func take(own attributes: [(name: String, value: String)]) {
        for (name, value) in attributes {
            if name == "rdf:about" { id = value } else { entry.keep(name, .string(value)) }
        }
    }

    mutating func take(_ name: String, _ attributes: [(name: String, value: String)], _ events: inout XMLEvents) {
        /// Keeps the attributes that are not read.
        func keepAttributes(except known: Set<String>) {
            for (key, value) in attributes where !known.contains(key.lowercased()) {
                entry.keep("\(name) \(key)", .string(value))
            }
        }
        func value(_ wanted: String) -> String? {
            attributes.first { $0.name.lowercased() == wanted && !$0.value.isEmpty }?.value
        }
        switch name {
        case "author": author(attributes, &events)
        case "dc:creator", "creator":
            keepAttributes(except: [])
            addAuthor(events.text())
        case "title" where entry.title == nil:
            keepAttributes(except: ["type"])
            let title = events.text()
            entry.title = title.isEmpty ? nil : title
        case "link" where entry.url == nil && (value("rel") ?? "alternate").word == "alternate":
            let link = events.text()
            entry.url = value("href") ?? link
            if value("href") != nil { entry.keep("link", .string(link)) }
            keepAttributes(except: value("type")?.word == "text/html" ? ["href", "rel", "type"] : ["href", "rel"])
        case "link": entry.keep("link \(value("rel") ?? "")", events.value(attributes.filter { $0.name != "rel" }))
        case "guid", "id":
            keepAttributes(except: ["ispermalink"])
            id = events.text()
        case "description" where entry.description == nil, "summary" where entry.description == nil:
            keepAttributes(except: ["type"])
            let text = html(&events)
            if !text.isEmpty { entry.description = entry.readable(text) }
        case "content:encoded", "content":
            keepAttributes(except: ["type"])
            entry.addHTML(html(&events))
        case "pubdate", "dc:date", "published", "issued":
            keepAttributes(except: [])
            let text = events.text()
            if entry.createdAt == nil { entry.setPublished(text, name: name) }
            entry.setDate(\.createdAt, text, name: name)
        case "updated", "modified":
            keepAttributes(except: [])
            entry.setDate(\.updatedAt, events.text(), name: name)
        case "category", "dc:subject":
            let text = events.text()
            let tag = value("term") ?? text
            if !tag.isEmpty { entry.tags.append(tag) }
            if !tag.utf8.elementsEqual(text.utf8) { entry.keep(name, .string(text)) }
            keepAttributes(
                except: value("label").map { $0.utf8.elementsEqual(tag.utf8) } ?? false ? ["term", "label"] : ["term"])
        default: entry.keep(name, events.value(attributes))
        }
    }

    /// The HTML of an element: escaped, or as markup within it.
    private func html(_ events: inout XMLEvents) -> String {
        let contents = events.contents()
        return contents.markup ?? contents.text
    }

    private mutating func addAuthor(_ name: String) {
        let isKnown = authors.contains { $0.utf8.elementsEqual(name.utf8) }
        if !name.isEmpty, authors.count < ImportedEntry.tagCountLimit, !isKnown { authors.append(name) }
    }

    private mutating func author(_ attributes: [(name: String, value: String)], _ events: inout XMLEvents) {
        for (key, value) in attributes { entry.keep("author \(key)", .string(value)) }
        var words: [String] = []
        while let event = events.next() {
            switch event {
            case .start(let name, let attributes):
                if name == "name" {
                    words.insert(events.text(), at: 0)
                } else {
                    entry.keep("author \(name)", events.value(attributes))
                }
            case .text(let text):
                let text = ImportText.trimmed(text)
                if !text.isEmpty { words.append(text) }
            case .end: return addAuthor(words.joined(separator: " "))
            }
        }
    }

    func finished() -> ImportedEntry {
        var entry = entry
        if !authors.isEmpty { entry.author = authors.joined(separator: ", ") }
        if let id, !id.isEmpty {
            entry.externalID = "feed:" + id
            // The id of an entry is often its address.
            if entry.url == nil, id.utf8.starts(with: "http".utf8) { entry.url = id }
        }
        return entry
    }
}
