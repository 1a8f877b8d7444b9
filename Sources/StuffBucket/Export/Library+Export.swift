internal import Exchange
internal import Items
internal import JSONFormat
internal import Time

/// Writes items in formats of other programs.
public struct LibraryExport: Sendable {
    private let library: Library
    private let format: ExportFormat
    private let rows: [Row]
    private let scope: Scope

    /// What the items of an export are of the library.
    public enum Scope: Sendable {
        /// Those that somebody chose.
        case selection
        /// All of them, so that files of collections, tags and smart folders count.
        case library
    }

    /// - Parameters:
    ///   - rows: the items, in the order of writing.
    ///   - library: the library of the items.
    ///   - format: the format of the file.
    ///   - scope: what the items are of the library, for what `losses` counts.
    public init(_ library: Library, _ format: ExportFormat, _ rows: [Row], _ scope: Scope = .selection) {
        self.scope = scope
        self.library = library
        self.format = format
        self.rows = rows
    }

    // MARK: What is lost

    /// How many items, and files of collections, tags and smart folders, have what the format cannot hold.
    ///
    /// - Parameter monitor: cancels the call, which only reads.
    /// - Throws: `ItemError`.
    public func losses(_ monitor: Monitor = Monitor()) throws -> [(part: ExportFormat.Part, count: Int)] {
        var losses = ExportLosses(library, format)
        for row in rows {
            try monitor.check()
            losses.add(row)
        }
        if scope == .library {
            try losses.addLibrary()
            if format.lost.contains(.emptyCollection) { try losses.addEmptyCollections(usedFolders()) }
        }
        let counts = losses.counts
        return ExportFormat.Part.allCases.compactMap { part in counts[part].map { (part, $0) } }
    }

    /// Keys of the folders of collections with items, and of the folders around them.
    func usedFolders() -> Set<TagList.Key> {
        var used: Set<TagList.Key> = []
        for row in rows {
            guard let stored = try? library.item(row) else { continue }
            for collection in stored.item.collections {
                var folder = ExportFolder(of: collection)
                while !folder.path.isEmpty, used.insert(folder.key).inserted { folder.path.removeLast() }
            }
        }
        return used
    }

    /// The person's title, else the page's; `nil` if there is none.
    private func title(of item: Item) -> String? { item.hasTitle ? item.title : item.linkTitle }

    // MARK: One file

    /// Writes all items as one file. For Markdown, use `writeFiles`.
    ///
    /// - Returns: how many items were written, and which could not be read.
    /// - Throws: `ItemError`, and the error of the function that takes the bytes.
    public func write(
        _ monitor: Monitor = Monitor(), to output: ([UInt8]) throws -> Void
    ) throws -> Outcome {
        switch format {
        case .html: try writeHTML(monitor, output)
        case .csv: try writeCSV(monitor, output)
        case .json, .ndjson, .markdown: try writeJSON(monitor, output)
        }
    }

    /// The result of an export.
    public struct Outcome: Sendable {
        /// Items that were written.
        public var count = 0
        /// Items that could not be read or written.
        public var faults: [ItemFault] = []
        /// Notes that were imported from the folder and that the export replaced, by their paths in it.
        public var replaced: [String] = []
        /// Texts in the folder that say already what the item says; they stay, and nothing was written.
        public var there: [String] = []
        /// Files that are there in the place of an item's, and where the item was written instead.
        public var besides: [(there: String, written: String)] = []
        /// Files and links that are there in the place of a collection's folder, and the folder that was made instead.
        public var folders: [(there: String, written: String)] = []
        /// Files of items that were changed since the import or the last export; they stay, and nothing was written.
        public var changed: [String] = []
    }

    /// - Parameter body: returns whether it wrote the item.
    private func each(_ monitor: Monitor, _ body: (StoredItem) throws -> Bool) throws -> Outcome {
        var outcome = Outcome()
        for (number, row) in rows.enumerated() {
            try monitor.check()
            if number % 100 == 0 { monitor.show(number, of: rows.count) }
            let stored: StoredItem
            do {
                stored = try library.item(row)
            } catch {
                outcome.faults.append(try ItemFault(row.folder, error))
                continue
            }
            if try body(stored) { outcome.count += 1 }
        }
        return outcome
    }

    private func folders(of item: Item) -> [[String]] {
        let paths = item.collections.map { ExportFolder(of: $0).path }.filter { !$0.isEmpty }
        return paths.isEmpty ? [[]] : paths
    }

    private func writeHTML(_ monitor: Monitor, _ output: ([UInt8]) throws -> Void) throws -> Outcome {
        var writer = NetscapeWriter()
        let outcome = try each(monitor) { stored in
            guard let url = stored.item.linkURL else { return false }
            var bookmark = NetscapeWriter.Bookmark(
                url: url, title: title(of: stored.item) ?? "", createdAt: stored.createdAt,
                updatedAt: stored.effectiveUpdatedAt)
            bookmark.description = stored.item.description
            bookmark.notes = try library.store.text(of: stored).map { String(decoding: $0, as: UTF8.self) }
            bookmark.tags = stored.item.plainTags
            for folder in folders(of: stored.item) { writer.add(bookmark, to: folder) }
            return true
        }
        for file in try library.store.collectionFiles() { writer.addFolder(ExportFolder(of: file.name.name).path) }
        try writer.write(title: "Bookmarks", output)
        return outcome
    }

