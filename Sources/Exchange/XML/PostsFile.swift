internal import Characters

/// The XML of Delicious, Pinboard and Scuttle: `<posts><post href= description= extended= tag= time=/></posts>`.
/// Texts within a post, headings too, become the item's text.
enum PostsFile {
    static func read(_ bytes: [UInt8], _ sink: ImportSink) throws {
        try XMLEvents.read(bytes, sink) { events in
            var entry: ImportedEntry?
            /// The texts within the entry's element.
            var texts: [String] = []
            func finish() throws {
                guard var done = entry else { return }
                if !texts.isEmpty { done.addText(texts.joined(separator: "\n")) }
                (entry, texts) = (nil, [])
                try sink(.entry(done))
            }
            while let event = events.next() {
                switch event {
                case .start("post", let attributes):
                    try finish()
                    entry = self.entry(attributes, at: events.line)
                case .end("post"): try finish()
                case .start(let name, let attributes):
                    if name != "posts", entry == nil || events.isEmptyElement {
                        try sink(.untaken(ImportedEntry.cut(name, 60)))
                    }
                    for name in XMLEvents.untakenAttributes(attributes, of: ImportedEntry.cut(name, 60)) {
                        try sink(.untaken(name))
                    }
                case .text(let text) where XMLEvents.isWords(text):
                    if entry == nil {
                        try sink(.untaken("text between entries"))
                    } else {
                        texts.append(ImportText.trimmed(text))
                    }
                case .end, .text: break
                }
            }
            try finish()
        }
    }

    private static func entry(_ attributes: [(name: String, value: String)], at line: Int) -> ImportedEntry {
        var entry = ImportedEntry(at: .line(line))
        for (name, text) in attributes where !text.isEmpty {
            switch name.lowercased() {
            case "href": entry.url = ImportText.trimmed(text)
            // The format calls the title "description".
            case "description": entry.title = text
            case "extended": entry.description = text
            case "tag", "tags": entry.tags = text.split(ascii: " ")
            case "time": entry.setDate(\.createdAt, text, name: name)
            case "shared": if text.word == "no" { entry.tags.append("private") }
            case "private": if ["yes", "1", "true"].contains(text.word) { entry.tags.append("private") }
            case "toread": if text.word == "yes" { entry.tags.append("toread") }
            default: entry.keep(name, .string(text))
            }
        }
        return entry
    }
}
