internal import Characters
internal import HTML

/// Bookmark files in HTML, as every browser writes and reads them ("NETSCAPE-Bookmark-file-1").
///
/// A folder is `<DT><H3>name</H3><DL>…</DL>`, a bookmark `<DT><A HREF=…>title</A>`, and `<DD>` behind either describes it.
/// No end tags but `</H3>`, `</A>` and `</DL>` are written, and files edited by hand nest wrongly; so tokens are read with a
/// stack of open lists and no tree. Attributes: ADD_DATE and LAST_MODIFIED (seconds since 1970), TAGS (by commas),
/// PRIVATE, TOREAD, SHORTCUTURL (Firefox's keyword, which becomes a tag). linkding puts notes into the description,
/// between `[linkding-notes]` and `[/linkding-notes]`. Pocket's list of `<li><a time_added=…>` is read too.
struct NetscapeBookmarks {
    private var tokenizer: HTMLTokenizer
    private let bytes: UnsafeBufferPointer<UInt8>
    private var lines: LineCounter
    private let sink: ImportSink

    private struct OpenFolder {
        var name: String?
        var hasContent = false
    }
    private var stack: [OpenFolder] = []
    /// Names of the open folders, made anew only when one opens or closes.
    private var path: [String] = []
    private var hasToldDepth = false
    /// The name of a folder whose list has not begun yet.
    private var nextFolder: String?
    private var pending: ImportedEntry?

    /// What the text that comes is for.
    private enum Field { case nothing, title, folderName, description }
    private var field = Field.nothing
    private var text: [UInt8] = []

    /// Whether texts have to be looked at before they are taken for UTF-8.
    private let isMixed: Bool
    /// Texts that are no UTF-8, and the line of the first.
    private var foreign: (count: Int, line: Int) = (0, 0)

    /// Reads a whole file.
    ///
    /// - Parameter text: of which each title, folder, address and description that is no UTF-8 is read as windows-1252
    ///   if `isMixed`.
    static func read(_ text: ImportText, _ sink: ImportSink) throws {
        try withoutActuallyEscaping(sink) { sink in
            try text.bytes.withUnsafeBufferPointer { buffer in
                var reader = NetscapeBookmarks(buffer, isMixed: text.isMixed, sink)
                try reader.run()
            }
        }
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, isMixed: Bool, _ sink: @escaping ImportSink) {
        self.bytes = bytes
        self.isMixed = isMixed
        self.sink = sink
        tokenizer = HTMLTokenizer(bytes)
        lines = LineCounter(bytes)
    }

    private mutating func run() throws {
        var hasMarkup = false
        while tokenizer.next() {
            switch tokenizer.kind {
            case .text:
                if field != .nothing { text.append(contentsOf: slice(tokenizer.start, tokenizer.end)) }
            case .startTag:
                hasMarkup = true
                try start()
            case .endTag: try end()
            case .rawText:
                if tokenizer.end == bytes.count, tokenizer.end - tokenizer.start > 4096 {
                    try fault(tokenizer.start, "an element that does not end holds the rest of the file as text")
                }
            case .nothing:
                if tokenizer.end == bytes.count, tokenizer.end - tokenizer.start > 3 {
                    try fault(tokenizer.start, "the file ends within a tag")
                }
            default: break
            }
        }
        endText()
        try flush()
        if stack.count > 0 { try fault(bytes.count, "the file ends within a folder", isLoss: false) }
        if !hasMarkup { try fault(0, "there is no bookmark in it") }
        if foreign.count > 0 {
            let texts = "\(foreign.count) text\(foreign.count == 1 ? "" : "s")"
            try sink(
                .fault(
                    ImportFault(.line(foreign.line), "not UTF-8: \(texts) read as windows-1252", isLoss: false)))
        }
    }

    private mutating func fault(_ offset: Int, _ what: String, isLoss: Bool = true) throws {
        try sink(.fault(ImportFault(.line(lines.line(of: offset)), what, isLoss: isLoss)))
    }

