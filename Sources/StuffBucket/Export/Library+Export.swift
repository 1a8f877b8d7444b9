internal import Exchange
internal import Files
internal import Items
internal import JSONFormat
internal import Time

/// Writes items in formats of other programs.
package struct LibraryExport {
    private let library: Library
    private let format: ExportFormat
    private let rows: [Row]

    /// - Parameter rows: in the order in which they are to be written.
    package init(_ library: Library, _ format: ExportFormat, _ rows: [Row]) {
        self.library = library
        self.format = format
        self.rows = rows
    }

    // MARK: What is lost

    /// How many items have what the format cannot hold, and sentences about items that cannot be read.
    package func losses() throws -> (counts: [(part: ExportFormat.Part, count: Int)], faults: [String]) {
        var counts: [ExportFormat.Part: Int] = [:]
        var faults: [String] = []
        for row in rows {
            do {
                for part in parts(of: try library.item(row)) where format.lost.contains(part) {
                    counts[part, default: 0] += 1
                }
            } catch {
                faults.append("\(error)")
            }
        }
        return (ExportFormat.Part.allCases.compactMap { part in counts[part].map { (part, $0) } }, faults)
    }

    private func parts(of stored: StoredItem) -> [ExportFormat.Part] {
        let item = stored.item
        var parts: [ExportFormat.Part] = []
        if item.linkURL == nil {
            parts.append(.item)
            // Of what is left out as a whole, nothing more is to be said.
            if format.lost.contains(.item) { return parts }
        }
        if stored.document != nil { parts.append(.document) }
        if (try? library.store.root.statusIfPresent(of: stored.folder + "/" + Layout.pageFile)) ?? nil != nil {
            parts.append(.page)
        }
        if stored.hasText { parts.append(.text) }
        if !item.plainTags.isEmpty { parts.append(.tags) }
        if item.isPinned { parts.append(.pin) }
        if item.isFavorite { parts.append(.favorite) }
        if item.description != nil { parts.append(.description) }
        if !item.annotations.isEmpty { parts.append(.annotations) }
        if item.sortOrder != nil { parts.append(.order) }
        let others: [ItemField] = [.aiSummary, .aiArtifacts, .linkStatus, .linkAuthor, .linkPublishedDate, .linkSite]
        if others.contains(where: { stored.json.member($0.key, of: stored.json.root) != nil }) { parts.append(.other) }
        return parts
    }

    // MARK: One file

    /// Writes all items as one file; Markdown takes a folder (`writeFiles`).
    ///
    /// - Returns: sentences about items that could not be read.
    package func write(_ output: ([UInt8]) throws -> Void) throws -> [String] {
        switch format {
        case .html: try writeHTML(output)
        case .csv: try writeCSV(output)
        case .json, .ndjson, .markdown: try writeJSON(output)
        }
    }

    private func each(_ body: (StoredItem) throws -> Void) throws -> [String] {
        var faults: [String] = []
        for row in rows {
            let stored: StoredItem
            do {
                stored = try library.item(row)
            } catch {
                faults.append("\(error)")
                continue
            }
            try body(stored)
        }
        return faults
    }

    private func folders(of item: Item) -> [[String]] {
        let paths = item.collections.map(FolderPath.split).filter { !$0.isEmpty }
        return paths.isEmpty ? [[]] : paths
    }

    private func writeHTML(_ output: ([UInt8]) throws -> Void) throws -> [String] {
        var writer = NetscapeWriter()
        let faults = try each { stored in
            guard let url = stored.item.linkURL else { return }
            var bookmark = NetscapeWriter.Bookmark(
                url: url, title: library.store.displayTitle(of: stored), createdAt: stored.createdAt,
                updatedAt: stored.effectiveUpdatedAt)
            bookmark.description = stored.item.description
            bookmark.notes = try library.store.text(of: stored).map { String(decoding: $0, as: UTF8.self) }
            bookmark.tags = stored.item.plainTags
            for folder in folders(of: stored.item) { writer.add(bookmark, to: folder) }
        }
        for file in try library.store.collectionFiles() { writer.addFolder(FolderPath.split(file.name.name)) }
        try writer.write(title: "Bookmarks", output)
        return faults
    }

    private func writeCSV(_ output: ([UInt8]) throws -> Void) throws -> [String] {
        var paths: [[String]] = []
        var seen: Set<String> = []
        func use(_ path: [String]) {
            for count in 1...max(1, path.count) where count <= path.count {
                let part = Array(path.prefix(count))
                if seen.insert(FolderPath.joined(part).lowercased()).inserted { paths.append(part) }
            }
        }
        let files = try library.store.collectionFiles()
        for file in files { use(FolderPath.split(file.name.name)) }
        var orders: [Double] = []
        var faults = try each { stored in
            if stored.item.linkURL == nil { return }
            for folder in folders(of: stored.item) { use(folder) }
            if let order = stored.item.sortOrder { orders.append(order) }
        }
        // Whole numbers stay as they are; ranks between them are counted anew.
        let isWhole = orders.allSatisfy { Int(exactly: $0) != nil }
        let ranks = Dictionary(orders.sorted().enumerated().map { ($1, $0 + 1) }) { first, _ in first }
        let known = Dictionary(files.map { ($0.name.name.lowercased(), $0) }) { first, _ in first }
        try output(
            BookmarkCSV.head(
                paths.map { path in
                    let file = known[FolderPath.joined(path).lowercased()]
                    return ImportedFolder(path, colour: file?.colour, icon: file?.icon, order: file?.order)
                }))
        faults += try each { stored in
            guard let url = stored.item.linkURL else { return }
            var row = BookmarkCSV.Row(
                url: url, name: library.store.displayTitle(of: stored), createdAt: stored.createdAt)
            row.description = stored.item.description ?? ""
            row.isFavorite = stored.item.isFavorite
            if let order = stored.item.sortOrder { row.order = isWhole ? Int(order) : ranks[order] ?? 0 }
            for folder in folders(of: stored.item) {
                row.folder = folder
                try output(BookmarkCSV.line(row))
            }
        }
        return Array(Set(faults)).sorted()
    }

    private func writeJSON(_ output: ([UInt8]) throws -> Void) throws -> [String] {
        var isFirst = true
        let faults = try each { stored in
            let text = try library.store.text(of: stored)
            let bytes = stored.json.oneLine(
                leading: [JSON.Member(ItemField.id.key, .string(stored.id.description))],
                trailing: text.map {
                    [JSON.Member(ItemField.textContent.key, .string(String(decoding: $0, as: UTF8.self)))]
                } ?? [])
            if format == .json { try output(Array((isFirst ? "[\n" : ",\n").utf8)) }
            try output(format == .json ? bytes : bytes + [0x0A])
            isFirst = false
        }
        if format == .json { try output(Array((isFirst ? "[]\n" : "\n]\n").utf8)) }
        return faults
    }

    // MARK: A file an item

    /// Writes a Markdown file for each item into a folder, which is made if missing.
    ///
    /// Names are the title's words and the end of the item's id, so a second export replaces the files of the first.
    package func writeFiles(to path: String) throws -> [String] {
        try Directory.make(path: path)
        let folder = try Directory(path: path)
        return try each { stored in
            let item = stored.item
            var head = MarkdownNote.Head(
                id: stored.id.description, createdAt: stored.createdAt, updatedAt: stored.effectiveUpdatedAt)
            head.title = item.title ?? item.linkTitle
            head.url = item.linkURL
            head.description = item.description
            head.tags = item.plainTags
            head.collections = item.collections
            head.isFavorite = item.isFavorite
            head.isPinned = item.isPinned
            head.sortOrder = item.sortOrder
            let bytes = MarkdownNote.bytes(head, text: try library.store.text(of: stored))
            try folder.writeFile(Self.fileName(library.store.displayTitle(of: stored), stored.id), bytes)
        }
    }

    private static func fileName(_ title: String, _ id: ItemID) -> String {
        var words: [String] = [""]
        for scalar in title.unicodeScalars {
            if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                words[words.count - 1].unicodeScalars.append(scalar)
            } else if !words[words.count - 1].isEmpty {
                words.append("")
            }
        }
        let slug = ImportedEntry.cut(words.filter { !$0.isEmpty }.joined(separator: "-"), 80)
        return (slug.isEmpty ? "" : slug + "-") + id.short + ".md"
    }
}
