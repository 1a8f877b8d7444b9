package import Items
package import JSONFormat
package import Time

/// One thing as a foreign file has it, before it becomes an item or joins one.
package struct ImportedEntry: Sendable, Equatable {
    /// Where it stands in the file, for reports.
    package var place: ImportPlace
    /// As written, without white space around it; not checked.
    package var url: String?
    package var title: String?
    package var description: String?
    package var text: [UInt8]?
    package var tags: [String] = []
    /// Names of the folders it is in, outermost first, as the source spells them.
    package var folder: [String] = []
    /// Further collections, with `/` between levels.
    package var collections: [String] = []
    package var createdAt: Timestamp?
    package var updatedAt: Timestamp?
    /// What the source calls it; with a prefix that names the source.
    package var externalID: String?
    package var isFavorite = false
    package var isPinned = false
    package var sortOrder: Double?
    /// A file to be copied into the item.
    package var documentPath: String?
    /// The item's own id, where the file was written by this program.
    package var itemID: ItemID?
    /// Further members of item.json, where the file was written by this program.
    package var members: [JSON.Member] = []

    package init(at place: ImportPlace) { self.place = place }

    // MARK: Bounds

    /// Longer fields are cut: no file may make an item.json that is too large to be read.
    package static let fieldByteLimit = 65_536
    package static let folderNameByteLimit = 500
    package static let folderDepthLimit = 100
    package static let tagCountLimit = 500

    /// The entry within the bounds, and what was cut off.
    package func bounded() -> (entry: ImportedEntry, cut: [String]) {
        var entry = self
        var cut: [String] = []
        func bound(_ text: inout String?, _ name: String) {
            guard let long = text, long.utf8.count > Self.fieldByteLimit else { return }
            text = Self.cut(long, Self.fieldByteLimit)
            cut.append("its \(name) has \(long.utf8.count) bytes and was cut to \(Self.fieldByteLimit)")
        }
        bound(&entry.title, "title")
        bound(&entry.description, "description")
        if let id = entry.externalID, id.utf8.count > 1000 { entry.externalID = nil }
        if tags.count > Self.tagCountLimit {
            entry.tags = Array(tags.prefix(Self.tagCountLimit))
            cut.append("of its \(tags.count) tags the first \(Self.tagCountLimit) were taken")
        }
        entry.tags = entry.tags.map { Self.cut($0, Self.folderNameByteLimit) }
        entry.collections = entry.collections.prefix(Self.tagCountLimit).map { Self.cut($0, 5000) }
        return (entry, cut)
    }

    /// The beginning of a text in at most so many bytes, never within a character's bytes.
    package static func cut(_ text: String, _ byteLimit: Int) -> String {
        if text.utf8.count <= byteLimit { return text }
        var bytes = Array(text.utf8.prefix(byteLimit + 1))
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
        return String(decoding: bytes, as: UTF8.self)
    }
}
