import StuffBucket

/// Statistics with bars, for a terminal.
struct StatisticsTable {
    private let statistics: LibraryStatistics
    private let style: Style
    private let columns: Int
    private static let nameCount = 10
    private static let monthCount = 12

    init(_ statistics: LibraryStatistics, _ style: Style, columns: Int) {
        self.statistics = statistics
        self.style = style
        self.columns = min(columns, 100)
    }

    func lines() -> [String] {
        var lines = [
            style.bold("\(statistics.items) item\(statistics.items == 1 ? "" : "s")")
                + (statistics.trashed > 0 ? ", \(statistics.trashed) in the trash" : "")
        ]
        if statistics.items == 0 { return lines }
        lines += bars("Kinds", statistics.kinds)
        lines += bars(
            "Made in", Array(statistics.months.suffix(Self.monthCount)), of: statistics.months.count)
        lines += bars("Tags", statistics.tags)
        lines += bars("Collections", statistics.collections)
        lines += bars("Sites", statistics.sites)
        if statistics.archives.contains(where: { $0.count > 0 }) {
            let states = statistics.archives.filter { $0.name != "unavailable" || $0.count > 0 }
                .map { (StatisticsWords.archive($0.name), $0.count) }
            lines += bars("Saved pages", states, of: states.count) { "\($0)" }
        }
        if statistics.checks.contains(where: { $0.count > 0 }) { lines += bars("Checked links", statistics.checks) }
        if let sizes = statistics.sizes {
            let parts = SizeStatistics.Part.allCases.compactMap { part in
                sizes.parts[part].map { (part.phrase, $0.bytes) }
            }
            lines += bars("Size", parts, of: parts.count) { ByteCount.text($0) }
            lines += bars("Largest", sizes.largest.map { ($0.title, $0.bytes) }, of: sizes.largest.count) {
                ByteCount.text($0)
            }
        }
        return lines
    }

    private func bars(_ title: String, _ counts: [LibraryStatistics.Count], of total: Int? = nil) -> [String] {
        bars(title, counts.map { ($0.name, $0.count) }, of: total ?? counts.count) { "\($0)" }
    }

    private func bars(
        _ title: String, _ counts: [(name: String, count: Int)], of total: Int, _ text: (Int) -> String
    ) -> [String] {
        if counts.isEmpty { return [] }
        let shown = counts.prefix(max(Self.nameCount, title == "Made in" ? Self.monthCount : 0))
        let largest = max(1, shown.map(\.count).max() ?? 1)
        let nameWidth = min(30, shown.map { TextWidth.of(Printable.line($0.name)) }.max() ?? 0)
        let countWidth = shown.map { text($0.count).count }.max() ?? 0
        let room = max(10, min(50, columns - nameWidth - countWidth - 6))
        var lines = ["", style.bold(title)]
        for (name, count) in shown {
            let name = TextWidth.pad(TextWidth.cut(Printable.line(name), to: nameWidth), to: nameWidth)
            let number = text(count)
            lines.append(
                "  " + name + "  " + String(repeating: " ", count: countWidth - number.count) + number + "  "
                    + style.tag(Self.bar(Double(count) / Double(largest), room)))
        }
        if total > shown.count { lines.append("  … of \(total)") }
        return lines
    }

    /// A bar in eighths of a column; a value above zero is always visible.
    static func bar(_ share: Double, _ room: Int) -> String {
        let eighths = Int((share * Double(room * 8)).rounded())
        if share <= 0 { return "" }
        let rest = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        let whole = String(repeating: "█", count: eighths / 8)
        return eighths % 8 == 0 && eighths > 0 ? whole : whole + rest[max(eighths % 8, 1)]
    }
}
