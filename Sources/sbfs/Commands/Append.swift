import StuffBucket

extension Commands {
    static let append = Command(
        "append", .keep, "Add a paragraph to an item's text", arguments: "ITEM… TEXT",
        details: """
            TEXT is the last word on the line, quoted; - reads it from standard input. sbfs puts a blank line before \
            it. If another program saves the text at the same moment, both changes are kept.
            """,
        options: Invocation.changeOptions,
        examples: [
            .init("sbfs append Shopping 'and bread'", "by title"),
            .init("date | sbfs append Log -", "from a pipe"),
        ]
    ) { invocation in
        guard let last = invocation.positionals.last else { throw invocation.usage("append needs an item and a text") }
        let names = Array(invocation.positionals.dropLast())
        if names.contains("-"), last == "-" { throw invocation.usage("standard input cannot be both items and text") }
        if names.isEmpty, !invocation.has("query") { throw invocation.usage("append needs an item and a text") }
        var text = last == "-" ? try StandardInput.read(limit: Layout.textByteLimit) : Array(last.utf8)
        while text.last == 0x0A || text.last == 0x0D { text.removeLast() }
        if text.isEmpty { throw CommandFailure(.failed, "the text is empty; nothing was changed") }
        if String(validating: text, as: UTF8.self) == nil || text.contains(0) {
            throw CommandFailure(.failed, "the text is not UTF-8; nothing was changed")
        }
        let selection = try invocation.items(names)
        var unmerged: UnmergedFiles?? = .none
        let change = TextChange.append(text + [0x0A])
        func check(_ library: Library, _ stored: StoredItem) throws {
            // What is appended to a text that git has to merge again would go with the markers.
            if let bytes = try library.text(of: stored), !MarkerBlock.all(in: bytes).isEmpty {
                let files = unmerged ?? UnmergedFiles(library.path)
                unmerged = files
                let path = stored.folder + "/" + Layout.textFile
                if let advice = files?.advice(for: path) {
                    throw CommandFailure(.failed, "\(path) has git's conflict markers; \(advice)")
                }
            }
            try library.checkText(of: stored, change)
        }
        return try invocation.changeEach(selection, done: "appended to", check: check) { _, stored in
            try invocation.step().updateText(stored, change)
        }
    }
}
