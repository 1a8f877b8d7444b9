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
        let path = Layout.collections + "/" + Layout.settingsFile(named: name.name)
        let number = order.flatMap { $0.isFinite ? Int(exactly: $0).map(String.init) ?? "\($0)" : nil }
        let bytes = JSONWriter.file(
            .members([
                ("name", .string(name.name)), ("colour", colour.map(JSON.string)), ("icon", icon.map(JSON.string)),
                ("order", number.map(JSON.number)),
            ]))
        return try locked { () throws(ItemError) in
            if try files({ () throws(FileError) in try root.statusIfPresent(of: path) }) != nil { return false }
            let mark = try journal { .bytes(.file(path), old: nil, new: .init(bytes)) }
            do throws(FileError) {
                try SupportFile.place(bytes, as: path, in: root)
            } catch {
                void(mark)
                throw .file(error)
            }
            return true
        }
    }

    /// What the files in collections/ say, by name.
    package func collectionFiles() throws(ItemError) -> [CollectionFile] {
        try files { () throws(FileError) in
            if try root.statusIfPresent(of: Layout.collections)?.kind != .directory { return [] }
            var found: [CollectionFile] = []
            let folder = try root.directory(Layout.collections)
            for entry in try folder.entries() where entry.kind == .regular {
                guard let file = entry.name.string, file.hasSuffix(".json"), !Layout.isTemporary(file),
                    let contents = try folder.contentsIfPresent(of: file, limit: Layout.settingsByteLimit),
                    let json = try? JSONDocument(parsing: contents.bytes),
                    let name = json.member("name", of: json.root).flatMap({ json.string($0) })
                        .flatMap({ CollectionName($0) })
                else { continue }
                func text(_ key: String) -> String? { json.member(key, of: json.root).flatMap { json.string($0) } }
                let order = json.member("order", of: json.root).flatMap {
                    Double(String(decoding: json.spelling($0), as: UTF8.self))
                }
                found.append(CollectionFile(name: name, colour: text("colour"), icon: text("icon"), order: order))
            }
            return found.sorted { ($0.order ?? .infinity, $0.name.name) < ($1.order ?? .infinity, $1.name.name) }
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
