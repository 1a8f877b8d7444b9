import StuffBucket

extension Commands {
    static let new = Command(
        "new", .keep, "Write a new snippet in the editor", arguments: "[TITLE]",
        details: """
            Opens an empty text in $VISUAL or $EDITOR. What you save becomes a snippet; an empty text adds nothing. If \
            something goes wrong, sbfs keeps the text and offers it at the next "sbfs new": save it to add it, or \
            throw it away with --discard.
            """,
        options: [
            Option("discard", "throw a text of an earlier \"sbfs new\" away"),
            Option("tag", value: "TAGS", isRepeatable: true, "tags, separated by commas"),
            Option("collection", short: "c", value: "NAME", isRepeatable: true, "put into a collection"),
            Option.dryRun, Option.json,
        ],
        examples: [.init("sbfs new", "write something"), .init("sbfs new Ideas --tag later", "with a title and a tag")]
    ) { invocation in
        let library = try invocation.library()
        if !invocation.isDryRun { try library.requireWritable() }
        if invocation.has("discard"), invocation.isDryRun {
            throw invocation.usage("give --discard or --dry-run, not both")
        }
        let draft = try Draft(of: library, key: "new", name: "text.md")
        let isLeft = try !invocation.has("discard") && !(draft.leftOver() ?? []).isEmpty
        if !isLeft {
            try draft.begin([])
        } else {
            // A dry run applies nothing.
            draft.goOn(isAsked: !invocation.isDryRun)
            invocation.talk.say("continuing with the text in \(draft.path)")
        }
        let note = try draft.edit("sbfs new")
        let text = try draft.read()
        guard String(decoding: text, as: UTF8.self).contains(where: { !$0.isWhitespace }) else {
            if note == nil { draft.remove() }
            throw CommandFailure(.failed, "the text is empty; nothing was added" + (note.map { ": " + $0 } ?? ""))
        }
        if String(validating: text, as: UTF8.self) == nil {
            throw CommandFailure(.failed, "the text is not UTF-8; it is kept in \(draft.path)")
        }
        var addition = Addition(.text(text))
        addition.title = invocation.positionals.isEmpty ? nil : invocation.positionals.joined(separator: " ")
        addition.tags =
            try invocation.values("tag").flatMap { try TypedTags.read($0, invocation) }
            + invocation.values("collection").compactMap { CollectionName($0)?.tag }
        if invocation.isDryRun {
            // Keeps a text that an earlier edit left.
            if !isLeft { draft.remove() }
            invocation.talk.say("would add a snippet of \(ByteCount.text(text.count))")
            return .done
        }
        guard case .added(let item) = try invocation.step().add([addition])[0] else { return .failed }
        draft.remove()
        var printer = try invocation.printer(invocation.has("json") ? .json : try invocation.itemFormat())
        printer.hasText = invocation.has("json")
        let faults = try printer.print([try library.resolve([item.id.description]).rows[0]])
        return faults.isEmpty ? .done : .failed
    }
}
