import Characters
internal import Characters
internal import HTML
internal import JSONFormat

/// Bookmark files in HTML, as every browser writes and reads them ("NETSCAPE-Bookmark-file-1").
///
/// A folder is `<DT><H3>name</H3><DL>…</DL>`, a bookmark `<DT><A HREF=…>title</A>`, and `<DD>` after either describes
/// it. Only the end tags `</H3>`, `</A>` and `</DL>` are written, and files edited by hand nest wrongly. So the
/// reader uses tokens and a stack of open lists, and no tree. Attributes: ADD_DATE and LAST_MODIFIED (seconds since
/// 1970), TAGS (by commas), PRIVATE, TOREAD, SHORTCUTURL (Firefox's keyword, which becomes a tag). linkding puts
/// notes into the description, between `[linkding-notes]` and `[/linkding-notes]`, and Scuttle the description into
/// an attribute. A link without scheme and host, which only its own site can resolve, is a note of Shaarli's: its
/// description is the text. Pocket's lists of `<li><a time_added=…>` follow headings that say whether they were read.
/// Other attributes are kept under their names.
struct NetscapeBookmarks {
    var tokenizer: HTMLTokenizer
    var bytes: UnsafeBufferPointer<UInt8>
    private var lines: LineCounter
    /// The number of lines before `bytes`.
    private var earlierLines = 0
    private let format: ImportFormat
    let sink: ImportSink

    private struct OpenFolder {
        var name: String?
        var hasContent = false
    }
    private var stack: [OpenFolder] = []
    /// Names of the open folders, rebuilt only when one opens or closes.
    private var path: [String] = []
    private var hasToldDepth = false
    /// The name of a folder whose list has not started yet.
    private var nextFolder: String?
    private var pending: ImportedEntry?

    /// The purpose of the text that follows.
    private enum Field { case nothing, title, folderName, description, folderDescription, heading }
    private var field = Field.nothing
    private var text: [UInt8] = []

    /// Whether texts must be checked before they are read as UTF-8.
    private let isMixed: Bool
    /// The number of texts that are not UTF-8, and the line of the first.
    private var foreign: (count: Int, line: Int) = (0, 0)

    /// Whether the heading above says that the following entries are unread.
    private var isUnread = false
    private var hasMarkup = false
    /// The name of the last tag, to which a raw text belongs.
    private var rawName = ""
    /// Whether the last name was a folder's, so that a description belongs to the folder.
    private var isBehindFolder = false

    /// Reads a whole file in memory.
    ///
    /// - Parameter text: if `isMixed`, each title, folder, address and description that is not UTF-8 is read as
    ///   windows-1252.
    static func read(_ text: ImportText, _ format: ImportFormat, _ sink: ImportSink) throws {
        try withoutActuallyEscaping(sink) { sink in
            try text.bytes.withUnsafeBufferPointer { buffer in
                var reader = NetscapeBookmarks(buffer, isMixed: text.isMixed, format, sink)
                _ = try reader.run(isLast: true)
                try reader.finish()
            }
        }
    }

    /// Reads a file in UTF-8 part by part.
    static func read(_ input: ImportInput, _ format: ImportFormat, _ sink: ImportSink) throws {
        try withoutActuallyEscaping(sink) { sink in
            var window = try InputWindow(input)
            var reader = NetscapeBookmarks(UnsafeBufferPointer(start: nil, count: 0), isMixed: false, format, sink)
            while true {
                let isLast = window.isAtEnd
                let done = try window.bytes.withUnsafeBufferPointer { buffer in
                    reader.begin(buffer)
                    let done = try reader.run(isLast: isLast)
                    if isLast { try reader.finish() }
                    reader.leave(done)
                    return done
                }
                if isLast { return }
                try window.move(by: done)
            }
        }
    }

    private init(
        _ bytes: UnsafeBufferPointer<UInt8>, isMixed: Bool, _ format: ImportFormat, _ sink: @escaping ImportSink
    ) {
        self.bytes = bytes
        self.isMixed = isMixed
        self.format = format
        self.sink = sink
        tokenizer = HTMLTokenizer(bytes)
        lines = LineCounter(bytes)
    }

