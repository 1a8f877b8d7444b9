package import Files

/// The files of an item that a version records, with their status; of the page and the document nothing is read.
package struct ItemGlance: Sendable {
    /// The item's folder, relative to the library's.
    package let folder: String
    /// item.json.
    package let stored: StoredItem
    /// The bytes of text.md; `nil` without one.
    package let text: [UInt8]?
    /// The status of each file, by its path relative to the item's folder.
    package let statuses: [String: FileStatus]
    /// Files that are away, by their paths; `statuses` has them, too.
    package var away: [String: Version.File] = [:]

    /// Whether two copies of an item have equal item.json and text.md, and their other files equal paths, sizes and
    /// modification times.
    package func looksEqual(_ other: ItemGlance) -> Bool {
        guard stored.json.bytes == other.stored.json.bytes, text == other.text,
            statuses.count == other.statuses.count
        else { return false }
        return statuses.allSatisfy { path, status in
            if path == Layout.itemFile || path == Layout.textFile { return true }
            // A name in another form of normalisation is another one.
            guard let place = other.statuses.index(exactly: path) else { return false }
            let there = other.statuses[place].value
            return there.byteCount == status.byteCount && there.modified == status.modified
        }
    }
}

extension ItemStore {
    /// Reads item.json and text.md of an item, and looks at its other files.
    ///
    /// A document that lies loose in the item's folder does not belong to it: no version records it.
    ///
    /// - Parameters:
    ///   - folder: the item's, relative to the library's.
    ///   - elsewhere: the path of a document that belongs to the item and is not in its folder: no other file there is the document.
    /// - Returns: `nil` if there is no item.json, and for one with a lone surrogate in a key, which no version can hold.
    /// - Throws: `ItemError.malformed` or `.fault` if item.json cannot be used, `.file` if a file cannot be read.
    package func glance(
        _ id: ItemID, in folder: String, elsewhere: String? = nil
    ) throws(ItemError) -> ItemGlance? {
        guard let stored = try item(id, in: folder, elsewhere: elsewhere),
            !stored.json.hasLoneSurrogateInKey(stored.json.root)
        else {
            return nil
        }
        var statuses = [Layout.itemFile: stored.status]
        var text: [UInt8]?
        if stored.text != nil {
            let contents = try files { () throws(FileError) in
                try root.contentsIfPresent(of: folder + "/" + Layout.textFile, limit: Layout.textByteLimit)
            }
            text = contents?.bytes
            statuses[Layout.textFile] = contents?.status
        }
        try files { () throws(FileError) in
            let item = try root.directory(folder)
            for path in try Self.recordedPaths(of: stored, in: item) {
                guard let status = try item.statusIfPresent(of: path), status.kind == .regular else { continue }
                statuses[path] = status
            }
        }
        var away: [String: Version.File] = [:]
        for file in stored.away?.all ?? [] where statuses[file.file.path] == nil {
            statuses[file.file.path] = file.status
            away[file.file.path] = file.file
        }
        return ItemGlance(folder: folder, stored: stored, text: text, statuses: statuses, away: away)
    }

    private static func recordedPaths(of stored: StoredItem, in item: borrowing Directory) throws(FileError) -> [String]
    {
        var paths: [String] = []
        if stored.parts.contains(.page) { paths.append(Layout.pageFile) }
        if stored.parts.contains(.reader) { paths.append(Layout.readerFile) }
        if stored.parts.contains(.assets) {
            for entry in try item.directory(Layout.assets).entries() where entry.kind == .regular {
                guard let name = entry.name.string, Layout.isAssetName(name) else { continue }
                paths.append(Layout.assets + "/" + name)
            }
        }
        if let document = stored.document, !document.isLoose { paths.append(document.path) }
        return paths
    }
}
