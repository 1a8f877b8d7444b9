import Glibc
import StuffBucket

extension Commands {
    static let links = Command(
        "links", .find, "List the links of a saved page", arguments: "ITEM",
        details:
            "Lists each link of the saved page once, in order, with its text. --article lists only those of the article.",
        options: [
            Option("article", "links within the article"), Option.query, Option.json, Option("urls", "URLs alone"),
        ],
        examples: [
            .init("sbfs links @1", "where a page leads"),
            .init("sbfs links @1 --article --urls | sbfs add --input -", "keep all that an article links to"),
        ]
    ) { invocation in
        let selection = try invocation.itemsToShow(invocation.positionals)
        let stored = try selection.first()
        let library = selection.library
        let part: SavedPart = invocation.has("article") ? .article : .page
        guard try library.has(part, stored) else {
            throw CommandFailure(
                .nothingFound,
                "the page of \(stored.id.short) is not saved; \"sbfs archive \(stored.id.short)\" saves it")
        }
        var path: String?
        if part == .article ? !stored.hasReader : !stored.hasPage {
            let found = try ExchangeFiles(library, invocation.talk).path(part == .article ? .reader : .page, of: stored)
            guard let copy = found.path else {
                let why = found.why ?? ArchiveWords.unavailable(Layout.pageFile, of: stored, library)
                throw CommandFailure(.failed, "\(stored.id.short): \(why)")
            }
            path = copy
        }
        let worker = try WorkerProgram.worker()
        defer { worker.end() }
        let links = try library.links(in: part, of: stored, at: path, worker)
        if invocation.has("json") {
            let objects = links.map { link in
                JSON.members([("url", .string(link.url)), ("text", link.text.isEmpty ? nil : .string(link.text))])
            }
            try invocation.output.write(Printable.json(JSON.array(objects).file))
        } else {
            for link in links {
                let url = Printable.line(link.url)
                let text = Printable.line(link.text)
                let line = invocation.has("urls") || text.isEmpty ? url : url + "\t" + text
                try invocation.output.line(line)
            }
        }
        return links.isEmpty ? .nothingFound : selection.status
    }
}