    private mutating func begin(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        tokenizer = HTMLTokenizer(bytes)
        lines = LineCounter(bytes)
    }

    /// - Parameter count: bytes that are dropped from memory.
    private mutating func leave(_ count: Int) {
        earlierLines += lines.line(of: count) - 1
        bytes = UnsafeBufferPointer(start: nil, count: 0)
        tokenizer = HTMLTokenizer(bytes)
    }

    /// - Parameter isLast: whether the bytes reach the end of the file.
    /// - Returns: the number of processed bytes. A token that touches the end may continue and does not count.
    private mutating func run(isLast: Bool) throws -> Int {
        var last = 0
        while tokenizer.next() {
            if !isLast, tokenizer.end == bytes.count {
                // A raw text starts after its tag and is recognised only there.
                return tokenizer.kind == .rawText ? last : tokenizer.start
            }
            last = tokenizer.start
            switch tokenizer.kind {
            case .text:
                let piece = slice(tokenizer.start, tokenizer.end)
                if field != .nothing {
                    text.append(contentsOf: piece)
                } else if piece.contains(where: { $0 > 0x20 }) {
                    try sink(.untaken("text between entries"))
                }
            case .startTag:
                hasMarkup = true
                rawName = tagName
                try start()
            case .comment: if !isUsualComment { try sink(.untaken("comment")) }
            case .endTag: try end()
            case .rawText:
                if tokenizer.element == .title {
                    try tell(heading: slice(tokenizer.start, tokenizer.end), "title")
                } else if slice(tokenizer.start, tokenizer.end).contains(where: { $0 > 0x20 }) {
                    try sink(.untaken(rawName))
                }
                if tokenizer.end == bytes.count, tokenizer.end - tokenizer.start > 4096 {
                    try fault(tokenizer.start, .endlessElement)
                }
            case .nothing:
                if tokenizer.end == bytes.count, tokenizer.end - tokenizer.start > 3 {
                    try fault(tokenizer.start, .endsWithinTag)
                }
            default: break
            }
        }
        return bytes.count
    }

    private mutating func finish() throws {
        try endText()
        try flush()
        try endFolder()
        if stack.count > 0 { try fault(bytes.count, .endsWithinFolder) }
        if !hasMarkup { try fault(0, .noBookmark) }
        if foreign.count > 0 {
            try sink(
                .fault(ImportFault(.line(foreign.line), .textsReadAsWindows1252(foreign.count))))
        }
    }

    private mutating func line(of offset: Int) -> Int { earlierLines + lines.line(of: offset) }

    private mutating func fault(_ offset: Int, _ kind: ImportFault.Kind) throws {
        try sink(.fault(ImportFault(.line(line(of: offset)), kind)))
    }

