import StuffBucket

extension Commands {
    static let suggestTags = Command(
        "suggest-tags", .change, "Have a model suggest tags, and review them", arguments: "[ITEM]…",
        details: """
            Sends title, link, tags, text and saved article of each item, at most 24 KB, with the library's 200 most used \
            tags, to the model of "sbfs ai setup". Tags that the library has are preferred and marked existing. You review \
            the answer before anything changes: for one item as a list with boxes, for several as lines of text in your \
            editor. "sbfs undo" undoes all of it at once.

            Before it sends more than 20 items or 50,000 tokens, sbfs asks. What was answered is kept until you have \
            reviewed it: if the network fails, or you stop, the same command goes on from there. If an item changed \
            after it was sent, you review it again. --dry-run prints exactly what would be sent, and sends nothing. What \
            "sbfs config ai.never QUERY" finds is never sent.

            --shrink sends the library's tags alone, and proposes merges of those that mean the same.
            """,
        options: [
            Option.query, Option("shrink", "propose merges of nearly equal tags"), Option.yes, Option.dryRun,
            Option.json,
            Invocation.budget, Invocation.atOnce, Option("again", "ask again for what is answered already"),
        ],
        examples: [
            .init("sbfs suggest-tags @1", "suggest, tick, apply"),
            .init("sbfs suggest-tags -q is:untagged", "all items without tags, in one review"),
            .init("sbfs suggest-tags -n @1", "see what would be sent"),
            .init("sbfs suggest-tags --shrink", "fewer tags"),
        ],
        run: { try SuggestTagsCommand($0).run() })
}

