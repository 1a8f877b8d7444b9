internal import Characters

/// OPML: subscriptions of a feed reader, or links in an outline. An outline with others in it is a folder.
enum OutlineFile {
    private struct Open {
        var entry: ImportedEntry?
        /// Whether it is a folder with a name in the path.
        var isInPath = false
    }

    static func read(_ bytes: [UInt8], _ sink: ImportSink) throws {
        try XMLEvents.read(bytes, sink) { events in
            var stack: [Open] = []
            var path: [String] = []
            var isInBody = false
            while let event = events.next() {
                switch event {
                case .start("body", let attributes):
                    isInBody = true
                    for name in XMLEvents.untakenAttributes(attributes, of: "body") { try sink(.untaken(name)) }
                case .end("body"): isInBody = false
                case .start("outline", let attributes):
                    // An open outline with others inside is a folder; with a link or words of its own, also an entry.
                    if let open = stack.last?.entry {
                        let inner = FolderPath.appended(open.title ?? "", to: path)
                        stack[stack.count - 1].isInPath = inner.count > path.count
                        path = inner
                        try tell(folder: open, path, sink)
                        stack[stack.count - 1].entry = nil
                    }
                    var entry = entry(attributes, at: events.line)
                    entry.folder = path
                    stack.append(Open(entry: entry))
                case .end("outline"):
                    guard let open = stack.popLast() else { continue }
                    if open.isInPath { path.removeLast() }
                    if var entry = open.entry {
                        entry.standAlone()
                        try sink(.entry(entry))
                    }
                case .start(let name, let attributes):
                    let name = ImportedEntry.cut(name, 60)
                    if isInBody {
                        try sink(.untaken(name))
                    } else if !["opml", "head"].contains(name) {
                        try sink(.untaken("head \(name)"))
                    }
                    for name in XMLEvents.untakenAttributes(attributes, of: name) { try sink(.untaken(name)) }
                case .text(let text) where isInBody && XMLEvents.isWords(text):
                    if stack.last?.entry != nil {
                        stack[stack.count - 1].entry?.addText(ImportText.trimmed(text))
                    } else {
                        try sink(.untaken("text between entries"))
                    }
                case .end, .text: break
                }
            }
            if !stack.isEmpty {
                for case let entry? in stack.map(\.entry) { try sink(.entry(entry)) }
                try sink(.fault(ImportFault(.line(events.line), .endsWithinOutline)))
            }
        }
    }

    /// - Parameter path: the folder's own path.
    private static func tell(folder: ImportedEntry, _ path: [String], _ sink: ImportSink) throws {
        if folder.url != nil { return try sink(.entry(folder)) }
        if folder.text != nil || folder.description != nil {
            var entry = folder
            entry.folder = path
            entry.standAlone()
            return try sink(.entry(entry))
        }
        // A collection has none of these.
        for field in folder.fields { try sink(.untaken("folder \(field.key)")) }
        if !folder.tags.isEmpty { try sink(.untaken("folder category")) }
        if folder.createdAt != nil { try sink(.untaken("folder created")) }
        if folder.language != nil { try sink(.untaken("folder language")) }
    }

    private static func entry(_ attributes: [(name: String, value: String)], at line: Int) -> ImportedEntry {
        var entry = ImportedEntry(at: .line(line))
        func value(_ name: String) -> String? {
            attributes.first { $0.name.lowercased() == name && !$0.value.isEmpty }?.value
        }
        entry.title = value("title") ?? value("text")
        let page = value("htmlurl") ?? value("url")
        entry.url = (page ?? value("xmlurl")).map(ImportText.trimmed)
        var isTextTaken = entry.title == value("text")
        for (name, text) in attributes where !text.isEmpty {
            switch name.lowercased() {
            case "title", "htmlurl": break
            case "url": if value("htmlurl") != nil { entry.keep(name, .string(text)) }
            case "text":
                if !isTextTaken { entry.keep(name, .string(text)) }
                isTextTaken = true
            case "xmlurl": if page != nil { entry.keep(name, .string(text)) }
            case "description": entry.description = text
            case "_note": entry.addText(text)
            case "category", "tags":
                entry.tags += text.split(ascii: ",").map(ImportText.trimmed)
            case "created": entry.setDate(\.createdAt, text, name: name)
            case "language": entry.language = text
            default: entry.keep(name, .string(text))
            }
        }
        return entry
    }
}
