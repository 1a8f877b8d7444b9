import StuffBucket

extension Commands {
    static let search = Command(
        "search", .find, "Find items, best match first", arguments: "QUERY…",
        details: """
            Finds words, and words that begin with them, in titles, tags, texts, saved pages, notes, URLs and file \
            names. Case and diacritics do not count. All words must match. Quotes search for a phrase, word* for a \
            prefix; also OR, -word, ( ), and filters such as type:link tag:swift created:2025. "sbfs help query" \
            explains all of them.

            Shows the best 20 matches. A word in the title counts more than one in the tags, and that more than one in \
            the text. On a terminal, the matching part of the text follows each item.

            The search index is the folder .sbfs/index of the library. Every command updates it, and sbfs rebuilds it \
            if it is missing. In libraries of fewer than 5,000 items, sbfs looks for the changes of other programs \
            before the answer. In larger ones it looks after the answer, and says so; --fresh waits for it.
            """,
        options: [
            Option("sort", short: "s", value: "ORDER", "relevance, recent, newest, oldest, title or manual"),
            Option.reverse, Option("limit", short: "l", value: "N", "show at most N items (20)"),
            Option("all", short: "a", "show all matches"), Option.format, Option.json, Option.ndjson, Option.ids,
            Option("explain", "show how the query was read and how each score was computed"),
            Option("facets", "count tags, collections and types of all matches"), Option.fresh,
        ],
        examples: [
            .init("sbfs search soup tag:recipes", "two conditions"),
            .init("sbfs search '\"less salt\" OR pepper' --sort newest", "a phrase or a word"),
            .init("sbfs search --ids --all cats | sbfs tag add - animals", "change what was found"),
        ],
        run: { try SearchCommand($0).run() })
}

/// One run of `sbfs search`.
private struct SearchCommand {
    private let invocation: Invocation
    private let library: Library
    private let format: ItemFormat
    private let text: String
    private let parser: QueryParser
    private var request: ItemRequest

    private static let defaultLimit = 20
    /// The number of tags and collections shown with a table.
    private static let shownFacets = 10
    /// The columns that each of them may take.
    private static let facetColumns = 60

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        if invocation.positionals.joined().isEmpty { throw invocation.usage("search needs a query") }
        if invocation.has("all"), invocation.has("limit") { throw invocation.usage("say --all or --limit, not both") }
        format = try invocation.itemFormat()
        let order = try invocation.order(among: ItemRequest.Order.ofSearches) ?? .relevance
        let limit = try invocation.count("limit")
        library = try invocation.library()
        parser = try invocation.readQuery(invocation.positionals)
        text = parser.text
        request = ItemRequest(
            parser.query, order: order, invocation.has("reverse") ? .reversed : .forward,
            limit: invocation.has("all") ? nil : limit ?? Self.defaultLimit)
        request.findsCorrections = true
        if invocation.has("facets") { request.facets = [.tags, .collections, .types] }
        request.isExplained = invocation.has("explain")
        request.isFresh = invocation.has("fresh")
    }

    func run() throws -> ExitStatus {
        let answer = try invocation.withProgress("building the search index") { monitor in
            try library.find(request, monitor)
        }
        let faults = try show(answer)
        RowMemory.remember(answer.rows, of: library)
        tell(answer, faults)
        return answer.count == 0 ? .nothingFound : .done
    }

    private func show(_ answer: ItemAnswer) throws -> [String] {
        var printer = try invocation.printer(format)
        printer.active = parser.query.activeTags
        if format != .ids, format != .tsv {
            printer.highlighter = parser.query.highlighter
            printer.hits = Dictionary(answer.hits.map { ($0.row.id, $0) }) { first, _ in first }
        } else if request.isExplained {
            for hit in answer.hits {
                guard let explanation = hit.explanation else { continue }
                invocation.talk.warn("\(hit.row.id.short): \(ItemPrinter.sentence(explanation))")
            }
        }
        let faults = try printer.print(answer.rows)
        if let facets = answer.facets { try show(facets) }
        return faults
    }

    /// Writes counts to standard output in formats that can hold them, else to standard error.
    private func show(_ facets: Facets) throws {
        let lists = [
            ("Types", facets.types.map { (value: $0.value, count: $0.count) }),
            ("Tags", try spelt(facets.tags.filter { !TagList.isReserved($0.value) }, in: .tags)),
            ("Collections", try spelt(facets.collections, in: .collections)),
        ]
        if format == .ndjson {
            let members = lists.map { name, counts -> (String, JSON?) in
                let values = counts.map { count -> JSON in
                    .members([("value", .string(count.value)), ("count", .integer(count.count))])
                }
                return (name.lowercased(), .array(values))
            }
            let json = JSON.members([("facets", .members(members))])
            try invocation.output.write(Printable.json(json.oneLine + [0x0A]))
            return
        }
        for (name, counts) in lists where !counts.isEmpty {
            let shown = counts.prefix(Self.shownFacets).map { count in
                "\(TextWidth.cut(Printable.line(count.value), to: Self.facetColumns)) \(count.count)"
            }.joined(separator: ", ")
            let more = counts.count > Self.shownFacets ? ", and \(counts.count - Self.shownFacets) more" : ""
            if format == .table || format == .card {
                try invocation.output.line(invocation.style.bold(name) + "  " + shown + more)
            } else {
                invocation.talk.warn("\(name.lowercased()): \(shown)\(more)")
            }
        }
    }

    /// Counts with the names as the library spells them. Looks up only the names that are shown.
    private func spelt(_ counts: [Facets.Count], in folder: NamedFolder) throws -> [(value: String, count: Int)] {
        let shown = format == .ndjson ? counts[...] : counts.prefix(Self.shownFacets)
        let names = try library.spellings(of: shown.map(\.value), in: folder)
        return zip(names, shown).map { ($0, $1.count) }
            + counts.dropFirst(shown.count).map { ($0.value, $0.count) }
    }

    private func tell(_ answer: ItemAnswer, _ faults: [String]) {
        let talk = invocation.talk
        invocation.tell(answer.faults, faults)
        if answer.count == 0 {
            invocation.tellNothingFound(by: parser)
            if talk.isTerminal { talk.say("nothing matches \(text)") }
            if !answer.corrections.isEmpty {
                talk.say("did you mean: \(answer.corrections.joined(separator: "   or: "))")
            }
        } else if answer.count > answer.hits.count, talk.isTerminal || request.limit == Self.defaultLimit {
            talk.say("\(answer.hits.count) of \(answer.count) items; --all shows all")
        }
        if let caveat = answer.caveat { talk.say(caveat.wording) }
    }
}