/// One run of `sbfs suggest-tags`.
private struct SuggestTagsCommand {
    let invocation: Invocation
    let library: Library
    let settings: AISettings
    let never: NeverSent

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        settings = try invocation.aiSettings()
        library = try invocation.library()
        never = try invocation.neverSent(library)
    }

    func run() throws -> ExitStatus {
        if invocation.has("shrink") { return try shrink() }
        let selection = try invocation.items(invocation.positionals)
        let (items, leftCount) = try invocation.itemsToSend(selection, never)
        let known = try library.mostUsedTags(never).map(\.tag)
        let limit = try invocation.aiByteLimit()
        func request(_ stored: StoredItem) throws -> TagRequest {
            try library.tagRequest(for: stored, known: known, settings, byteLimit: limit)
        }
        let requests = try items.map(request)
        if invocation.isDryRun {
            try invocation.show(requests.map(\.request))
            return leftCount == 0 ? .done : .partlyDone
        }
        try library.requireWritable()
        let ids = requests.map(\.stored.id)
        let kept = try KeptSuggestions(library, settings, forgetting: invocation.has("again") ? ids : [])
        let failedCount = try ask(requests, known, kept)
        let answers = requests.compactMap { request in kept[request].map { Reviewed(suggestions: $0) } }
        var status: ExitStatus = leftCount + failedCount == 0 ? .done : .partlyDone
        if invocation.has("json"), !invocation.has("yes") {
            try printJSON(answers.map(\.suggestions))
        } else {
            let applied = try reviewAndApply(answers) { try request($0).fingerprint }
            if applied != .done { status = applied }
        }
        try kept.forget(ids)
        return status
    }

    // MARK: Asking

    /// - Returns: the number of items without a usable answer, which are named.
    private func ask(_ requests: [TagRequest], _ known: [String], _ kept: KeptSuggestions) throws -> Int {
        let open = requests.filter { kept[$0] == nil }
        if open.count < requests.count {
            invocation.talk.say("\(itemCount(requests.count - open.count)) answered before and not yet reviewed")
        }
        if open.isEmpty { return 0 }
        let service = try invocation.aiService(settings)
        defer { service.end() }
        let cutCount = open.count(where: \.isCut)
        if cutCount > 0 {
            invocation.talk.say("\(itemCount(cutCount)) longer than the budget: only the beginning is sent")
        }
        try invocation.consent(
            toSend: open.count, tokens: open.reduce(0) { $0 + $1.request.estimatedTokens }, settings)
        var failedCount = 0, doneCount = 0
        let progress = Progress("asking", total: open.count, talk: invocation.talk)
        do {
            try library.suggestTags(open, known: known, service) { place, result in
                doneCount += 1
                switch result {
                case .success(let suggestions): try kept.add(suggestions)
                case .failure(let error):
                    failedCount += 1
                    progress.clear()
                    invocation.talk.warn("\(open[place].stored.id.short): \(error.wording)")
                    if open.count == 1 { throw error }
                }
                progress.show(doneCount)
            }
            progress.clear()
        } catch {
            progress.clear()
            if open.count == 1, failedCount == 1 { throw CommandFailure(ExitStatus(for: error), "nothing was changed") }
            if kept.count > 0 {
                invocation.talk.say("\(kept.count) answers are kept; the same command goes on from there")
            }
            throw error
        }
        return failedCount
    }

    private func printJSON(_ answers: [TagSuggestions]) throws {
        let objects = answers.map { answer in
            JSON.members([
                ("id", .string(answer.id.description)),
                (
                    "tags",
                    .array(
                        answer.tags.map {
                            .members([("tag", .string($0.tag)), ("existing", .bool($0.isExisting))])
                        })
                ), ("refused", .integer(answer.refusedCount)),
            ])
        }
        try invocation.output.write(Printable.json(JSON.array(objects).file))
    }

    // MARK: Reviewing

    /// Suggestions on their way through the review.
    private struct Reviewed {
        let suggestions: TagSuggestions
        /// What the person wants of them.
        var tags: [String] = []
        /// A hash of the item as it was when it was sent, or last shown.
        var fingerprint: String

        init(suggestions: TagSuggestions) {
            self.suggestions = suggestions
            fingerprint = suggestions.fingerprint
            tags = suggestions.tags.map(\.tag)
        }
    }

    /// - Parameter fingerprint: of an item as it is now.
    private func reviewAndApply(_ answers: [Reviewed], fingerprint: (StoredItem) throws -> String) throws -> ExitStatus
    {
        for answer in answers {
            let refused = answer.suggestions.refusedCount
            if refused > 0 {
                invocation.talk.say(
                    "\(answer.suggestions.id.short): \(refused) suggestion\(refused == 1 ? "" : "s") refused")
            }
            if answer.tags.isEmpty { invocation.talk.say("\(answer.suggestions.id.short): no new tag is suggested") }
        }
        var open = answers.filter { !$0.tags.isEmpty }
        var status = ExitStatus.done
        while !open.isEmpty {
            let chosen = invocation.has("yes") ? open : try review(open)
            var rows: [Row] = []
            var changed: [Reviewed] = []
            var tags: [ItemID: [String]] = [:]
            for answer in chosen where !answer.tags.isEmpty {
                guard let stored = try library.stored(answer.suggestions.id) else {
                    invocation.talk.warn(ItemError.noItem(answer.suggestions.id).wording)
                    status = .partlyDone
                    continue
                }
                let now = try fingerprint(stored)
                if now != answer.fingerprint {
                    var again = Reviewed(suggestions: answer.suggestions)
                    again.fingerprint = now
                    changed.append(again)
                } else if let row = try library.row(of: stored.id) {
                    rows.append(row)
                    tags[stored.id] = answer.tags
                }
            }
            if !rows.isEmpty {
                let selection = Selection(library: library, rows: rows, missingCount: 0)
                let applied = try invocation.change(selection, done: "tagged") { stored in
                    var edit = ItemEdit(base: stored.json)
                    for tag in tags[stored.id] ?? [] { edit.addTag(tag) }
                    return edit
                }
                if applied != .done { status = applied }
            } else if changed.isEmpty {
                invocation.talk.say("nothing was changed")
            }
            open = changed
            if open.isEmpty { break }
            let verb = open.count == 1 ? "changed after it was" : "changed after they were"
            if invocation.has("yes") {
                let names = open.map(\.suggestions.id.short).joined(separator: ", ")
                invocation.talk.warn("\(itemCount(open.count)) (\(names)) \(verb) sent; nothing was applied there")
                return .partlyDone
            }
            invocation.talk.say("\(itemCount(open.count)) \(verb) sent; review again")
        }
        invocation.tellUndo()
        return status
    }

    private func review(_ answers: [Reviewed]) throws -> [Reviewed] {
        if answers.count > 1 { return try reviewLines(answers) }
        let suggestions = answers[0].suggestions
        let title = try library.stored(suggestions.id).map { library.displayTitle(of: $0) } ?? ""
        let list = BoxList(
            heading: "Tags for \"\(title)\" (\(suggestions.id.short))",
            rows: suggestions.tags.map { ($0.tag, $0.isExisting ? "existing" : "new") })
        guard let ticked = list.choose(invocation.style) else {
            throw CommandFailure(
                .failed,
                "nothing was changed; the answer is kept for the next time (--yes applies it, --json prints it)")
        }
        var answer = answers[0]
        answer.tags = ticked.map { suggestions.tags[$0].tag }
        return [answer]
    }

    /// All items as lines of text, the way of `sbfs bulk`.
    private func reviewLines(_ answers: [Reviewed]) throws -> [Reviewed] {
        let names = BulkNames(answers.map(\.suggestions.id))
        var text = """
            # \(itemCount(answers.count)) with suggested tags, one a line. Delete a tag, or a whole line, that you do not
            # want, and add tags that you want: #tag #"two words". Only the tags count; titles are there for you.
            # Tags behind the ; are new in the library. Save and close to apply.

            """
        for answer in answers {
            let title = try library.stored(answer.suggestions.id).map { library.displayTitle(of: $0) } ?? ""
            var line = BulkLine()
            line.title = String(title.prefix(60))
            line.tags = answer.tags
            let new = answer.suggestions.tags.filter { !$0.isExisting }.map(\.tag).joined(separator: ", ")
            text += line.text(names.name(answer.suggestions.id), [], remark: new.isEmpty ? nil : "new: " + new) + "\n"
        }
        let draft = try Draft(of: library, key: "suggest-tags-review", name: "tags.txt")
        try draft.begin(Array(text.utf8))
        while true {
            try Editor.open(draft.path)
            do {
                let file = try BulkFile(parsing: try draft.read(), name: draft.path, find: names.find)
                draft.remove()
                return answers.compactMap { answer in
                    guard let line = file.lines[answer.suggestions.id] else { return nil }
                    var answer = answer
                    answer.tags = line.tags
                    return answer
                }
            } catch let faults as BulkFile.Faults {
                invocation.talk.warn("\(faults)")
                guard Prompt.confirm("Edit it again?", isYesDefault: true) == true else {
                    draft.remove()
                    throw CommandFailure(.failed, "nothing was changed; the answers are kept for the next time")
                }
            }
        }
    }

    // MARK: Fewer tags

    private func shrink() throws -> ExitStatus {
        if !invocation.positionals.isEmpty || invocation.has("query") {
            throw invocation.usage("--shrink is about the tags of the whole library")
        }
        let tags = try library.mostUsedTags(never, limit: 1000)
        if tags.count < 2 { throw CommandFailure(.nothingFound, "there are no two tags to merge") }
        let request = library.shrinkRequest(tags, settings)
        if invocation.isDryRun {
            try invocation.show([request])
            return .done
        }
        try library.requireWritable()
        let service = try invocation.aiService(settings)
        defer { service.end() }
        invocation.talk.say(
            "sending \(tags.count) tags, about \(request.estimatedTokens) tokens, to \(settings.model) at \(settings.baseURL)"
        )
        let merges = try library.suggestMerges(tags, service)
        if invocation.has("json"), !invocation.has("yes") {
            let objects = merges.map {
                JSON.members([("from", .strings($0.from)), ("into", .string($0.into))])
            }
            try invocation.output.write(Printable.json(JSON.array(objects).file))
            return .done
        }
        if merges.isEmpty {
            invocation.talk.say("no tags to merge are suggested")
            return .done
        }
        var chosen = merges
        if !invocation.has("yes") {
            let list = BoxList(
                heading: "Tags that mean the same",
                rows: merges.map { ($0.from.joined(separator: ", ") + " → " + $0.into, "") })
            guard let ticked = list.choose(invocation.style) else {
                throw CommandFailure(.failed, "nothing was changed (--yes applies all, --json prints them)")
            }
            chosen = ticked.map { merges[$0] }
        }
        var status = ExitStatus.done
        for merge in chosen {
            let one = try TagRenaming(invocation, merge.from, to: merge.into).run()
            if one != .done { status = one }
        }
        return status
    }
}
