import StuffBucket

/// Statistics as a single page of charts: no script, no network, light and dark.
struct StatisticsPage {
    private let statistics: LibraryStatistics
    private let name: String
    private let query: String
    private static let rowCount = 20

    /// - Parameters:
    ///   - name: the library's name.
    ///   - query: the query that was counted; empty for all items.
    init(_ statistics: LibraryStatistics, name: String, query: String) {
        self.statistics = statistics
        self.name = name
        self.query = query
    }

    var html: String {
        let title = "Statistics" + (name.isEmpty ? "" : " of \(name)")
        var body = "<h1>\(Self.escape(title))</h1>\n<p class=\"lead\">"
        body += Self.escape(summary) + "</p>\n"
        body += months()
        body += bars("By kind", statistics.kinds.map { ($0.name, $0.count) })
        body += bars("By tag", statistics.tags.map { ($0.name, $0.count) })
        body += bars("By collection", statistics.collections.map { ($0.name, $0.count) })
        body += bars("By site", statistics.sites.map { ($0.name, $0.count) })
        body += bars("By source", statistics.sources.map { ($0.name, $0.count) })
        if statistics.archives.contains(where: { $0.count > 0 }) {
            body += bars(
                "Saved pages", statistics.archives.map { (StatisticsWords.archive($0.name), $0.count) })
        }
        if statistics.checks.contains(where: { $0.count > 0 }) {
            body += bars("Checked links", statistics.checks.map { ($0.name, $0.count) })
        }
        if let sizes = statistics.sizes {
            let parts = SizeStatistics.Part.allCases.compactMap { part in
                sizes.parts[part].map { (part.phrase, $0.bytes) }
            }
            body += bars("By size: \(ByteCount.text(sizes.bytes))", parts) { ByteCount.text($0) }
            body += bars("Largest items", sizes.largest.map { ($0.title, $0.bytes) }) { ByteCount.text($0) }
        }
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>\(Self.escape(title))</title>
            <style>
            \(Self.style)
            </style></head><body><main>
            \(body)</main></body></html>

            """
    }

    private var summary: String {
        var parts = ["\(statistics.items) item\(statistics.items == 1 ? "" : "s")"]
        if !query.isEmpty { parts[0] += " that match \(query)" }
        if statistics.trashed > 0 { parts.append("\(statistics.trashed) in the trash") }
        if let sizes = statistics.sizes { parts.append(ByteCount.text(sizes.bytes)) }
        return parts.joined(separator: ", ") + ". \(Timestamp.now.localDate)."
    }

    // MARK: Bars

    private func bars(
        _ title: String, _ rows: [(name: String, count: Int)], _ text: (Int) -> String = { "\($0)" }
    ) -> String {
        if rows.isEmpty { return "" }
        let shown = rows.prefix(Self.rowCount)
        let largest = max(1, shown.map(\.count).max() ?? 1)
        var html = "<section><h2>\(Self.escape(title))</h2>\n<table>\n"
        for row in shown {
            // Thousandths of the width; a value above zero is always visible.
            let width = row.count == 0 ? 0 : max(3, row.count * 1000 / largest)
            html +=
                "<tr><th scope=\"row\">\(Self.escape(row.name))</th><td class=\"bar\"><i style=\"width:\(width / 10).\(width % 10)%\"></i></td>"
                + "<td>\(Self.escape(text(row.count)))</td></tr>\n"
        }
        html += "</table>\n"
        if rows.count > shown.count { html += "<p class=\"more\">… and \(rows.count - shown.count) more</p>\n" }
        return html + "</section>\n"
    }

    // MARK: Months

    /// One column for each month; for each year if there are more than ten years.
    private func months() -> String {
        var columns = statistics.months.map { ($0.name, $0.count) }
        if columns.isEmpty { return "" }
        let isByYear = columns.count > 120
        if isByYear {
            var years: [(String, Int)] = []
            for (month, count) in columns {
                let year = String(month.prefix { $0 != "-" })
                if years.last?.0 == year { years[years.count - 1].1 += count } else { years.append((year, count)) }
            }
            columns = years
        }
        let largest = max(1, columns.map(\.1).max() ?? 1)
        let (width, height) = (960, 200)
        let step = Double(width) / Double(max(12, columns.count))
        var svg = ""
        var labelled = -100.0
        for (number, column) in columns.enumerated() {
            let x = Double(number) * step
            let size = column.1 == 0 ? 0 : max(1, column.1 * height / largest)
            svg +=
                "<g><title>\(column.0): \(column.1)</title><rect class=\"room\" x=\"\(Self.number(x))\" y=\"0\" "
                + "width=\"\(Self.number(step))\" height=\"\(height)\"/><rect x=\"\(Self.number(x + step * 0.1))\" "
                + "y=\"\(height - size)\" width=\"\(Self.number(min(step * 0.8, 40)))\" height=\"\(size)\"/></g>\n"
            // A label at the start of each year, and at the first column, if there is room.
            let isYear = isByYear || column.0.hasSuffix("-01") || number == 0
            if isYear, x - labelled >= 70, x <= Double(width - 50) {
                labelled = x
                svg += "<text x=\"\(Self.number(x + step * 0.1))\" y=\"\(height + 20)\">\(column.0)</text>\n"
            }
        }
        return """
            <section class="wide"><h2>By \(isByYear ? "year" : "month")</h2>
            <svg viewBox="0 0 \(width) \(height + 28)" role="img" aria-label="Items by \(isByYear ? "year" : "month")">
            \(svg)</svg>
            <p class="more">most: \(largest)</p></section>

            """
    }

    /// With one decimal in any locale.
    private static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// By bytes: a quote with a combining mark is one character, but still ends an attribute.
    static func escape(_ text: String) -> String {
        var escaped: [UInt8] = []
        for byte in Printable.line(text).utf8 {
            switch byte {
            case UInt8(ascii: "&"): escaped += "&amp;".utf8
            case UInt8(ascii: "<"): escaped += "&lt;".utf8
            case UInt8(ascii: ">"): escaped += "&gt;".utf8
            case UInt8(ascii: "\""): escaped += "&quot;".utf8
            default: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private static let style = """
        :root { color-scheme: light dark; --ink: #1c1c1e; --soft: #6b6b70; --paper: #fff; --card: #f5f5f7; --bar: #2f6fde; }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #f2f2f4; --soft: #a0a0a6; --paper: #16161a; --card: #222228; --bar: #6ea3ff; }
        }
        * { box-sizing: border-box }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.45 system-ui, sans-serif }
        main { max-width: 70rem; margin: 0 auto; padding: 1.5rem; display: grid; gap: 1rem;
          grid-template-columns: repeat(auto-fill, minmax(min(28rem, 100%), 1fr)) }
        h1, .lead, .wide { grid-column: 1 / -1; margin: 0 }
        h1 { font-size: 1.7rem } h2 { font-size: 1rem; margin: 0 0 .6rem }
        .lead, .more { color: var(--soft) } .more { margin: .4rem 0 0; font-size: .85rem }
        section { background: var(--card); border-radius: .7rem; padding: 1rem; min-width: 0 }
        table { width: 100%; border-collapse: collapse; table-layout: fixed; font-size: .9rem }
        th { text-align: left; font-weight: normal; width: 38%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
        td { text-align: right; width: 5.5rem; font-variant-numeric: tabular-nums } td.bar { width: auto; padding: 0 .6rem }
        .bar i { display: block; height: .7rem; border-radius: .35rem; background: var(--bar) }
        svg { width: 100%; height: auto; display: block } rect { fill: var(--bar) } rect.room { fill: transparent }
        g:hover rect.room { fill: rgba(128, 128, 128, .2) } text { fill: var(--soft); font-size: 14px }
        """
}
