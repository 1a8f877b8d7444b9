import StuffBucket

extension Commands {
    static let tags = Command(
        "tags", .find, "List tags with how many items have them", arguments: "[QUERY]…",
        details: """
            Counts the items that match the query, or all that are not in the trash; most frequent first. "sbfs tag \
            colour" gives a tag a colour.
            """,
        options: countOptions(of: "{\"name\", \"count\", \"colour\"}"),
        examples: [.init("sbfs tags", "all tags"), .init("sbfs tags type:link", "tags of links")]
    ) { invocation in
        let (library, answer, facets, text) = try counted(invocation, [.tags])
        var counts = facets.tags.filter { !TagList.isReserved($0.value) }
        if let limit = try invocation.count("limit") { counts = Array(counts.prefix(limit)) }
        let looks = invocation.has("json") || invocation.style.isColored ? Looks(library) : Looks.none
        let spellings = try library.spellings(of: counts.map(\.value), in: .tags)
        let named = zip(spellings, counts).map { (name: $0, count: $1.count) }
        if invocation.has("json") {
            let objects = named.map { tag in
                JSON.members([
                    ("name", .string(tag.name)), ("count", .integer(tag.count)),
                    ("colour", looks.colour(ofTag: tag.name).map { .string($0.text) }),
                ])
            }
            try invocation.output.write(Printable.json(JSON.array(objects).file))
        } else {
            for (name, count) in named {
                let field = Printable.field(name)
                let shown = looks.colour(ofTag: name).map { invocation.style.tag(field, $0) } ?? field
                try invocation.output.line("\(count)\t\(shown)")
            }
        }
        if let caveat = answer.caveat { invocation.talk.say(caveat.wording) }
        return named.isEmpty && !text.isEmpty ? .nothingFound : .done
    }

    static let collections = Command(
        "collections", .find, "List collections with how many items are in them", arguments: "[QUERY]…",
        details: """
            Counts the items that match the query, or all that are not in the trash. A count includes nested \
            collections; if the number of items directly in a collection differs, it follows. Collections with an \
            order come first among their siblings, then the others by name. Without a query, empty collections are \
            listed too.

            In a pipe: count, name and direct count, separated by tabs.
            """,
        options: countOptions(of: "{\"name\", \"count\", \"directCount\", \"colour\", \"icon\", \"order\"}"),
        examples: [
            .init("sbfs collections", "all collections, with those that are nested in them"),
            .init("sbfs collections type:link", "where links are"),
        ]
    ) { invocation in
        let (library, answer, facets, text) = try counted(invocation, [.collections, .tags])
        var rows = try CollectionRow.rows(facets, library, withEmpty: text.isEmpty)
        if let limit = try invocation.count("limit") { rows = Array(rows.prefix(limit)) }
        if invocation.has("json") {
            try invocation.output.write(Printable.json(JSON.array(rows.map(\.json)).file))
        } else if try invocation.itemFormat() == .table {
            let width = rows.map { "\($0.count)".count }.max() ?? 0
            for row in rows { try invocation.output.line(row.shown(invocation.style, width: width)) }
        } else {
            for row in rows {
                try invocation.output.line("\(row.count)\t\(Printable.field(row.name))\t\(row.directCount)")
            }
        }
        if let caveat = answer.caveat { invocation.talk.say(caveat.wording) }
        return rows.isEmpty && !text.isEmpty ? .nothingFound : .done
    }

    private static func countOptions(of members: String) -> [Option] {
        [
            Option("limit", short: "l", value: "N", "show at most N"), Option("json", "print one array of \(members)"),
            Option.fresh,
        ]
    }

    private static func counted(
        _ invocation: Invocation, _ kinds: Set<Facets.Kind>
    ) throws -> (library: Library, answer: ItemAnswer, facets: Facets, text: String) {
        let library = try invocation.library()
        let parsed = try invocation.readQuery(invocation.positionals)
        let text = parsed.text
        var request = ItemRequest(parsed.query, order: .recent, limit: 1)
        request.facets = kinds
        request.isFresh = invocation.has("fresh")
        let answer = try invocation.withProgress("building the search index") { monitor in
            try library.find(request, monitor)
        }
        guard let facets = answer.facets else {
            throw CommandFailure(.failed, "there is no search index, and sbfs could not build one")
        }
        return (library, answer, facets, text)
    }
}
