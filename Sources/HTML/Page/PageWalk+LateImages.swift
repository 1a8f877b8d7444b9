import Characters
internal import Characters
internal import URLs

/// Images whose URLs are in attributes for a script that will not run.
extension PageWalk {
    func lateImage() {
        guard context.resolvesLazyImages else { return }
        if let late = AttributeName.lateSourceSets.lazy.compactMap({ self.draft.index(of: $0) }).first,
            isPlaceholder(.srcset), case let value = value(late), value.contains(where: { !$0.isHTMLSpace })
        {
            if let set = rewritten(sourceSet: value) {
                if let index = draft.index(of: .srcset) {
                    draft.set(index, .value(set))
                } else {
                    draft.add("srcset", set)
                }
            }
        }
        guard tokens.element == .img else { return }
        guard let late = AttributeName.lateSources.lazy.compactMap({ self.draft.index(of: $0) }).first,
            isPlaceholder(.src)
        else { return }
        let value = value(late)
        // The script would fill in a template.
        if value.isEmpty || value.contains(0x7B) { return }
        if let resolved = WebURL(utf8: value, base: resolver.base), lateImages.count < 10_000 {
            lateImages.insert(resolved.utf8)
        }
        guard case .value(let url) = resolver.answer(to: value, .image, .attribute, offset: offset) else { return }
        if let index = draft.index(of: .src) { draft.set(index, .value(url)) } else { draft.add("src", url) }
    }

    /// Whether an attribute is absent, or names a placeholder.
    private func isPlaceholder(_ name: AttributeName) -> Bool {
        guard let value = value(of: name) else { return true }
        let trimmed = URLScheme.trimmed(value)
        if trimmed.isEmpty || trimmed.first == 0x23 { return true }
        if URLScheme.ofText(trimmed) == .data { return trimmed.count < 2048 }
        let text = String(decoding: trimmed.suffix(200), as: UTF8.self).lowercased()
        return ["placeholder", "blank.", "spacer", "pixel", "transparent", "lazy", "loading", "grey.gif", "1x1"]
            .contains { text.contains(text: $0) }
    }
}
