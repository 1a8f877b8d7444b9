internal import Time
internal import URLs

/// Chooses the day of publication.
struct DateChoice {
    let tree: PageTree
    let hints: [Hints]
    let tags: MetaTags
    let data: StructuredData
    let url: String
    let reading: DateReading

    func published() -> FoundDate? {
        if let text = data.published, let found = reading.first(in: text.utf8) { return found }
        for key in Self.publishedKeys {
            for text in tags.all(key) {
                if let found = reading.first(in: text.utf8) { return found }
            }
        }
        if let found = marked() { return found }
        if let found = reading.first(in: url.utf8) { return found }
        return visible()
    }

    private static let publishedKeys = [
        "article:published_time", "og:article:published_time", "datepublished", "article:published",
        "article.published", "og:published_time",
        "pubdate", "publishdate", "publish-date", "publish_date", "publication_date", "published-date",
        "published_time", "publishtime",
        "parsely-pub-date", "sailthru.date", "dc.date.issued", "dcterms.issued", "dc.date", "dcterms.date",
        "dc.date.created", "dcterms.created",
        "dc:date", "date", "article_date_original", "originalpublicationdate", "citation_publication_date",
        "citation_date",
        "citation_online_date", "cxenseparse:recs:publishtime", "cxenseparse:publishtime", "bt:pubdate", "datecreated",
        "dcterms.available",
        "release_date", "created", "rnews:datepublished", "vr:published_time", "og:pubdate", "article:create_at",
        "last-modified",
    ]

    /// Dates in `time` elements and elements named for a date.
    private func marked() -> FoundDate? {
        var times: [FoundDate] = []
        var index = 0
        while index < tree.nodes.count {
            let node = tree.nodes[index]
            if node.tag == .text {
                index += 1
                continue
            }
            if hints[index].contains(.comments) {
                index = Int(node.end)
                continue
            }
            if let property = tree.value(index, .itemprop), property.elementsEqual("datePublished".utf8),
                let found = date(of: index)
            {
                return found
            }
            if node.tag == .time, times.count < 8, let found = date(of: index) { times.append(found) }
            if hints[index].contains(.date), Int(node.end) - index < 12, times.count < 8, let found = date(of: index) {
                times.append(found)
            }
            index += 1
        }
        return times.first
    }

    private func date(of node: Int) -> FoundDate? {
        for name in [AttributeName.datetime, .content, .dataDatetime, .dataDate, .title] {
            if let value = tree.value(node, name), let found = reading.first(in: value) { return found }
        }
        return reading.first(in: tree.collapsedText(node, limit: 200))
    }

    /// The first date in the visible text.
    private func visible() -> FoundDate? {
        var index = 0
        while index < tree.nodes.count {
            let node = tree.nodes[index]
            if Tag.traits[Int(node.tag.rawValue)].contains(.unrendered) {
                index = Int(node.end)
                continue
            }
            if node.tag == .text, node.stop - node.start >= 6, node.stop - node.start < 400,
                tree.bytes(index).contains(where: isDigit), let found = reading.first(in: tree.bytes(index))
            {
                return found
            }
            index += 1
        }
        return nil
    }
}
