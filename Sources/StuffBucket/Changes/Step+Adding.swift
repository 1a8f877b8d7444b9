public import Items
internal import URLs

/// Adding one item at a time; `add` takes many.
extension Step {
    /// Adds a text. It is durable when this returns.
    ///
    /// - Parameters:
    ///   - tags: trimmed, without duplicates; `collection:Work/Projects` puts the item into a collection.
    ///   - text: Markdown or plain text.
    ///   - title: the item's title; `nil` for none.
    /// - Throws: `ItemError`.
    @discardableResult
    public func addSnippet(_ text: String, title: String? = nil, tags: [String] = []) throws -> ItemID {
        try addOne(.text(Array(text.utf8)), title, tags)
    }

    /// Adds a link without fetching it. It is durable when this returns. Its `archiveStatus` is pending: the next call
    /// that saves pending pages, such as the command `sbfs archive --pending`, saves its page.
    ///
    /// - Returns: the id of the new item, or of the item that already has the link; that one also gets the tags.
    /// - Throws: `ItemError.refused` if `url` is no http or https URL.
    @discardableResult
    public func addLink(_ url: String, title: String? = nil, tags: [String] = []) throws -> ItemID {
        guard LinkIdentity(url) != nil else { throw ItemError.refused(.noWebAddress(url)) }
        return try addOne(.link(url), title, tags)
    }

    /// Copies a file into the library as a document. It is durable when this returns.
    ///
    /// - Throws: `ItemError.file` if it cannot be read, `ItemError.tooLarge` above the library's limit.
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

    /// Changes fields and tags of an item.
    ///
    /// - Parameters:
    ///   - change: sets the new fields and tags; all others stay.
    ///   - stored: the item as read.
    /// - Returns: whether anything was written.
    /// - Throws: `ItemError`, and the error of `change`.
    @discardableResult
    public func edit(_ stored: StoredItem, _ change: (inout ItemEdit) throws -> Void) throws -> Bool {
        var edit = ItemEdit(base: stored.json)
        try change(&edit)
        return try update(stored, edit)
    }
}
