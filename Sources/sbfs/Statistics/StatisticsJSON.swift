import StuffBucket

/// Statistics as data.
enum StatisticsJSON {
    static func totals(_ statistics: LibraryStatistics) -> [(key: String, name: String, count: Int)] {
        func kind(_ name: String) -> Int { statistics.kinds.first { $0.name == name }?.count ?? 0 }
        return [
            ("items", "items", statistics.items), ("snippets", "snippets", kind("snippet")),
            ("links", "links", kind("link")), ("documents", "documents", kind("document")),
            ("trashed", "in the trash", statistics.trashed), ("tags", "tags", statistics.tags.count),
            ("collections", "collections", statistics.collections.count),
            ("unavailable", "unavailable", statistics.archives.first { $0.name == "unavailable" }?.count ?? 0),
            ("unreadable", "that cannot be read", statistics.faults.count),
        ]
    }

    static func json(_ statistics: LibraryStatistics, _ index: Library.IndexStatistics?) -> JSON {
        func list(_ counts: [LibraryStatistics.Count]) -> JSON {
            .array(counts.map { .members([("name", .string($0.name)), ("count", .integer($0.count))]) })
        }
        let lists = [
            ("byMonth", statistics.months), ("byTag", statistics.tags), ("byCollection", statistics.collections),
            ("bySite", statistics.sites), ("bySource", statistics.sources), ("byArchiveStatus", statistics.archives),
            ("byLinkStatus", statistics.checks),
        ]
        let sizes = statistics.sizes.map { sizes in
            JSON.members(
                SizeStatistics.Part.allCases.map { ($0.rawValue, JSON?.some(.integer(sizes.parts[$0]?.bytes ?? 0))) }
                    + [
                        (
                            "largest",
                            .array(
                                sizes.largest.map {
                                    .members([("id", .string($0.id.description)), ("bytes", .integer($0.bytes))])
                                })
                        )
                    ])
        }
        let derived = index.map { index in
            JSON.members([
                ("path", .string(index.path)), ("byteCount", .integer(index.byteCount)),
                ("documents", .integer(index.documentCount)), ("segments", .integer(index.segmentCount)),
                ("sweptAt", index.sweptAt.map { .string($0.rfc3339) }),
            ])
        }
        return .members(
            totals(statistics).map { ($0.key, JSON?.some(.integer($0.count))) }
                + lists.map { ($0.0, JSON?.some(list($0.1))) } + [("bytes", sizes), ("index", derived)])
    }
}
