extension ItemStore {
    /// The contents of the files in collections/, in their order.
    package func collectionFiles() throws(ItemError) -> [CollectionFile] {
        try namedFiles(in: .collections).files.compactMap { file in
            CollectionName(file.name).map {
                CollectionFile(name: $0, colour: file.colour, icon: file.icon, order: file.order)
            }
        }
    }
}

/// The contents of a file in collections/.
package struct CollectionFile: Sendable {
    package let name: CollectionName
    package let colour: String?
    package let icon: String?
    package let order: Double?
}