    func slice(_ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[start..<end])
    }

    // MARK: Tags

    private mutating func start() throws {
        switch tag {
        case .a:
            try endText()
            try flush()
            beginBookmark()
        case .dt:
            try endText()
            try flush()
            try tellAttributes(of: "dt")
        case .dd:
            try tellAttributes(of: "dd")
            try endText()
            if pending != nil {
                field = .description
            } else if isBehindFolder {
                field = .folderDescription
                try sink(.untaken("folder description"))
            }
            isBehindFolder = false
        case .h1:
            try endText()
            try flush()
            field = .heading
            try tellAttributes(of: "heading")
        case .h3:
            try endText()
            try flush()
            try endFolder()
            field = .folderName
            try tellAttributes(of: "folder")
        case .dl:
            try endText()
            try flush()
            push()
            try tellAttributes(of: "dl")
        case .other:
            // A line break in a description.
            if field == .description, tokenizer.element == .br { text.append(0x0A) }
            // A line between bookmarks.
            if tokenizer.element == .hr {
                try sink(.untaken("separator"))
                try tellAttributes(of: "separator")
            } else if !isUsualMeta {
                try tellAttributes(of: tagName)
            }
        }
    }

    private mutating func end() throws {
        switch tag {
        case .a: if field == .title { try endText() }
        case .h1: if field == .heading { try endText() }
        case .h3: if field == .folderName { try endText() }
        case .dl:
            try endText()
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
                    tokenizer.start, .foldersMerged(limit: ImportedEntry.folderDepthLimit))
            }
            stack.append(OpenFolder(name: nil))
        }
        nextFolder = nil
    }

    private mutating func pop() throws {
        try endFolder()
        guard let folder = stack.popLast() else {
            return try fault(tokenizer.start, .unopenedFolder)
        }
        if folder.name != nil {
            if !folder.hasContent { try sink(.folder(ImportedFolder(path))) }
            path.removeLast()
        }
        if !stack.isEmpty { stack[stack.count - 1].hasContent = true }
    }

    // MARK: Bookmarks

    private mutating func beginBookmark() {
        var entry = ImportedEntry(at: .line(line(of: tokenizer.start)))
        isBehindFolder = false
        for attribute in tokenizer.attributes {
            let name = ImportedEntry.cutName(slice(attribute.nameStart, attribute.nameEnd)).lowercased()
            if !attribute.hasValue, name != "private", name != "toread" {
                entry.untaken.append(name)
                continue
            }
            let text = decoded(slice(attribute.valueStart, attribute.valueEnd), in: .attribute)
            entry.take(bookmarkAttribute: name, text)
        }
        if isUnread { entry.tags.append("toread") }
        entry.folder = path
        pending = entry
        field = .title
        text.removeAll(keepingCapacity: true)
    }

    /// Ends a folder whose list does not follow.
    private mutating func endFolder() throws {
        guard let name = nextFolder else { return }
        nextFolder = nil
        if !stack.isEmpty { stack[stack.count - 1].hasContent = true }
        if path.count < ImportedEntry.folderDepthLimit { try sink(.folder(ImportedFolder(path + [name]))) }
    }

    private mutating func endText() throws {
        defer {
            field = .nothing
            text.removeAll(keepingCapacity: true)
        }
        switch field {
        case .nothing, .folderDescription: return
        case .title:
            let title = ImportText.line(decodedText())
            pending?.title = title
        case .folderName:
            nextFolder = FolderPath.appended(ImportText.line(decodedText()) ?? "", to: []).first
            isBehindFolder = true
        case .heading:
            if format == .pocketHTML {
                isUnread = decodedText().lowercased().contains(text: "unread")
            } else {
                let bytes = text
                try bytes.withUnsafeBufferPointer { try tell(heading: $0, "heading") }
            }
        case .description:
            let description = ImportText.trimmed(decodedText())
            pending?.take(bookmarkDescription: description)
        }
    }

    private mutating func flush() throws {
        guard var entry = pending else { return }
        pending = nil
        entry.readShaarliNote()
        if !stack.isEmpty { stack[stack.count - 1].hasContent = true }
        try sink(.entry(entry))
    }

    // MARK: Texts

    private mutating func decodedText() -> String {
        // Decoding may change `self`, which holds the text, so the text is taken out first.
        let bytes = text
        return bytes.withUnsafeBufferPointer { decoded($0, in: .text) }
    }

    /// A text of the file with its character references resolved.
    mutating func decoded(_ bytes: UnsafeBufferPointer<UInt8>, in place: CharacterReferences.Place) -> String {
        if isMixed, case let raw = Array(bytes), UTF8Sequence.firstFault(in: raw) != nil {
            if foreign.count == 0 { foreign.line = line(of: tokenizer.start) }
            foreign.count += 1
            let text = ImportText.asWindows1252(raw)
            return String(decoding: CharacterReferences.decoded(text[...], in: place), as: UTF8.self)
        }
        return String(decoding: CharacterReferences.decoded(bytes, in: place), as: UTF8.self)
    }
}
