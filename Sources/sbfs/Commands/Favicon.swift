import StuffBucket

extension Commands {
    static let favicon = Command(
        "favicon", .keep, "Save the icons of sites", arguments: "[ITEM…]",
        details: """
            Saves the icon that the link's own site names, as assets/…, beside the page. sbfs asks no other site. \
            Saving a page does this as well. --missing selects every link without an icon; sbfs asks each site once.
            """,
        options: [Option.query, Option("missing", "every link without an icon")] + captureOptions + [
            Option.yes, Option.dryRun,
        ],
        examples: [.init("sbfs favicon --missing", "for all links that have none")]
    ) { invocation in
        let library = try invocation.library()
        let rows = try rows(library, invocation)
        var options = try invocation.archiveOptions()
        var sites: [(site: String, url: String, rows: [Row])] = []
        var places: [String: Int] = [:]
        for row in rows {
            guard let url = (try? library.item(row))?.item.linkURL else { continue }
            let site = url.split(separator: "/", maxSplits: 2).prefix(2).joined(separator: "//")
            if let place = places[site] {
                sites[place].rows.append(row)
            } else {
                places[site] = sites.count
                sites.append((site, url, [row]))
            }
        }
        if invocation.isDryRun {
            for site in sites {
                invocation.talk.say(
                    "would ask \(site.site) for \(site.rows.count) item\(site.rows.count == 1 ? "" : "s")")
            }
            return .done
        }
        try invocation.refuseOffline()
        let progress = Progress("icons", total: sites.count, talk: invocation.talk)
        let worker = try WorkerProgram.worker()
        defer { worker.end() }
        var found = 0
        for (number, site) in sites.enumerated() {
            options.isTyped = try !invocation.positionals.isEmpty && library.isTyped(library.item(site.rows[0]))
            do {
                if try invocation.step().saveFavicon(ofSite: site.url, into: site.rows, options, worker) { found += 1 }
            } catch {
                progress.clear()
                invocation.talk.warn("\(site.site): \(error)")
            }
            progress.show(number + 1)
        }
        progress.clear()
        invocation.talk.say("\(found) of \(sites.count) site\(sites.count == 1 ? " has" : "s have") an icon")
        return found == sites.count ? .done : found > 0 ? .partlyDone : .nothingFound
    }

    private static func rows(_ library: Library, _ invocation: Invocation) throws -> [Row] {
        guard invocation.has("missing") else { return try invocation.items(invocation.positionals).rows }
        guard invocation.positionals.isEmpty, invocation.value("query") == nil else {
            throw invocation.usage("give items or --missing, not both")
        }
        var request = ItemRequest(library.parse("has:link").query, order: .oldest)
        request.isFresh = true
        let rows = try library.find(request).rows.filter { (try? library.item($0))?.item.favicon == nil }
        if rows.isEmpty { throw CommandFailure(.nothingFound, "every link has an icon") }
        return rows
    }
}
