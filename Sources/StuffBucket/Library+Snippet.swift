public import Items
public import Search

extension Library {
    /// The passage of an item's texts with the most matches; the start of its first text if nothing matches; `nil`
    /// for an item without texts.
    public func snippet(of stored: StoredItem, _ highlighter: Highlighter) -> Snippet? {
        var beginning: Snippet?
        let texts: [() -> [UInt8]?] = [
            { (try? self.store.text(of: stored)) ?? nil }, { SavedPage.text(of: stored, in: self.store) },
            { stored.item.description.map { Array($0.utf8) } }, { stored.item.aiSummary.map { Array($0.utf8) } },
            { stored.item.annotations.isEmpty ? nil : Array(stored.item.annotations.joined(separator: " ").utf8) },
            // Last, because the page repeats its article.
            {
                stored.parts.isSuperset(of: [.page, .reader])
                    ? SavedPage.wholeText(of: stored, in: self.store) : nil
            },
        ]
        for text in texts {
            guard let text = text(), !text.isEmpty else { continue }
            let snippet = highlighter.snippet(of: text)
            if !snippet.marks.isEmpty { return snippet }
            if beginning == nil, !snippet.text.isEmpty { beginning = snippet }
        }
        return beginning
    }
}
