public import Items
public import JSONFormat

extension StoredItem {
    /// A short name for the fields of item.json: 12 hexadecimal digits. Equal fields have equal names, in every copy.
    public var fieldsName: String {
        String(StateHashes(item: json.exactMembers(json.root), text: nil, files: []).item.hex.prefix(12))
    }
}

extension Library {
    /// The fields that an item had, by their name (`StoredItem.fieldsName`).
    ///
    /// - Returns: `nil` if no version of the item has fields of this name.
    /// - Throws: `ItemError.file` if a version cannot be read, `.refused` if it is not here any more.
    public func fields(named name: String, of stored: StoredItem) throws(ItemError) -> JSONDocument? {
        let folder = VersionFolder(of: stored.folder, in: store)
        guard
            let outline = try folder.list().outlines.first(where: { $0.content.item.hex.prefix(12) == name })
        else { return nil }
        return JSONDocument(object: try folder.existing(outline.name).item)
    }
}
