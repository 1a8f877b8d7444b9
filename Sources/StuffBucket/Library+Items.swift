public import Items
internal import URLs

extension Library {
    /// Items that match a query, pinned first, then the latest change first.
    ///
    /// - Parameter query: as `sbfs help query` describes; empty for all. It never fails to parse.
    /// - Throws: where a folder cannot be listed; items that cannot be read are left out.
    public func items(matching query: String = "") throws -> [Item] {
        try find(ItemRequest(parse(query).query)).rows.compactMap { try? item($0).item }
    }

    /// An item by its id, or `nil`.
    public func item(_ id: ItemID) throws -> Item? { try store.item(id)?.item }

    /// The text of an item, with invalid UTF-8 replaced; `nil` if it has none.
    public func text(of id: ItemID) throws -> String? {
        guard let stored = try store.item(id) else { return nil }
        return try store.text(of: stored).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Adds a snippet, durable when this returns.
    @discardableResult
    public func addSnippet(_ text: String, title: String? = nil, tags: [String] = []) throws -> ItemID {
        try addOne(.text(Array(text.utf8)), title, tags)
    }

    /// Adds a link, durable when this returns; nothing is fetched.
    ///
    /// - Returns: the id of the new item, or of the one that has the link already.
    @discardableResult
    public func addLink(_ url: String, title: String? = nil, tags: [String] = []) throws -> ItemID {
        guard LinkIdentity(url) != nil else { throw ItemError.refused("\(url) is not an http or https URL") }
        return try addOne(.link(url), title, tags)
    }

    /// Copies a file into the library as a document, durable when this returns.
    @discardableResult
    public func addDocument(at path: String, title: String? = nil, tags: [String] = []) throws -> ItemID {
        try addOne(.document(path), title, tags)
    }

    private func addOne(_ content: Addition.Content, _ title: String?, _ tags: [String]) throws -> ItemID {
        var addition = Addition(content)
        addition.title = title
        addition.tags = tags
        switch try add([addition])[0] {
        case .added(let item): return item.id
        case .known(let row, _), .trashed(let row), .restored(let row): return row.id
        case .refused(_, let error): throw error
        }
    }
}
