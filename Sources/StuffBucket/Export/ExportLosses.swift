internal import Files
internal import Items
internal import JSONFormat

/// Finds what a format cannot hold, before anything is written.
struct ExportLosses {
    private let library: Library
    private let lost: Set<ExportFormat.Part>
    private(set) var counts: [ExportFormat.Part: Int] = [:]

    init(_ library: Library, _ format: ExportFormat) {
        self.library = library
        lost = format.lost
    }

    private mutating func add(_ part: ExportFormat.Part, _ count: Int = 1) {
        if count > 0, lost.contains(part) { counts[part, default: 0] += count }
    }

    // MARK: Items

    mutating func add(_ row: Row) {
        // An item that cannot be read is named when the export reaches it.
        for part in (try? parts(of: library.item(row))) ?? [] { add(part) }
    }

    private func parts(of stored: StoredItem) throws -> [ExportFormat.Part] {
        let item = stored.item
        var parts: [ExportFormat.Part] = []
        if item.linkURL == nil {
            parts.append(.item)
            // If the whole item is left out, its parts are not listed.
            if lost.contains(.item) { return parts }
        }
        parts += try files(of: stored)
        if stored.hasText { parts.append(.text) }
        if !item.plainTags.isEmpty { parts.append(.tags) }
        if item.isPinned { parts.append(.pin) }
        if item.isFavorite { parts.append(.favorite) }
        if item.description != nil { parts.append(.description) }
        if !item.annotations.isEmpty { parts.append(.annotations) }
        if item.sortOrder != nil { parts.append(.order) }
        if item.hasTitle, item.linkTitle != nil { parts.append(.pageTitle) }
        func has(_ fields: [ItemField]) -> Bool {
            fields.contains { stored.json.member($0.key, of: stored.json.root) != nil }
        }
        if has([.linkAuthor, .linkSite, .linkLanguage, .linkPublishedDate, .linkCanonicalURL]) {
            parts.append(.pageDetails)
        }
        if has([.linkStatus, .linkStatusEvidence, .lastCheckedDate]) { parts.append(.check) }
        if has([.aiSummary, .aiArtifacts]) { parts.append(.summary) }
        if has([.sourceFields]) { parts.append(.source) }
        if has([.linkFormerURLs]) { parts.append(.former) }
        let json = stored.json
        if json.members(json.root).contains(where: { ItemField(key: json.keyBytes($0.key)) == nil }) {
            parts.append(.own)
        }
        return parts
    }

    /// The files in the item's folder besides item.json and the text.
    private func files(of stored: StoredItem) throws -> [ExportFormat.Part] {
        let folder = try library.store.root.directory(stored.folder)
        var parts: Set<ExportFormat.Part> = stored.document != nil ? [.document] : []
        for entry in try folder.entries() {
            switch entry.name.string ?? "" {
            case Layout.itemFile, Layout.textFile, Layout.readerFile, Layout.assets, Layout.history: break
            case Layout.pageFile, Layout.printFile, Layout.pictureFile: parts.insert(.page)
            case Layout.snapshots: if try !isEmpty(folder, Layout.snapshots) { parts.insert(.snapshot) }
            case Layout.conflicts: if try !isEmpty(folder, Layout.conflicts) { parts.insert(.files) }
            case Layout.document:
                let count = try folder.directory(Layout.document).entries().count
                if count > (stored.document == nil ? 0 : 1) { parts.insert(.files) }
            case let name where name.hasPrefix("favicon."): break
            case let name:
                let isDocument = stored.document.map { $0.isLoose && $0.name == name } ?? false
                if !isDocument, !Layout.isTemporary(name) { parts.insert(.files) }
            }
        }
        return Array(parts)
    }

    private func isEmpty(_ folder: borrowing Directory, _ name: String) throws -> Bool {
        guard try folder.statusIfPresent(of: name)?.kind == .directory else { return true }
        return try folder.directory(name).entries().isEmpty
    }

    // MARK: The library

    /// Adds the files of collections, tags and smart folders.
    mutating func addLibrary() throws {
        let known: Set<String> = ["name", "query", "colour", "icon", "order"]
        for folder in NamedFolder.allCases {
            for file in try library.store.namedFiles(in: folder).files {
                let bytes = try library.store.root.contents(of: file.path, limit: Layout.settingsByteLimit).bytes
                if let json = try? JSONDocument(parsing: bytes),
                    json.members(json.root).contains(where: { !known.contains(json.string($0.key) ?? "") })
                {
                    add(.namedOwn)
                }
                switch folder {
                // Smart folders that every new library gets are no loss.
                case .smart: if !SmartFolder.initial.contains(where: { $0.bytes == bytes }) { add(.smart) }
                case .tags: if file.colour != nil || file.icon != nil { add(.tagLooks) }
                case .collections:
                    if file.colour != nil { add(.colour) }
                    if file.icon != nil { add(.icon) }
                    if file.order != nil { add(.collectionOrder) }
                }
            }
        }
    }

    /// Adds collections without items.
    ///
    /// - Parameter used: keys of the folders of all others.
    mutating func addEmptyCollections(_ used: Set<TagList.Key>) throws {
        for file in try library.store.collectionFiles() where !used.contains(ExportFolder(of: file.name.name).key) {
            add(.emptyCollection)
        }
    }
}
