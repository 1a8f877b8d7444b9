internal import Files
internal import JSONFormat

extension ItemStore {
    /// Writes the file of a collection that may be empty, or has more than its name: FORMAT.md § 9.
    ///
    /// - Returns: false if the collection has a file already, which is left as it is.
    @discardableResult
    package func addCollection(
        _ name: CollectionName, colour: String? = nil, icon: String? = nil, order: Double? = nil
    ) throws(ItemError) -> Bool {
        let number = order.flatMap { $0.isFinite ? Int(exactly: $0).map(String.init) ?? "\($0)" : nil }
        let bytes = JSONWriter.file(
            .members([
                ("name", .string(name.name)), ("colour", colour.map(JSON.string)), ("icon", icon.map(JSON.string)),
                ("order", number.map(JSON.number)),
            ]))
        let file = Layout.settingsFile(named: name.name)
        return try NamedReplacement(store: self, folder: .collections, file: file).run(nil, bytes)
    }

    /// What the files in collections/ say, in their order.
    package func collectionFiles() throws(ItemError) -> [CollectionFile] {
        try namedFiles(in: .collections).files.compactMap { file in
            CollectionName(file.name).map {
                CollectionFile(name: $0, colour: file.colour, icon: file.icon, order: file.order)
            }
        }
    }
}

/// What a file in collections/ says.
package struct CollectionFile: Sendable {
    package let name: CollectionName
    package let colour: String?
    package let icon: String?
    package let order: Double?
}
