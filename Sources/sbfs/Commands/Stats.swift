import Items
internal import JSONFormat
import Search
import StuffBucket

extension Commands {
    static let stats = Command(
        "stats", .care, "Count what is in the library",
        details: """
            Items by kind, trash, tags and collections, the size of the search index, and when it was last compared with \
            the files.
            """,
        options: [Option("json", "print one JSON object"), Option.fresh],
        examples: [.init("sbfs stats", "how much there is")]
    ) { invocation in
        let library = try invocation.library()
        var search = LibrarySearch(.everything)
        search.limit = 1
        search.order = .recent
        search.facets = [.types, .tags, .collections]
        search.isFresh = invocation.has("fresh")
        let answer = try invocation.withProgress("making the search index") { progress in
            try library.search(search, progress: progress)
        }
        var trash = LibrarySearch(.filter(.state(.trashed)))
        trash.limit = 1
        let trashed = try library.search(trash).count
        let index = try library.indexStatistics()
        let facets = answer.facets
        func count(_ kind: Item.Kind) -> Int { facets?.types.first { $0.value == kind.rawValue }?.count ?? 0 }
        let rows: [(key: String, name: String, count: Int)] = [
            ("items", "items", answer.count), ("snippets", "snippets", count(.snippet)),
            ("links", "links", count(.link)),
            ("documents", "documents", count(.document)), ("trashed", "in the trash", trashed),
            ("tags", "tags", facets?.tags.count { !TagList.isReserved($0.value) } ?? 0),
            ("collections", "collections", facets?.collections.count ?? 0),
            ("unreadable", "that cannot be read", answer.faults.count),
        ]
        if invocation.has("json") {
            let members = rows.map { ($0.key, JSON?.some(.integer($0.count))) }
            let derived = index.map { index in
                JSON.members([
                    ("path", .string(index.path)), ("byteCount", .integer(index.byteCount)),
                    ("documents", .integer(index.documentCount)), ("segments", .integer(index.segmentCount)),
                    ("sweptAt", index.sweptAt.map { .string($0.rfc3339) }),
                ])
            }
            try invocation.output.write(Printable.json(JSONWriter.file(.members(members + [("index", derived)]))))
            return .done
        }
        for row in rows { try invocation.output.line("\(row.count)\t\(row.name)") }
        if let index {
            try invocation.output.line(
                "\(ByteCount.text(index.byteCount))\tsearch index, \(Printable.field(index.path))")
            if let sweptAt = index.sweptAt {
                try invocation.output.line("\(sweptAt.localDate) \(sweptAt.localTime)\tlast compared with the files")
            }
        }
        if let staleness = answer.staleness { invocation.talk.say(staleness) }
        return .done
    }
}