    private func writeCSV(_ monitor: Monitor, _ output: ([UInt8]) throws -> Void) throws -> Outcome {
        var paths: [[String]] = []
        var seen: Set<TagList.Key> = []
        func use(_ path: [String]) {
            var folder = ExportFolder(path)
            var new: [[String]] = []
            while !folder.path.isEmpty, seen.insert(folder.key).inserted {
                new.append(folder.path)
                folder.path.removeLast()
            }
            paths += new.reversed()
        }
        let files = try library.store.collectionFiles()
        for file in files { use(ExportFolder(of: file.name.name).path) }
        var orders: [Double] = []
        let first = try each(monitor) { stored in
            if stored.item.linkURL == nil { return false }
            for folder in folders(of: stored.item) { use(folder) }
            if let order = stored.item.sortOrder { orders.append(order) }
            return false
        }
        // Ranks that are all whole numbers stay. Otherwise the ranks are renumbered from 1.
        let isWhole = orders.allSatisfy { Int(exactly: $0) != nil }
        let ranks = Dictionary(orders.sorted().enumerated().map { ($1, $0 + 1) }) { first, _ in first }
        let known = Dictionary(files.map { (ExportFolder(of: $0.name.name).key, $0) }) { first, _ in first }
        try output(
            BookmarkCSV.head(
                paths.map { path in
                    let file = known[ExportFolder(path).key]
                    return ImportedFolder(path, colour: file?.colour, icon: file?.icon, order: file?.order)
                }))
        var outcome = try each(monitor) { stored in
            guard let url = stored.item.linkURL else { return false }
            var row = BookmarkCSV.Row(
                url: url, name: title(of: stored.item) ?? "", createdAt: stored.createdAt)
            row.description = stored.item.description ?? ""
            row.isFavorite = stored.item.isFavorite
            if let order = stored.item.sortOrder { row.order = isWhole ? Int(order) : ranks[order] ?? 0 }
            for folder in folders(of: stored.item) {
                row.folder = folder
                try output(BookmarkCSV.line(row))
            }
            return true
        }
        let faults = (first.faults + outcome.faults).map { ($0.folder, $0) }
        outcome.faults = Dictionary(faults) { first, _ in first }.values.sorted()
        return outcome
    }

    private func writeJSON(_ monitor: Monitor, _ output: ([UInt8]) throws -> Void) throws -> Outcome {
        var isFirst = true
        let outcome = try each(monitor) { stored in
            let text = try library.store.text(of: stored)
            let bytes = stored.json.oneLine(
                leading: [JSON.Member(ItemField.id.key, .string(stored.id.description))],
                trailing: text.map {
                    [JSON.Member(ItemField.textContent.key, .string(String(decoding: $0, as: UTF8.self)))]
                } ?? [])
            if format == .json { try output(Array((isFirst ? "[\n" : ",\n").utf8)) }
            try output(format == .json ? bytes : bytes + [0x0A])
            isFirst = false
            return true
        }
        if format == .json { try output(Array((isFirst ? "[]\n" : "\n]\n").utf8)) }
        return outcome
    }

    // MARK: A file an item

    /// Writes a Markdown file for each item into a folder, which is made if missing. `MarkdownPlace` decides the
    /// file's path.
    ///
    /// A second export replaces the files of the first, and a note that was imported from the folder is replaced where it
    /// is; both only as far as nobody changed them since. No other file is changed.
    ///
    /// - Throws: `ItemError`, and `FileError` if a file cannot be written.
    public func writeFiles(to path: String, _ monitor: Monitor = Monitor()) throws -> Outcome {
        let folder = try MarkdownFolder(path)
        func place(of stored: StoredItem) throws -> MarkdownPlace {
            var place = MarkdownPlace(stored, title: library.store.displayTitle(of: stored))
            try folder.settle(&place)
            return place
        }
        for row in rows {
            try monitor.check()
            if folder.isEmpty || folder.isHome { break }
            if let stored = try? library.item(row) { try folder.look(for: stored, at: place(of: stored)) }
        }
        var found = Outcome()
        let outcome = try each(monitor) { stored in
            let place = try place(of: stored)
            do {
                let text = try library.store.text(of: stored)
                let bytes = MarkdownNote.bytes(head(of: stored, at: place), text: text)
                switch try folder.write(bytes, text: text, of: stored, at: place) {
                case .written: break
                case .replaced(let path): found.replaced.append(path)
                case .beside(let there, let written): found.besides.append((there, written))
                case .there(let path):
                    found.there.append(path)
                    return false
                case .changed(let path):
                    found.changed.append(path)
                    return false
                }
                return true
            } catch ItemError.refused(.notOurs(let path)) {
                found.faults.append(try ItemFault(stored.folder, ItemError.refused(.notOurs(path: path))))
                return false
            }
        }
        try folder.sync()
        found.folders = folder.renamedFolders
        found.count = outcome.count
        found.faults = outcome.faults + found.faults
        return found
    }

    private func head(of stored: StoredItem, at place: MarkdownPlace) -> MarkdownNote.Head {
        let item = stored.item
        var head = MarkdownNote.Head(
            id: stored.id.description, createdAt: stored.createdAt, updatedAt: stored.effectiveUpdatedAt)
        head.title = title(of: item)
        head.url = item.linkURL
        head.description = item.description
        head.tags = item.plainTags
        head.collections = item.collections
        head.folder = place.collection
        head.isFavorite = item.isFavorite
        head.isPinned = item.isPinned
        head.sortOrder = item.sortOrder
        return head
    }
}
