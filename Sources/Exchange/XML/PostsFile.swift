/// The XML of Delicious, Pinboard and Scuttle: `<posts><post href= description= extended= tag= time=/></posts>`.
enum PostsFile {
    static func read(_ bytes: [UInt8], _ sink: ImportSink) throws {
        try XMLEvents.read(bytes) { events in
            while let event = events.next() {
                guard case .start(let name, let attributes) = event else { continue }
                if name == "post" { try sink(.entry(entry(attributes, at: events.line))) }
                if name == "posts" {
                    for attribute in attributes where !attribute.value.isEmpty {
                        try sink(.untaken("posts \(attribute.name)"))
                    }
                }
            }
        }
    }

    private static func entry(_ attributes: [(name: String, value: String)], at line: Int) -> ImportedEntry {
        var entry = ImportedEntry(at: .line(line))
        for (name, text) in attributes where !text.isEmpty {
            switch name.lowercased() {
            case "href": entry.url = NetscapeBookmarks.trimmed(text)
            // The format calls the title "description".
            case "description": entry.title = text
            case "extended": entry.description = text
            case "tag", "tags": entry.tags = text.split(separator: " ").map(String.init)
            case "time": entry.setDate(\.createdAt, text, name: name)
            case "shared": if text == "no" { entry.tags.append("private") }
            case "private": if ["yes", "1", "true"].contains(text) { entry.tags.append("private") }
            case "toread": if text == "yes" { entry.tags.append("toread") }
            default: entry.keep(name, .string(text))
            }
        }
        return entry
    }
}
