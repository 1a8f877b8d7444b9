import StuffBucket

extension Commands {
    static let checkLinks = Command(
        "check-links", .care, "Find dead links", arguments: "[ITEM…]",
        details: """
            Asks each link's server (HEAD, then GET if the server refuses HEAD), 16 at a time and one at a time for \
            each site. valid: it answered with 200 to 399. dead: not found, gone, or no such host. unknown: no answer \
            in time, a login, or a server that refuses programs. The result is stored in the item; "sbfs list is:dead" \
            lists dead links. Without items, checks all links that are not in the trash.
            """,
        options: [
            Option.query, Option("timeout", value: "SECONDS", "time for one answer (10)"),
            Option("allow-private", "check links to private addresses too"), Option.yes, Option.dryRun,
            Option("json", "print one object a line, as each link is checked"),
        ],
        examples: [
            .init("sbfs check-links", "all links"), .init("sbfs check-links -q 'site:example.org'", "those of a site"),
            .init("sbfs list is:dead", "the dead ones"),
        ]
    ) { invocation in
        let library = try invocation.library()
        let rows = try rows(library, invocation)
        var urls: [(row: Row, url: String)] = []
        for row in rows {
            if let url = (try? library.item(row))?.item.linkURL { urls.append((row, url)) }
        }
        if urls.isEmpty { throw CommandFailure(.nothingFound, "there is no link to check") }
        if invocation.isDryRun {
            for (row, url) in urls { invocation.talk.say("would check \(row.id.short)  \(url)") }
            return .done
        }
        try invocation.refuseOffline()
        return try check(urls, library, invocation)
    }

    private static func rows(_ library: Library, _ invocation: Invocation) throws -> [Row] {
        if !invocation.positionals.isEmpty || invocation.value("query") != nil {
            return try invocation.items(invocation.positionals).rows
        }
        var request = ItemRequest(library.parse("has:link").query, order: .oldest)
        request.isFresh = true
        return try library.find(request).rows
    }

    private static func check(
        _ urls: [(row: Row, url: String)], _ library: Library, _ invocation: Invocation
    ) throws -> ExitStatus {
        var options = try invocation.archiveOptions()
        options.isTyped = try isTyped(urls, library, invocation)
        let seconds = try invocation.count("timeout") ?? 10
        var counts: [Item.LinkStatus: Int] = [:]
        var failures = 0
        let progress = Progress("checking", total: urls.count, talk: invocation.talk)
        let worker = try WorkerProgram.worker()
        defer { worker.end() }
        try invocation.step().checkLinks(urls, options, within: seconds, worker) { index, finding, fault in
            counts[finding.status, default: 0] += 1
            if let fault {
                failures += 1
                invocation.talk.warn("\(fault)")
            }
            if invocation.has("json") || finding.status != .valid || finding.movedTo != nil {
                progress.clear()
                tell(finding, urls[index], invocation)
            }
            progress.show(counts.values.reduce(0, +))
        }
        progress.clear()
        let sentence = [Item.LinkStatus.valid, .dead, .unknown].map { "\(counts[$0] ?? 0) \($0.rawValue)" }
        invocation.talk.say(sentence.joined(separator: ", "))
        return failures == 0 ? .done : .partlyDone
    }

    /// A single link that a person named now and no import brought may be a private one.
    private static func isTyped(
        _ urls: [(row: Row, url: String)], _ library: Library, _ invocation: Invocation
    ) throws -> Bool {
        guard urls.count == 1, !invocation.positionals.isEmpty else { return false }
        return try library.isTyped(library.item(urls[0].row))
    }

    private static func tell(
        _ finding: LinkFinding, _ link: (row: Row, url: String), _ invocation: Invocation
    ) {
        if invocation.has("json") {
            let json = JSON.members([
                ("id", .string(link.row.id.description)), ("url", .string(link.url)),
                ("linkStatus", .string(finding.status.rawValue)), ("status", finding.httpStatus.map(JSON.integer)),
                ("movedTo", finding.movedTo.map(JSON.string)),
                ("blocked", finding.isBlocked ? .bool(true) : nil), ("error", finding.wording.map(JSON.string)),
            ])
            try? invocation.output.write(Printable.json(json.oneLine) + [0x0A])
            return
        }
        let why = finding.wording ?? finding.httpStatus.map { "\($0)" } ?? ""
        let moved = finding.movedTo.map { ", moved to \($0)" } ?? ""
        try? invocation.output.line(
            "\(link.row.id.short)  \(finding.status.rawValue)  \(Printable.line(link.url))"
                + Printable.line(why.isEmpty && moved.isEmpty ? "" : "  (\(why)\(moved))"))
    }
}
