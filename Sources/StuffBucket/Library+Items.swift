public import Items

extension Library {
    /// Items that match a query, pinned first, then the latest change first.
    ///
    /// - Parameter query: as `QueryParser` describes; empty for all. Every text is a valid query.
    /// - Throws: if a folder cannot be listed; items that cannot be read are left out.
    public func items(matching query: String = "") throws -> [Item] {
        try find(ItemRequest(parse(query).query)).rows.compactMap { try? item($0).item }
    }

    /// An item by its id; `nil` if there is none.
    ///
    /// - Throws: `ItemError`.
    public func item(_ id: ItemID) throws -> Item? { try store.item(id)?.item }

    /// The text of an item, with invalid UTF-8 replaced; `nil` if it has none.
    ///
    /// - Throws: `ItemError`.
    public func text(of id: ItemID) throws -> String? {
        guard let stored = try store.item(id) else { return nil }
        return try store.text(of: stored).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Adds a snippet in its own step. It is durable when this returns.
    ///
    /// - Throws: `ItemError`, of which `stepIsOpen` within a step.
    @discardableResult
    public func addSnippet(_ text: String, title: String? = nil, tags: [String] = []) throws -> ItemID {
        try change("add a text") { try $0.addSnippet(text, title: title, tags: tags) }
    }

    /// Adds a link in its own step, without fetching it. It is durable when this returns.
    ///
    /// - Returns: the id of the new item, or of the item that already has the link.
    /// - Throws: As `Step.addLink`, and `ItemError.stepIsOpen` within a step.
    @discardableResult
    public func addLink(_ url: String, title: String? = nil, tags: [String] = []) throws -> ItemID {
        try change("add \(url)") { try $0.addLink(url, title: title, tags: tags) }
    }

    /// Copies a file into the library as a document, in its own step. It is durable when this returns.
    ///
    /// - Throws: As `Step.addDocument`, and `ItemError.stepIsOpen` within a step.
    @discardableResult
    public func addDocument(at path: String, title: String? = nil, tags: [String] = []) throws -> ItemID {
        try change("add \(path)") { try $0.addDocument(at: path, title: title, tags: tags) }
    }
}
