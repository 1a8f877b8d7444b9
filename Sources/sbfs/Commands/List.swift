import StuffBucket

extension Commands {
    static let list = Command(
        "list", .find, "List items, all or those that match", arguments: "[QUERY]…",
        details: """
            Shows pinned items first, then the latest changes. Rows are numbered: every other command takes @3 for the \
            third row of this terminal's last list. Items in the trash are shown only if the query asks for them: \
            trashcan, is:trashed or tag:trashcan. "sbfs help query" explains queries, "sbfs help output" the formats.
            """,
        options: listOptions,
        examples: [
            .init("sbfs list", "everything"),
            .init("sbfs list type:link tag:swift --sort newest --limit 20", "the latest links on Swift"),
            .init("sbfs list --ndjson | jq -r .linkURL", "all URLs"),
        ]
    ) { invocation in
        try runList(invocation, try invocation.readQuery(invocation.positionals), order: .overview)
    }

    static let recent = Command(
        "recent", .find, "List the items that changed last", arguments: "[QUERY]…",
        details: "The same as \"sbfs list --sort recent --limit 20\": pinned items have no place of their own here.",
        options: listOptions.filter { $0.name != Option.sort.name },
        examples: [
            .init("sbfs recent", "the last 20"), .init("sbfs recent type:snippet --limit 5", "the last five texts"),
        ]
    ) { invocation in
        try runList(invocation, try invocation.readQuery(invocation.positionals), order: .recent, limit: 20)
    }

    static let listOptions = [
        Option.sort, Option.reverse, Option.limit, Option.format, Option.json, Option.ndjson, Option.ids,
        Option.explain, Option.fresh,
    ]

    static func runList(
        _ invocation: Invocation, _ parsed: QueryParser, order: ItemRequest.Order, limit: Int? = nil
    ) throws -> ExitStatus {
        let format = try invocation.itemFormat()
        var request = ItemRequest(order: order)
        if let order = try invocation.order() { request.order = order }
        request.direction = invocation.has("reverse") ? .reversed : .forward
        request.limit = try invocation.count("limit") ?? limit
        request.isFresh = invocation.has("fresh")
        let library = try invocation.library()
        request.query = parsed.query
        var printer = try invocation.printer(format)
        printer.active = parsed.query.activeTags
        let listing = try library.find(request)
        let faults = try printer.print(listing.rows)
        RowMemory.remember(listing.rows, of: library)
        if listing.rows.isEmpty { invocation.tellNothingFound(by: parsed) }
        let trashedCount =
            listing.count == 0 && parsed.text.isEmpty && invocation.talk.isTerminal
            ? try library.find(ItemRequest(library.parse("is:trashed").query, limit: 0)).count : 0
        tell(listing, faults, parsed.text, trashedCount, invocation)
        return listing.rows.isEmpty && !parsed.text.isEmpty ? .nothingFound : .done
    }

    private static func tell(
        _ listing: ItemAnswer, _ faults: [String], _ text: String, _ trashedCount: Int, _ invocation: Invocation
    ) {
        invocation.tell(listing.faults, faults)
        if let caveat = listing.caveat { invocation.talk.say(caveat.wording) }
        if listing.count == 0, invocation.talk.isTerminal {
            invocation.talk.say(
                !text.isEmpty
                    ? "nothing matches \(text)"
                    : trashedCount > 0
                        ? "all items are in the trash (\(trashedCount)); \"sbfs list trashcan\" shows them, \"sbfs restore\" takes them out"
                        : "the library is empty; add something: sbfs add https://example.org, sbfs add FILE, sbfs new")
        } else if listing.count > listing.rows.count, invocation.talk.isTerminal {
            invocation.talk.say("\(listing.rows.count) of \(listing.count) items")
        }
    }
}

extension Invocation {
    /// The order from --sort.
    ///
    /// - Parameter orders: the orders that the command supports.
    func order(among orders: [ItemRequest.Order] = ItemRequest.Order.ofLists) throws -> ItemRequest.Order? {
        guard let name = value("sort") else { return nil }
        guard let order = ItemRequest.Order(rawValue: name), orders.contains(order) else {
            throw usage("--sort must be one of \(orders.map(\.rawValue).joined(separator: ", ")), not \"\(name)\"")
        }
        return order
    }
}

extension ItemRequest.Order {
    /// The orders of a list. Without words there is no relevance.
    static let ofLists = allCases.filter { $0 != .relevance }
    /// The orders of a search.
    static let ofSearches = allCases.filter { $0 != .overview }
}
