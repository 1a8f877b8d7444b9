import StuffBucket

extension Commands {
    static let stats = Command(
        "stats", .care, "Count what is in the library", arguments: "[QUERY]…",
        details: """
            Counts items by kind, month, tag, collection, site and state of the saved page, with bars on a terminal; \
            in a pipe one count a line. Counts what matches the query, or everything that is not in the trash. --sizes \
            measures all files. --html writes a page with charts and sizes that needs neither script nor network.
            """,
        options: [
            Option("sizes", "show the size of items, and the largest ones"),
            Option("html", value: "FILE", "write a page with charts instead"),
            Option("json", "print one JSON object"), Option.fresh,
        ],
        examples: [
            .init("sbfs stats", "how much there is"), .init("sbfs stats type:link", "of links alone"),
            .init("sbfs stats --html stats.html", "as a page"),
        ]
    ) { invocation in
        let library = try invocation.library()
        let parsed = try invocation.readQuery(invocation.positionals)
        let text = parsed.text
        var options: CountOptions = invocation.has("fresh") ? .fresh : []
        if invocation.has("sizes") || invocation.has("html") { options.insert(.sizes) }
        let statistics = try invocation.withProgress("counting") { monitor in
            try library.statistics(parsed.query, options, monitor)
        }
        guard let statistics else {
            throw CommandFailure(.failed, "there is no search index, and sbfs could not build one")
        }
        invocation.tell(statistics.faults)
        if let path = invocation.value("html") {
            try invocation.refuseOwnFiles(path, library)
            let file = try OutputFile(path)
            let page = StatisticsPage(statistics, name: library.settings.name, query: text)
            try file.write(Array(page.html.utf8))
            try file.finish()
            invocation.talk.say("wrote \(path)")
        } else if invocation.has("json") {
            let json = StatisticsJSON.json(statistics, try library.indexStatistics())
            try invocation.output.write(Printable.json(json.file))
        } else if Terminal.isOutput {
            let table = StatisticsTable(statistics, invocation.style, columns: Terminal.columns)
            for line in table.lines() { try invocation.output.line(line) }
        } else {
            try printPlain(statistics, library, invocation)
        }
        if let caveat = statistics.caveat { invocation.talk.say(caveat.wording) }
        return statistics.items == 0 && !text.isEmpty ? .nothingFound : .done
    }

    private static func printPlain(
        _ statistics: LibraryStatistics, _ library: Library, _ invocation: Invocation
    ) throws {
        for row in StatisticsJSON.totals(statistics) { try invocation.output.line("\(row.count)\t\(row.name)") }
        if let sizes = statistics.sizes {
            for part in SizeStatistics.Part.allCases {
                try invocation.output.line("\(sizes.parts[part]?.bytes ?? 0)\tbytes of \(part.phrase)")
            }
        }
        guard let index = try library.indexStatistics() else { return }
        try invocation.output.line("\(ByteCount.text(index.byteCount))\tsearch index, \(Printable.field(index.path))")
        if let sweptAt = index.sweptAt {
            try invocation.output.line("\(sweptAt.localDate) \(sweptAt.localTime)\tlast compared with the files")
        }
    }
}
