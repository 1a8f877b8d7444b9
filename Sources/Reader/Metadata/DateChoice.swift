import Characters
internal import Glibc
internal import HTML
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
    let language: String?
    /// Whether the page names an author.
    let hasAuthor: Bool
    /// The decoded page, for dates in the data of its scripts.
    let page: [UInt8]

    /// The day of publication in the time zone of the page.
    ///
    /// An instant in UTC may be on the day before or after. If the address or the page itself shows the neighbouring
    /// day, that day is meant.
    func published() -> FoundDate? {
        let declared = declared()
        guard let found = declared ?? undeclared() else { return nil }
        // A page was public on the day that it shows. A later day in its data is often that of a new program for the site.
        if let shown = shownDate(), shown.date != found.date,
            isClose(shown, found) || declared != nil && shown.date < found.date
        {
            return FoundDate(date: shown.date, instant: nil, place: 0)
        }
        guard let instant = found.instant, instant.hasSuffix("Z") || instant.hasSuffix("00:00") else { return found }
        let shown = [reading.first(in: url.utf8)].compactMap(\.self) + nearHeading()
        if shown.contains(where: { $0.date == found.date }) { return found }
        if isLocalMidnight(instant) {
            return FoundDate(date: found.date.adding(days: 1), instant: nil, place: 0)
        }
        return shown.first { abs($0.date.dayNumber - found.date.dayNumber) == 1 }
            .map { FoundDate(date: $0.date, instant: nil, place: 0) } ?? found
    }

    /// Whether the page is a piece that somebody wrote.
    private var isWritten: Bool { data.isArticle || hasAuthor }

    private func undeclared() -> FoundDate? {
        if DatelessPage(tree: tree, tags: tags, data: data, url: url).isOne { return nil }
        let others = RepeatedDates.nodes(in: tree, reading)
        return marked(anywhere: false, without: others) ?? reading.first(in: url.utf8) ?? scripted()
            ?? visible(anywhere: false, without: others) ?? marked(anywhere: true, without: others)
            ?? visible(anywhere: true, without: others) ?? changed()
    }

    /// Midnight in central Europe, written in UTC, means the day that begins.
    private func isLocalMidnight(_ instant: String) -> Bool {
        let european = ["de", "fr", "it", "es", "pl", "nl", "cs", "sk", "da", "sv", "nb", "no", "hu", "sl", "hr"]
        let time = instant.utf8.dropFirst(11).prefix(8)
        return (time.elementsEqual("23:00:00".utf8) || time.elementsEqual("22:00:00".utf8))
            && european.contains(String((language ?? "").lowercased().prefix(2)))
    }

    /// A date in the data for scripts of the page.
    private func scripted() -> FoundDate? {
        let others = data.publishedOfOthers.compactMap { reading.first(in: $0.utf8)?.date }
        for key in Self.scriptKeys {
            var days: Set<CalendarDate> = []
            var found: FoundDate?
            for date in values(behind: key) where !others.contains(date.date) {
                days.insert(date.date)
                found = found ?? date
            }
            // Several days are of several things.
            if days.count == 1 { return found }
        }
        return nil
    }

    private static let valueLimit = 50

    /// The dates right behind each place of a key.
    private func values(behind key: [UInt8]) -> [FoundDate] {
        page.withUnsafeBytes { memory in
            guard let start = memory.baseAddress else { return [] }
            var found: [FoundDate] = []
            var place = 0
            while found.count < Self.valueLimit, let hit = Self.find(key, start + place, memory.count - place) {
                place = start.distance(to: UnsafeRawPointer(hit)) + key.count
                let behind = memory[place..<min(memory.count, place + 40)]
                if let date = reading.first(in: behind), date.place < 8 { found.append(date) }
            }
            return found
        }
    }

    /// The first place of a word in memory. `memchr` finds its first byte, a quote or a letter.
    private static func find(_ word: [UInt8], _ start: UnsafeRawPointer, _ count: Int) -> UnsafeRawPointer? {
        guard let first = word.first else { return nil }
        var place = start
        let end = start + count
        while let hit = memchr(place, Int32(first), place.distance(to: end)) {
            let found = UnsafeRawPointer(hit)
            if found.distance(to: end) < word.count { return nil }
            if memcmp(found, word, word.count) == 0 { return found }
            place = found + 1
        }
        return nil
    }

    private static let scriptKeys: [[UInt8]] =
        [
            "datePublished", "published_at", "publishedAt", "publishingDate", "PublishingDate", "publishDate",
            "publish_date", "publicationDate",
            "publication_date", "published_time",
        ].map { Array("\"\($0)\"".utf8) } + [Array("PublishingDate\"".utf8)]

    /// The first dates that the page shows after its heading.
    private func nearHeading() -> [FoundDate] {
        var found: [FoundDate] = []
        guard let heading = tree.nodes.indices.first(where: { tree.nodes[$0].tag == .h1 }) else { return [] }
        var index = max(0, heading - 20)
        var lines = 0
        while index < tree.nodes.count, lines < 40, found.count < 3 {
            let node = tree.nodes[index]
            if Tag.traits[Int(node.tag.rawValue)].contains(.unrendered) {
                index = Int(node.end)
                continue
            }
            if node.tag == .text, node.stop - node.start > 3 {
                lines += 1
                if node.stop - node.start < 200, let date = reading.first(in: tree.bytes(index)) { found.append(date) }
            }
            index += 1
        }
        return found
    }

    /// Within a week, two dates belong to one publication: draft and release, or different time zones.
    private func isClose(_ one: FoundDate, _ other: FoundDate) -> Bool {
        abs(one.date.dayNumber - other.date.dayNumber) <= 8
    }

    /// The first date beside the heading in an element for dates: the date that readers see.
    private func shownDate() -> FoundDate? {
        guard let heading = tree.nodes.indices.first(where: { tree.nodes[$0].tag == .h1 }) else { return nil }
        var index = max(0, heading - 20)
        let stop = min(tree.nodes.count, Int(tree.nodes[heading].end) + 50)
        while index < stop {
            let node = tree.nodes[index]
            if node.tag != .text {
                if Tag.traits[Int(node.tag.rawValue)].contains(.unrendered) || isElsewhere(index, node) {
                    index = Int(node.end)
                    continue
                }
                if node.tag == .time || (hints[index].contains(.date) && Int(node.end) - index < 12),
                    let found = reading.first(in: tree.collapsedText(index, limit: 200)),
                    DateLine(index, found, tree, reading).meaning != .other
                {
                    return found
                }
            }
            index += 1
        }
        return nil
    }

    private func declared() -> FoundDate? {
        let tag = tags.first("article:published_time").flatMap { reading.first(in: $0.utf8) }
        if let text = data.published, let found = reading.first(in: text.utf8) {
            // The data often contain the date of the draft. The tag is for sharing the page.
            return tag.flatMap { isClose($0, found) ? $0 : nil } ?? found
        }
        for key in Self.publishedKeys {
            for text in tags.all(key) {
                if let found = reading.first(in: text.utf8) { return found }
            }
        }
        return hasAuthor ? data.publishedAsPage.flatMap { reading.first(in: $0.utf8) } : nil
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
        "release_date", "created", "published", "rnews:datepublished", "vr:published_time", "og:pubdate",
        "article:create_at",
    ]

    /// The last change of a page that somebody wrote, or that says it is an article: it is often on the same day.
    private func changed() -> FoundDate? {
        guard isWritten || tags.first("og:type") == "article",
            let text = tags.first("last-modified", "dcterms.modified", "article:modified_time") ?? data.modified
        else { return nil }
        return reading.first(in: text.utf8)
    }

    /// Whether a node is about other pages, or about the readers of this page.
    ///
    /// - Parameter anywhere: whether navigation, side columns and the foot count all the same, as the page's own.
    private func isElsewhere(_ index: Int, _ node: PageTree.Node, _ anywhere: Bool = false) -> Bool {
        if anywhere {
            return !hints[index].isDisjoint(with: [.comments, .related, .widget]) && node.tag != .body
                && node.tag != .article && Int(node.end) - index < max(20, tree.nodes.count / 3)
        }
        if node.tag == .nav || node.tag == .aside || node.tag == .footer {
            return Int(node.end) - index < max(20, tree.nodes.count / 3)
        }
        if hints[index].isDisjoint(with: [.comments, .related, .navigation, .sidebar, .teaser, .footer]) {
            return false
        }
        return node.tag != .body && node.tag != .article && Int(node.end) - index < max(20, tree.nodes.count / 3)
    }

    /// The dates in `time` elements and elements named for a date. Those after the heading come first.
    private func marked(anywhere: Bool, without others: Set<Int>) -> FoundDate? {
        var early: FoundDate?
        var late: FoundDate?
        var index = 0
        let heading = tree.nodes.indices.first { tree.nodes[$0].tag == .h1 } ?? 0
        while index < tree.nodes.count {
            let node = tree.nodes[index]
            if node.tag == .text {
                index += 1
                continue
            }
            if isElsewhere(index, node, anywhere) || others.contains(index) {
                index = Int(node.end)
                continue
            }
            if let property = tree.value(index, .itemprop), property.elementsEqual("datePublished".utf8),
                let found = date(of: index)
            {
                return found
            }
            if late == nil, index > heading || early == nil,
                node.tag == .time
                    || (hints[index].contains(.date) && Int(node.end) - index < 12 && !holdsDate(index)),
                let any = date(of: index), case let found = first(beside: any, index), isOwn(index, found)
            {
                // A date shortly before the heading belongs to it.
                if index > heading || heading - index < 25 { late = found } else { early = found }
            }
            index += 1
        }
        return late ?? early
    }

    /// Whether a smaller element for dates is inside, and has one.
    private func holdsDate(_ index: Int) -> Bool {
        (index + 1..<Int(tree.nodes[index].end)).contains {
            (tree.nodes[$0].tag == .time || tree.nodes[$0].tag != .text && hints[$0].contains(.date))
                && date(of: $0) != nil
        }
    }

    private func date(of node: Int) -> FoundDate? {
        for name in [AttributeName.datetime, .content, .dataDatetime, .dataDate, .title] {
            if let value = tree.value(node, name), let found = reading.first(in: value) { return found }
        }
        return reading.first(in: tree.collapsedText(node, limit: 200))
    }

    /// Whether a node is a sentence, an example or a definition: its dates are what the text tells of.
    private func isProse(_ index: Int, _ node: PageTree.Node) -> Bool {
        switch node.tag {
        case .pre, .code, .dd, .blockquote, .samp, .kbd: true
        case .p: isLong(index)
        // A cell of a layout holds whole parts of a page.
        case .li: isLong(index) && !holdsBlocks(index)
        case .td: isLong(index) && !holdsBlocks(index) || isData(index)
        default: false
        }
    }

    /// Whether a cell stands in a table of documentation.
    private func isData(_ cell: Int) -> Bool {
        guard DocumentationAddress.isOne(url) else { return false }
        var table = cell
        for _ in 0..<3 where table > 0 && tree.nodes[table].tag != .table { table = Int(tree.nodes[table].parent) }
        return table > 0 && tree.nodes[table].tag == .table
    }

    private func isLong(_ index: Int) -> Bool {
        tree.collapsedText(index, limit: 160).count >= 160 || endsSentence(index)
    }

    private func holdsBlocks(_ index: Int) -> Bool {
        tree.nodes[index + 1..<min(Int(tree.nodes[index].end), index + 40)].contains {
            $0.tag != .text && $0.tag != .br && Tag.traits[Int($0.tag.rawValue)].contains(.block)
        }
    }

    private func endsSentence(_ index: Int) -> Bool {
        let text = tree.collapsedText(index, limit: 160)
        return text.count > 60 && text.last == UInt8(ascii: ".")
    }

    /// The day of publication in the line of the last change: "Updated: May 12, 2022 | Originally published: January 9, 2019". Without one,
    /// the date itself.
    private func first(beside found: FoundDate, _ index: Int) -> FoundDate {
        guard DateLine(index, found, tree, reading).meaning == .change else { return found }
        let dates = reading.all(in: tree.collapsedText(index, limit: 200), limit: 4)
        return dates.first { date in
            guard date.date < found.date else { return false }
            return DateLine(index, date, tree, reading).saysPublication
        } ?? found
    }

    /// Whether a date may be that of the page, by the words around it and by its place.
    private func isOwn(_ index: Int, _ found: FoundDate) -> Bool {
        if isToday(index) || isToday(Int(tree.nodes[index].parent)) { return false }
        return switch DateLine(index, found, tree, reading).meaning {
        case .publication: true
        case .change: !isAtEnd(index)
        case .other: false
        }
    }

    /// Whether an element is named for the day on which the page is looked at, or for that of an event.
    private func isToday(_ index: Int) -> Bool {
        [AttributeName.id, .class].contains { name in
            guard index >= 0, let value = tree.value(index, name), value.count < 200 else { return false }
            let names = String(decoding: value, as: UTF8.self).lowercased()
            return names.contains(text: "today")
                || names.split(separator: " ").contains { Self.eventNames.contains(String($0)) }
        }
    }

    private static let eventNames: Set<String> = [
        "event", "event-date", "event-time", "event-datetime", "event__date", "event_date", "eventdate", "dtstart",
    ]

    /// Whether a node is where the programs of documentation note the last change of a page.
    private func isAtEnd(_ index: Int) -> Bool {
        let count = tree.nodes.count
        return index > count / 2 && DocumentationAddress.isOne(url) || index > count / 10 * 9 && !isWritten
    }

    /// The first date in the visible text after the heading, else before it.
    private func visible(anywhere: Bool, without others: Set<Int>) -> FoundDate? {
        var early: FoundDate?
        var index = 0
        let heading = tree.nodes.indices.first { tree.nodes[$0].tag == .h1 } ?? 0
        while index < tree.nodes.count {
            let node = tree.nodes[index]
            if node.tag != .text,
                Tag.traits[Int(node.tag.rawValue)].contains(.unrendered) || isElsewhere(index, node, anywhere)
                    || isProse(index, node) || others.contains(index)
            {
                index = Int(node.end)
                continue
            }
            if node.tag == .text, node.stop - node.start >= 6, node.stop - node.start < 400,
                index > heading || early == nil,
                tree.bytes(index).contains(where: \.isDigit), let any = reading.first(in: tree.bytes(index)),
                case let found = first(beside: any, index), isOwn(index, found),
                !(DocumentationAddress.isOne(url) && DateLine.isInSentence(index, found, tree, reading))
            {
                if index > heading || heading - index < 25 { return found }
                early = found
            }
            index += 1
        }
        return early
    }
}
