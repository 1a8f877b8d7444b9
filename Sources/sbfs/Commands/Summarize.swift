import StuffBucket

extension Commands {
    static let summarize = Command(
        "summarize", .change, "Have a model summarise items", arguments: "[ITEM]…",
        details: """
            Sends title, link, tags, text and saved article of each item to the model of "sbfs ai setup", and keeps the \
            summary, key points and names that it answers in the item (aiSummary, aiArtifacts), with the model's name. \
            They can be searched, and "sbfs show" and "sbfs open --reader" show them as made by a model. Text, page and \
            reader.html stay as they are. "sbfs undo" undoes all of it at once.

            An item with more than 48 KB of text does not fit into one request: sbfs asks whether to send its beginning \
            (--cut), or to summarise it in parts (--parts). Items that have a summary are left out, so that the same \
            command goes on where it was stopped. An item that changes while the model answers gets no summary, and is named. \
            Before it sends more than 20 items or 50,000 tokens, sbfs asks. What \
            "sbfs config ai.never QUERY" finds is never sent.
            """,
        options: [
            Option.query, Option("cut", "of a long item, send the beginning"),
            Option("parts", "summarise a long item in parts"), Option.yes, Option.dryRun, Option.json,
            Invocation.budget, Invocation.atOnce, Option("again", "replace summaries that are there"),
        ],
        examples: [
            .init("sbfs summarize @1", "one item"),
            .init("sbfs summarize -q 'collection:Reading has:reader'", "all articles of a collection"),
            .init("sbfs summarize -n @1", "see what would be sent"),
        ],
        run: { try SummarizeCommand($0).run() })
}

/// One run of `sbfs summarize`.
private struct SummarizeCommand {
    let invocation: Invocation
    let library: Library
    let settings: AISettings

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        settings = try invocation.aiSettings()
        library = try invocation.library()
        if invocation.has("cut"), invocation.has("parts") { throw invocation.usage("--cut or --parts, not both") }
    }

    func run() throws -> ExitStatus {
        let never = try invocation.neverSent(library)
        let selection = try invocation.items(invocation.positionals)
        let (items, neverCount) = try invocation.itemsToSend(selection, never)
        var leftCount = neverCount
        let requests = try requests(items, &leftCount)
        if requests.isEmpty {
            if leftCount > 0 { throw CommandFailure(.nothingFound, "there is nothing to summarise") }
            return .done
        }
        if invocation.isDryRun {
            try invocation.show(requests.flatMap(\.requests))
            let joins = requests.count { $0.requests.count > 1 }
            if joins > 0 { invocation.talk.say("\(joins) more would join the answers of parts") }
            return leftCount == 0 ? .done : .partlyDone
        }
        try library.requireWritable()
        let service = try invocation.aiService(settings)
        defer { service.end() }
        try invocation.consent(
            toSend: requests.count, tokens: requests.reduce(0) { $0 + $1.estimatedTokens }, settings)
        let failedCount = try summarize(requests, service)
        invocation.tellUndo()
        return leftCount + failedCount == 0 ? .done : .partlyDone
    }

    /// The requests for items without a summary; the others are counted and named.
    private func requests(_ items: [StoredItem], _ leftCount: inout Int) throws -> [SummaryRequest] {
        let limit = try invocation.aiByteLimit()
        var long: LongText? = invocation.has("cut") ? .cut : invocation.has("parts") ? .parts : nil
        var requests: [SummaryRequest] = []
        var tooLarge: [StoredItem] = []
        var doneCount = 0
        func take(_ stored: StoredItem) throws {
            if let request = try library.summaryRequest(for: stored, settings, long, byteLimit: limit) {
                requests.append(request)
            } else {
                leftCount += 1
                invocation.talk.warn("\(stored.id.short) has no text to summarise")
            }
        }
        for stored in items {
            if stored.item.aiSummary != nil, !invocation.has("again") {
                doneCount += 1
                continue
            }
            do {
                try take(stored)
            } catch AIError.tooLarge where long == nil {
                tooLarge.append(stored)
            }
        }
        if doneCount > 0 {
            invocation.talk.say("\(itemCount(doneCount)) with a summary left as it is; --again makes another")
        }
        if tooLarge.isEmpty { return requests }
        let names = tooLarge.prefix(5).map(\.id.short).joined(separator: ", ") + (tooLarge.count > 5 ? ", …" : "")
        let question =
            "\(itemCount(tooLarge.count)) (\(names)) too large for one request. "
            + "Send the beginning (c), summarise in parts (p), or leave out (l)?"
        switch invocation.has("yes") ? "l" : Prompt.line(question, default: "l")?.lowercased() {
        case "c", "cut": long = .cut
        case "p", "parts": long = .parts
        default:
            leftCount += tooLarge.count
            invocation.talk.warn(
                "\(itemCount(tooLarge.count)) (\(names)) left out, too large for one request; --cut takes the beginning, --parts makes several requests"
            )
            if requests.isEmpty { throw CommandFailure(.tooLarge, "nothing was sent") }
            return requests
        }
        for stored in tooLarge { try take(stored) }
        return requests
    }

    private func summarize(_ requests: [SummaryRequest], _ service: AIService) throws -> Int {
        var failedCount = 0, doneCount = 0
        let progress = Progress("summarising", total: requests.count, talk: invocation.talk)
        do {
            try library.summarize(requests, service) { place, result in
                let stored = requests[place].stored
                progress.clear()
                do {
                    let summary = try result.get()
                    try invocation.step().write(summary, by: settings.model, for: requests[place])
                    try tell(summary, stored)
                    doneCount += 1
                } catch {
                    failedCount += 1
                    if requests.count == 1 { throw error }
                    // An error of an item names it.
                    let name = error is ItemError ? "" : stored.id.short + ": "
                    invocation.talk.warn(name + error.wording)
                }
                progress.show(doneCount + failedCount)
            }
            progress.clear()
        } catch {
            progress.clear()
            if doneCount > 0 {
                invocation.talk.say("\(itemCount(doneCount)) summarised and kept; the same command goes on from there")
            }
            throw error
        }
        return failedCount
    }

    private func tell(_ summary: ItemSummary, _ stored: StoredItem) throws {
        if invocation.has("json") {
            let json = JSON.members([
                ("id", .string(stored.id.description)), ("summary", .string(summary.summary)),
                ("keyPoints", .strings(summary.keyPoints)), ("entities", .strings(summary.entities)),
                ("model", .string(settings.model)),
            ])
            try invocation.output.write(Printable.json(json.oneLine) + [0x0A])
        } else {
            let title = Printable.line(library.displayTitle(of: stored))
            try invocation.output.line(invocation.style.bold(title) + "  " + invocation.style.dim(stored.id.short))
            let lines = [summary.summary] + summary.keyPoints.map { "- " + $0 }
            for line in lines { try invocation.output.line(Printable.text(HelpText.wrap(line))) }
        }
        try invocation.output.flush()
    }
}
