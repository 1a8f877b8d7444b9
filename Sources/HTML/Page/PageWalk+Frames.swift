internal import URLs

/// `iframe` and `frame`.
extension PageWalk {
    func frame() {
        let number =
            context.hasRunScripts ? value(of: .dataFrame).flatMap { Int(String(decoding: $0, as: UTF8.self)) } : nil
        let source = draft.index(of: .src)
        let inner = tokens.element == .iframe ? draft.index(of: .srcdoc) : nil
        // The inner document is read in every case, so that both passes see the same references.
        let innerDocument = inner.map { rewritten(inner: value($0)) }
        if inner == nil || number != nil {
            let kind = PageReference.Kind.frame
            let value =
                inner == nil ? source.map(value) ?? (context.resolvesLazyImages ? value(of: .dataSrc) : nil) : []
            if number != nil || source != nil || value != nil {
                switch resolver.answer(to: value ?? [], kind, .attribute, offset: offset, frameNumber: number) {
                case .keep: break
                case .value(let url):
                    if let source { draft.set(source, .value(url)) } else { draft.add("src", url) }
                    if let inner { draft.set(inner, .drop) }
                    return sandbox()
                case .missing(let url): if let source { setMissing(source, url) }
                case .sprite: break
                }
            }
        }
        if let inner, let innerDocument {
            draft.set(inner, .value(innerDocument))
            if let source { draft.set(source, .drop) }
        }
        sandbox()
    }

    /// No script, form or popup works in the frame. Without `allow-same-origin` it could not load files of the archive,
    /// and without scripts nothing can use that.
    private func sandbox() {
        if tokens.element == .iframe { draft.add("sandbox", Array("allow-same-origin".utf8)) }
    }

    private func rewritten(inner: [UInt8]) -> [UInt8] {
        guard depth < Self.depthLimit else { return [] }
        var inside = context
        inside.syntax = .html
        return inner.withUnsafeBufferPointer { buffer in
            var resolver = resolver
            resolver.base = BaseElement.url(in: buffer, isXML: false, fallback: resolver.base)
            return PageWalk(buffer, inside, .html, resolver, depth: depth + 1, fixedOffset: offset).run()
        }
    }
}
