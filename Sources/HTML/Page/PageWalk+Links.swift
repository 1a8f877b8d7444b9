internal import Characters
internal import URLs

/// `link` and `meta`.
extension PageWalk {
    private static let fetchedAhead: Set<String> = [
        "preload", "prefetch", "prerender", "dns-prefetch", "preconnect", "modulepreload", "manifest", "import",
        "subresource", "expect", "serviceworker", "pingback", "compression-dictionary", "next",
        "apple-touch-startup-image", "monetization",
    ]
    private static let icons: Set<String> = [
        "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon", "fluid-icon",
    ]

    /// - Returns: whether the element is written at all.
    func link() -> Bool {
        let relation = text(of: .rel).lowercased()
        let types = relation.split { $0.isWhitespace }.map(String.init)
        let event = context.resolvesLazyImages ? onload() : ""
        if types.contains("stylesheet") {
            if types.contains(where: { $0 != "stylesheet" && $0 != "alternate" }), let index = draft.index(of: .rel) {
                draft.set(
                    index, .value(Array((types.contains("alternate") ? "alternate " : "").utf8) + "stylesheet".utf8))
            }
            // Loaded for print only, until a script says otherwise.
            if let media = draft.index(of: .media), event.contains(text: "media"),
                text(of: .media).lowercased() == "print"
            {
                draft.set(media, .value(Array("all".utf8)))
            }
            replaceLink(.styleSheet)
            return true
        }
        if types.contains("preload"), event.contains(text: "stylesheet"), let index = draft.index(of: .rel) {
            draft.set(index, .value(Array("stylesheet".utf8)))
            replaceLink(.styleSheet)
            return true
        }
        if types.contains(where: Self.fetchedAhead.contains) { return false }
        if types.contains(where: Self.icons.contains) {
            let icon = PageReference.Icon(
                relation: types.joined(separator: " "), sizes: text(of: .sizes), type: text(of: .type),
                media: text(of: .media))
            replaceLink(.icon, icon)
            return true
        }
        if types.contains("image_src") {
            replaceLink(.metaImage)
            return true
        }
        guard let index = draft.index(of: .href) else { return true }
        if let url = resolver.link(value(index)) { draft.set(index, .value(url)) } else { draft.set(index, .drop) }
        return true
    }

    private func replaceLink(_ kind: PageReference.Kind, _ icon: PageReference.Icon? = nil) {
        if let index = draft.index(of: .href) { replace(index, kind, icon: icon) }
    }

    /// The `onload` of the tag in lower case.
    private func onload() -> String {
        for (index, attribute) in tokens.attributes.enumerated()
        where source.equals("onload", attribute.nameStart, attribute.nameEnd) {
            return String(decoding: value(index).prefix(512), as: UTF8.self).lowercased()
        }
        return ""
    }

    // MARK: Meta

    private static let keptEquivalents: Set<String> = ["content-language", "default-style", "x-ua-compatible"]
    private static let images: Set<String> = [
        "og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src", "thumbnail", "image",
        "msapplication-tileimage", "msapplication-square70x70logo", "msapplication-square150x150logo",
        "msapplication-wide310x150logo", "msapplication-square310x310logo",
    ]

    /// - Returns: whether the element is written at all.
    func meta() -> Bool {
        if draft.index(of: .charset) != nil { return false }
        if let equivalent = value(of: .httpEquiv) {
            let name = String(decoding: URLScheme.trimmed(equivalent), as: UTF8.self).lowercased()
            return Self.keptEquivalents.contains(name)
        }
        if text(of: .name).lowercased() == "referrer" { return false }
        guard let content = draft.index(of: .content) else { return true }
        for name in [AttributeName.property, .name, .itemprop]
        where Self.images.contains(text(of: name).lowercased()) {
            replace(content, .metaImage)
            return true
        }
        return true
    }
}
