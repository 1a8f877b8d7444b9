import Items
internal import JSONFormat
import Search
import StuffBucket

extension Commands {
    static let tags = countCommand(
        "tags", "List tags with how many items have them",
        examples: [.init("sbfs tags", "all tags"), .init("sbfs tags type:link", "tags of links")], isCollection: false)

    static let collections = countCommand(
        "collections", "List collections with how many items are in them",
        examples: [.init("sbfs collections", "all collections, those that are nested too")], isCollection: true)

    private static func countCommand(
        _ name: String, _ summary: String, examples: [Command.Example], isCollection: Bool
    ) -> Command {
        Command(
            name, .find, summary, arguments: "[QUERY]…",
            details: """
                Counts items that match the query, or all that are not in the trash; most frequent first. A collection \
                counts what is nested in it too.
                """,
            options: [
                Option("limit", short: "l", value: "N", "show at most N"),
                Option("json", "print one array of {\"name\", \"count\"}"), Option.fresh,
            ],
            examples: examples
        ) { invocation in
            let library = try invocation.library()
            let text = invocation.positionals.joined(separator: " ")
            var search = LibrarySearch(library.parse(text).query)
            search.limit = 1
            search.order = .recent
            search.facets = isCollection ? [.collections] : [.tags]
            search.isFresh = invocation.has("fresh")
            let answer = try invocation.withProgress("making the search index") { progress in
                try library.search(search, progress: progress)
            }
            guard let facets = answer.facets else {
                throw CommandFailure(.failed, "there is no search index now, and none could be made")
            }
            var counts = isCollection ? facets.collections : facets.tags.filter { !TagList.isReserved($0.value) }
            if let limit = try invocation.count("limit") { counts = Array(counts.prefix(limit)) }
            let spellings = try library.spellings(of: counts.map(\.value), isCollection: isCollection)
            let named = zip(spellings, counts).map { ($0, $1.count) }
            if invocation.has("json") {
                let objects = named.map { JSON.members([("name", .string($0.0)), ("count", .integer($0.1))]) }
                try invocation.output.write(Printable.json(JSONWriter.file(.array(objects))))
            } else {
                for (name, count) in named { try invocation.output.line("\(count)\t\(Printable.field(name))") }
            }
            if let staleness = answer.staleness { invocation.talk.say(staleness) }
            return named.isEmpty && !text.isEmpty ? .nothingFound : .done
        }
    }
}
