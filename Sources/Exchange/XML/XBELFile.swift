/// XBEL 1.0: bookmarks of Konqueror, GNOME, qutebrowser and converters; folders nest, and both have a title and a
/// description.
enum XBELFile {
    static func read(_ bytes: [UInt8], _ sink: ImportSink) throws {
        try XMLEvents.read(bytes, sink) { events in
            var path: [String] = []
            /// Whether each open folder has a name in the path, and whether it has content.
            var folders: [(isNamed: Bool, hasContent: Bool)] = []
            var entry: ImportedEntry?
            /// Attributes of an element that belongs to the entry, the folder or the file.
            func takeAttributes(_ attributes: [(name: String, value: String)], of owner: String) throws {
                if entry == nil {
                    let owner = folders.isEmpty ? owner : "folder " + owner
                    for name in XMLEvents.untakenAttributes(attributes, of: owner) { try sink(.untaken(name)) }
                } else {
                    for (name, value) in attributes { entry?.keep("\(owner) \(name)", .string(value)) }
                }
            }
            func touch() { if !folders.isEmpty { folders[folders.count - 1].hasContent = true } }
            while let event = events.next() {
                switch event {
                case .start("folder", let attributes):
                    touch()
                    folders.append((false, false))
                    for attribute in attributes where !attribute.value.isEmpty {
                        try sink(.untaken("folder \(attribute.name)"))
                    }
                case .end("folder"):
                    guard let folder = folders.popLast() else { continue }
                    if folder.isNamed {
                        if !folder.hasContent { try sink(.folder(ImportedFolder(path))) }
                        path.removeLast()
                    }
                case .start("bookmark", let attributes):
                    touch()
                    var new = ImportedEntry(at: .line(events.line))
                    new.folder = path
                    for (name, text) in attributes {
                        switch name.lowercased() {
                        case "href": new.url = ImportText.trimmed(text)
                        case "added": new.setDate(\.createdAt, text, name: name)
                        case "modified": new.setDate(\.updatedAt, text, name: name)
                        default: new.keep(name, .string(text))
                        }
                    }
                    entry = new
                case .end("bookmark"):
                    if let entry { try sink(.entry(entry)) }
                    entry = nil
                case .start("title", let attributes):
                    try takeAttributes(attributes, of: "title")
                    let title = events.text()
                    if entry?.title != nil {
                        entry?.keep("title", .string(title))
                    } else if entry != nil {
                        entry?.title = title.isEmpty ? nil : title
                    } else if !folders.isEmpty, !folders[folders.count - 1].isNamed,
                        case let inner = FolderPath.appended(title, to: path), inner.count > path.count
                    {
                        folders[folders.count - 1].isNamed = true
                        path = inner
                    } else if !title.isEmpty {
                        try sink(.untaken(folders.isEmpty ? "title" : "folder title"))
                    }
                case .start("desc", let attributes):
                    try takeAttributes(attributes, of: "desc")
                    let text = events.text()
                    if entry?.description != nil {
                        entry?.keep("desc", .string(text))
                    } else if entry != nil {
                        entry?.description = text.isEmpty ? nil : text
                    } else if !text.isEmpty {
                        try sink(.untaken(folders.isEmpty ? "desc" : "folder desc"))
                    }
                case .start("metadata", let attributes):
                    // Each program has its own metadata.
                    let owner = attributes.first { $0.name == "owner" }?.value ?? ""
                    let value = events.value(attributes.filter { $0.name != "owner" })
                    if entry != nil {
                        entry?.keep(owner.isEmpty ? "metadata" : owner, value)
                    } else {
                        try sink(.untaken(folders.isEmpty ? "metadata" : "folder metadata"))
                    }
                case .start("xbel", let attributes):
                    for name in XMLEvents.untakenAttributes(attributes, of: "xbel") { try sink(.untaken(name)) }
                case .start("info", let attributes): try takeAttributes(attributes, of: "info")
                case .start(let name, let attributes):
                    if entry != nil {
                        entry?.keep(name, events.value(attributes))
                    } else {
                        let name = ImportedEntry.cut(name, 60)
                        try sink(.untaken(name))
                        for name in XMLEvents.untakenAttributes(attributes, of: name) { try sink(.untaken(name)) }
                    }
                case .text(let text) where XMLEvents.isWords(text):
                    if entry != nil {
                        entry?.keep("text", .string(ImportText.trimmed(text)))
                    } else {
                        try sink(.untaken("text between entries"))
                    }
                case .end, .text: break
                }
            }
            if let entry { try sink(.entry(entry)) }
            if !folders.isEmpty {
                try sink(.fault(ImportFault(.line(events.line), .endsWithinFolder)))
            }
        }
    }
}
