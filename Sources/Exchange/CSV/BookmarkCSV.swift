internal import Characters
package import Time

/// Bookmark CSV with two sections: folders with order, colour and icon, then bookmarks with the path of their folder.
///
///     #FOLDERS
///     name,sortOrder,parentPath,colorName,iconName
///     Work,0,,blue,briefcase.fill
///
///     #BOOKMARKS
///     url,name,descriptionText,createdDate,isFavorite,sortOrder,folderPath
///     https://example.com,Example,A site,2026-02-14T10:00:00Z,true,0,Work
///
/// Columns are found by name, so other programs may order them differently. A `/` in a folder's name is written `\/`.
package enum BookmarkCSV {
    private static let folderColumns = ["name", "sortOrder", "parentPath", "colorName", "iconName"]
    private static let bookmarkColumns = [
        "url", "name", "descriptionText", "createdDate", "isFavorite", "sortOrder", "folderPath",
    ]

    static func isOne(_ bytes: ArraySlice<UInt8>) -> Bool {
        let bytes = bytes.first == 0x22 ? bytes.dropFirst() : bytes
        return bytes.starts(with: "#FOLDERS".utf8) || bytes.starts(with: "#BOOKMARKS".utf8)
            || bytes.starts(with: "url,name,descriptionText,createdDate".utf8)
    }

    // MARK: Reading

    private enum Section { case folders, bookmarks }

    static func read(_ input: ImportInput, _ sink: ImportSink) throws {
        // If every order is 0, the person never ordered anything.
        let isOrdered = try hasOrder(input)
        var reader = try CSVReader(input)
        var section = Section.bookmarks
        var columns: [String: Int]?
        while let record = try reader.next() {
            if let fault = record.fault { try sink(.fault(ImportFault(.line(record.line), fault))) }
            if record.fields.isEmpty || record.fields.allSatisfy({ $0.isEmpty }) { continue }
            if let next = marker(record) {
                section = next
                columns = nil
                continue
            }
            guard let known = columns else {
                columns = Dictionary(record.fields.enumerated().map { ($1, $0) }) { first, _ in first }
                let needed = section == .folders ? "name" : "url"
                if columns?[needed] == nil {
                    try sink(
                        .fault(ImportFault(.line(record.line), .noColumn(needed))))
                }
                continue
            }
            func field(_ name: String) -> String {
                guard let place = known[name], place < record.fields.count else { return "" }
                return CSVField.read(record.fields[place])
            }
            let names = section == .folders ? folderColumns : bookmarkColumns
            let others = known.filter { !names.contains($0.key) && !$0.key.isEmpty }.sorted { $0.value < $1.value }
            let rest = others.compactMap { field($0.key).isEmpty ? nil : ($0.key, field($0.key)) }
            switch section {
            case .folders:
                try folder(field, record.line, sink)
                for (name, _) in rest { try sink(.untaken("folder \(name)")) }
            case .bookmarks: try bookmark(field, rest, record.line, isOrdered, sink)
            }
        }
    }

    private static func marker(_ record: CSVReader.Record) -> Section? {
        guard record.fields.dropFirst().allSatisfy({ $0.isEmpty }) else { return nil }
        switch ImportText.trimmed(record.fields[0]) {
        case "#FOLDERS": return .folders
        case "#BOOKMARKS": return .bookmarks
        default: return nil
        }
    }

    private static func hasOrder(_ input: ImportInput) throws -> Bool {
        var reader = try CSVReader(input)
        var column: Int?
        var isHeader = true
        var isBookmarks = true
        while let record = try reader.next() {
            if record.fields.isEmpty { continue }
            if let section = marker(record) {
                isBookmarks = section == .bookmarks
                isHeader = true
            } else if isHeader {
                column = record.fields.firstIndex(of: "sortOrder")
                isHeader = false
            } else if isBookmarks, let column, column < record.fields.count,
                (Double(CSVField.read(record.fields[column])) ?? 0) != 0
            {
                return true
            }
        }
        return false
    }

    private static func folder(_ field: (String) -> String, _ line: Int, _ sink: ImportSink) throws {
        let path = (FolderPath.split(field("parentPath")) + [field("name")]).filter { !FolderPath.isBlank($0) }
        if path.isEmpty { return try sink(.fault(ImportFault(.line(line), .namelessFolder))) }
        func text(_ name: String) -> String? { field(name).isEmpty ? nil : field(name) }
        let order = Double(field("sortOrder")).flatMap { $0.isFinite ? $0 : nil }
        try sink(.folder(ImportedFolder(path, colour: text("colorName"), icon: text("iconName"), order: order)))
    }

    private static func bookmark(
        _ field: (String) -> String, _ rest: [(String, String)], _ line: Int, _ isOrdered: Bool, _ sink: ImportSink
    ) throws {
        var entry = ImportedEntry(at: .line(line))
        entry.url = ImportText.trimmed(field("url"))
        entry.title = field("name").isEmpty ? nil : field("name")
        entry.description = field("descriptionText").isEmpty ? nil : field("descriptionText")
        entry.setDate(\.createdAt, field("createdDate"), name: "createdDate")
        entry.isFavorite = field("isFavorite").word.lowercased() == "true"
        if isOrdered { entry.sortOrder = Double(field("sortOrder")).flatMap { $0.isFinite ? $0 : nil } }
        entry.folder = FolderPath.split(field("folderPath"))
        for (name, text) in rest { entry.keep(name, .string(text)) }
        try sink(.entry(entry))
    }

    // MARK: Writing

    /// A bookmark, limited to the fields of this format.
    package struct Row: Sendable {
        package var url: String
        package var name: String
        package var description = ""
        package var createdAt: Timestamp
        package var isFavorite = false
        package var order = 0
        package var folder: [String] = []

        package init(url: String, name: String, createdAt: Timestamp) {
            self.url = url
            self.name = name
            self.createdAt = createdAt
        }
    }

    /// The first section.
    ///
    /// - Parameter folders: parents before their children.
    package static func head(_ folders: [ImportedFolder]) -> [UInt8] {
        var text = "#FOLDERS\n" + folderColumns.joined(separator: ",") + "\n"
        for (number, folder) in folders.enumerated() {
            let order = folder.order.flatMap { Int(exactly: $0.rounded()) } ?? number
            text += line([
                folder.path.last ?? "", String(order), FolderPath.joined(folder.path.dropLast()),
                folder.colour ?? "blue", folder.icon ?? "folder.fill",
            ])
        }
        return Array((text + "\n#BOOKMARKS\n" + bookmarkColumns.joined(separator: ",") + "\n").utf8)
    }

    package static func line(_ row: Row) -> [UInt8] {
        // Whole seconds: the format's own reader accepts no others.
        let date = row.createdAt.rfc3339.prefix(19) + "Z"
        return Array(
            line([
                row.url, row.name, row.description, String(date), row.isFavorite ? "true" : "false", String(row.order),
                FolderPath.joined(row.folder),
            ]).utf8)
    }

    private static func line(_ fields: [String]) -> String {
        fields.map(CSVField.written).joined(separator: ",") + "\n"
    }
}

extension FolderPath {
    static func joined(_ folders: ArraySlice<String>) -> String { joined(Array(folders)) }
}