    private func slice(_ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[start..<end])
    }

    // MARK: Tags

    private enum Tag { case a, dt, dd, dl, h3, other }

    private var tag: Tag {
        let (start, end) = (tokenizer.innerStart, tokenizer.innerEnd)
        let first = bytes[start] | 0x20
        switch (end - start, first) {
        case (1, 0x61): return .a
        case (2, 0x64), (2, 0x6C), (2, 0x75), (2, 0x68):
            switch (first, bytes[start + 1] | 0x20) {
            case (0x64, 0x74), (0x6C, 0x69): return .dt
            case (0x64, 0x64): return .dd
            case (0x64, 0x6C), (0x75, 0x6C): return .dl
            // H3 names a folder; hand-made files have H2 and H4 as well. H1 is the file's own title.
            case (0x68, let level) where level >= 0x32 && level <= 0x36: return .h3
            default: return .other
            }
        default: return .other
        }
    }

    private mutating func start() throws {
        switch tag {
        case .a:
            endText()
            try flush()
            beginBookmark()
        case .dt:
            endText()
            try flush()
        case .dd:
            endText()
            if pending != nil { field = .description }
        case .h3:
            endText()
            try flush()
            field = .folderName
        case .dl:
            endText()
            try flush()
            push()
        case .other:
            // A line break in a description.
            if field == .description, tokenizer.element == .br { text.append(0x0A) }
        }
    }

    private mutating func end() throws {
        switch tag {
        case .a: if field == .title { endText() }
        case .h3: if field == .folderName { endText() }
        case .dl:
            endText()
            try flush()
            try pop()
        default: break
        }
    }

    private mutating func push() {
        if let name = nextFolder, path.count < ImportedEntry.folderDepthLimit {
            path.append(name)
            stack.append(OpenFolder(name: name))
        } else {
            if nextFolder != nil, !hasToldDepth {
                hasToldDepth = true
                try? fault(
                    tokenizer.start, "folders nested deeper than \(ImportedEntry.folderDepthLimit) are taken as one",
                    isLoss: false)
            }
            stack.append(OpenFolder(name: nil))
        }
        nextFolder = nil
    }

    private mutating func pop() throws {
        guard let folder = stack.popLast() else {
            return try fault(tokenizer.start, "</DL> without its beginning", isLoss: false)
        }
        if folder.name != nil {
            if !folder.hasContent { try sink(.folder(ImportedFolder(path))) }
            path.removeLast()
        }
        if !stack.isEmpty { stack[stack.count - 1].hasContent = true }
    }

    // MARK: Bookmarks

    private mutating func beginBookmark() {
        var entry = ImportedEntry(at: .line(lines.line(of: tokenizer.start)))
        for attribute in tokenizer.attributes where attribute.hasValue {
            let name = slice(attribute.nameStart, attribute.nameEnd)
            guard
                let key = Self.attributes.first(where: { key in
                    key.name.utf8CodeUnitCount == name.count && Self.isSame(name, key.name)
                })?.key
            else { continue }
            // The first of two attributes with one name counts, as in HTML.
            let text = decoded(slice(attribute.valueStart, attribute.valueEnd), in: .attribute)
            switch key {
            case .href: entry.url = entry.url ?? Self.trimmed(text)
            case .added: entry.createdAt = entry.createdAt ?? ImportDate.timestamp(text)
            case .modified: entry.updatedAt = entry.updatedAt ?? ImportDate.timestamp(text)
            case .tags:
                entry.tags += text.split(separator: ",").map { Self.trimmed(String($0)) }.filter { !$0.isEmpty }
            case .keyword: if !text.isEmpty { entry.tags.append("keyword-" + Self.trimmed(text)) }
            case .unread: if text == "1" { entry.tags.append("toread") }
            case .isPrivate: if text == "1" { entry.tags.append("private") }
            }
        }
        entry.folder = path
        pending = entry
        field = .title
        text.removeAll(keepingCapacity: true)
    }

    private enum Key { case href, added, modified, tags, keyword, unread, isPrivate }

    private static let attributes: [(name: StaticString, key: Key)] = [
        ("href", .href), ("add_date", .added), ("time_added", .added), ("last_modified", .modified), ("tags", .tags),
        ("shortcuturl", .keyword), ("toread", .unread), ("private", .isPrivate),
    ]

    private static func isSame(_ name: UnsafeBufferPointer<UInt8>, _ key: StaticString) -> Bool {
        let key = key.utf8Start
        for (index, byte) in name.enumerated() {
            if (byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) != key[index] { return false }
        }
        return true
    }

    private mutating func endText() {
        defer {
            field = .nothing
            text.removeAll(keepingCapacity: true)
        }
        switch field {
        case .nothing: return
        case .title:
            let title = Self.line(decodedText())
            pending?.title = title
        case .folderName: nextFolder = FolderPath.cleaned([Self.line(decodedText()) ?? ""]).first
        case .description: describe(Self.trimmed(decodedText()))
        }
    }

    private mutating func describe(_ text: String) {
        var description = text
        if text.utf8.contains(UInt8(ascii: "[")), let start = text.firstRange(of: "[linkding-notes]"),
            let end = text[start.upperBound...].firstRange(of: "[/linkding-notes]")
        {
            let notes = Self.trimmed(String(text[start.upperBound..<end.lowerBound]))
            if !notes.isEmpty { pending?.text = Array(notes.utf8) }
            description = Self.trimmed(String(text[..<start.lowerBound] + text[end.upperBound...]))
        }
        if !description.isEmpty { pending?.description = description }
    }

    private mutating func flush() throws {
        guard let entry = pending else { return }
        pending = nil
        if !stack.isEmpty { stack[stack.count - 1].hasContent = true }
        try sink(.entry(entry))
    }

    // MARK: Texts

    private mutating func decodedText() -> String {
        // It may change `self`, where the text is: so it is taken out for the while.
        let bytes = text
        return bytes.withUnsafeBufferPointer { decoded($0, in: .text) }
    }

    /// A text of the file with its character references resolved.
    private mutating func decoded(_ bytes: UnsafeBufferPointer<UInt8>, in place: CharacterReferences.Place) -> String {
        if isMixed, case let raw = Array(bytes), UTF8Sequence.firstFault(in: raw) != nil {
            if foreign.count == 0 { foreign.line = lines.line(of: tokenizer.start) }
            foreign.count += 1
            let text = ImportText.asWindows1252(raw)
            return String(decoding: CharacterReferences.decoded(text[...], in: place), as: UTF8.self)
        }
        return String(decoding: CharacterReferences.decoded(bytes, in: place), as: UTF8.self)
    }

    /// A name on one line; `nil` if nothing is left of it.
    private static func line(_ text: String) -> String? {
        let hasSpace = text.utf8.contains { $0 < 0x20 }
        let line = hasSpace ? text.split(whereSeparator: \.isWhitespace).joined(separator: " ") : trimmed(text)
        return line.isEmpty ? nil : line
    }

    static func trimmed(_ text: String) -> String {
        guard let first = text.utf8.first, let last = text.utf8.last else { return text }
        if first > 0x20, last > 0x20, first < 0x80, last < 0x80 { return text }
        guard let start = text.firstIndex(where: { !$0.isWhitespace }),
            let end = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[start...end])
    }
}
