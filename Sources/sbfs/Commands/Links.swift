import Glibc
import Items
internal import JSONFormat
import StuffBucket
import Work

extension Commands {
    static let links = Command(
        "links", .find, "List the links of a saved page", arguments: "ITEM",
        details:
            "Each link of the saved page once, in its order, with its text. --article takes those of the article only.",
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
        let files = try library.store.archiveFiles(of: stored)
        let name = invocation.has("article") ? Layout.readerFile : Layout.pageFile
        guard (invocation.has("article") ? files.reader : files.page) != nil else {
            throw CommandFailure(
                .nothingFound,
                "the page of \(stored.id.short) is not saved; \"sbfs archive \(stored.id.short)\" saves it")
        }
        let worker = try CaptureWorker()
        defer { worker.end() }
        let path = FileOfPerson.absolute(library.path) + "/" + stored.folder + "/" + name
        let order = JSON.members([
            ("do", .string("links")), ("file", .string(path)), ("url", .string(stored.item.linkURL ?? "about:blank")),
        ])
        let links = try worker.run(order, within: 30).objects("links")
        if invocation.has("json") {
            let objects = links.map { link in
                JSON.members([
                    ("url", link.string("url").map(JSON.string)), ("text", link.string("text").map(JSON.string)),
                ])
            }
            try invocation.output.write(Printable.json(JSONWriter.file(.array(objects))))
        } else {
            for link in links {
                let url = Printable.line(link.string("url") ?? "")
                let text = Printable.line(link.string("text") ?? "")
                let line = invocation.has("urls") || text.isEmpty ? url : url + "\t" + text
                try invocation.output.line(line)
            }
        }
        return links.isEmpty ? .nothingFound : selection.status
    }
}
