internal import Characters
internal import URLs

/// Resolves the URLs of one document and asks for their replacements.
struct ReferenceResolver {
    let documentURL: WebURL
    /// The first `base`, or the document's URL.
    var base: WebURL
    let replace: (PageReference) -> Replacement
    /// The attributes that selectors of sheets must not name.
    let spellings: KeptSpellings

    private let documentWithoutFragment: WebURL

    init(
        documentURL: WebURL, base: WebURL, spellings: KeptSpellings = [],
        replace: @escaping (PageReference) -> Replacement
    ) {
        self.spellings = spellings
        self.documentURL = documentURL
        self.base = base
        self.replace = replace
        documentWithoutFragment = documentURL.withoutFragment
    }

    /// Where a URL is written. Only in some places does a bare fragment name a place in the document.
    enum Place {
        case attribute, sprite, style
    }

    func answer(
        to value: some Collection<UInt8>, _ kind: PageReference.Kind, _ place: Place, offset: Int,
        frameNumber: Int? = nil, icon: PageReference.Icon? = nil
    ) -> ReferenceAnswer {
        let value = URLScheme.trimmed(value)
        if let frameNumber {
            let named = value.isEmpty ? nil : WebURL(utf8: value, base: base)
            let url = named.flatMap { $0.isHTTP ? $0 : nil } ?? WebURL("about:blank")
            guard let url else { return .missing([]) }
            return ask(PageReference(kind: kind, url: url, offset: offset, frameNumber: frameNumber))
        }
        // A frame or an object with a URL of white space and controls would show the page inside itself.
        guard let first = value.first else { return kind == .frame || kind == .object ? .missing([]) : .keep }
        if first == 0x23, place != .attribute { return .keep }
        switch URLScheme.ofText(value) {
        case .script, .local: return .missing([])
        case .data:
            switch kind {
            case .styleSheet, .importedStyleSheet, .frame, .object: break
            default: return URLScheme.isPassiveData(value) ? .keep : .missing([])
            }
        case .other: break
        }
        // cid: names a part of the same MHTML file, RFC 2392: the sheets and frames of a page that Chromium saved.
        guard let url = WebURL(utf8: value, base: base), url.isHTTP || url.scheme == "data" || url.scheme == "cid"
        else { return .missing([]) }
        if place != .attribute, let fragment = localFragment(of: url) { return .value(fragment) }
        return ask(PageReference(kind: kind, url: url, offset: offset, icon: icon))
    }

    private func ask(_ reference: PageReference) -> ReferenceAnswer {
        let url = reference.url
        var fragment: [UInt8] = []
        if reference.kind != .sprite, let text = url.fragment { fragment = [0x23] + Array(text.utf8) }
        switch replace(reference) {
        case .file(let path):
            // A path that a browser would read as an absolute URL or another origin is rejected.
            var path = Array(path.utf8)
            guard !path.isEmpty, !path.starts(with: "//".utf8), !path.contains(where: { $0 <= 0x20 || $0 == 0x5C })
            else { return .missing(url.utf8) }
            if path.prefix(while: { $0 != 0x2F }).contains(0x3A) { path = Array("./".utf8) + path }
            return .value(path + fragment)
        case .data(let type, let bytes):
            guard URLScheme.isPassive(type: type, mayBeSheet: reference.kind.isStyleSheet) else {
                return .missing(url.utf8)
            }
            let safe = Array(type.utf8).filter { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x2C && $0 != 0x3C }
            return .value(Array("data:".utf8) + safe + Array(";base64,".utf8) + Base64.encoded(bytes) + fragment)
        case .inlineSVG(let bytes):
            guard reference.kind == .sprite, let wanted = url.fragment, !wanted.isEmpty else {
                return .missing(url.utf8)
            }
            return .sprite(bytes, url)
        case .missing: return .missing(url.utf8)
        case .absolute:
            let isDocument = reference.kind == .frame || reference.kind == .object
            guard url.scheme == "data" else { return .value(url.utf8) }
            return !isDocument && URLScheme.isPassiveData(url.utf8, mayBeSheet: reference.kind.isStyleSheet)
                ? .value(url.utf8) : .missing([])
        }
    }

    /// Makes a link absolute that a person follows.
    ///
    /// - Returns: `nil` for a link that must not be followed.
    func link(_ value: some Collection<UInt8>) -> [UInt8]? {
        let value = URLScheme.trimmed(value)
        if value.first == 0x23 { return value }
        switch URLScheme.ofText(value) {
        case .script: return nil
        case .data: if !URLScheme.isPassiveData(value) || URLScheme.isSVGData(value) { return nil }
        case .local, .other: break
        }
        guard let url = WebURL(utf8: value, base: base), !URLScheme.isScript(url.scheme) else { return nil }
        if !value.isEmpty, let fragment = localFragment(of: url) { return fragment }
        return url.utf8
    }

    /// `#x`, if a URL names a fragment of the document itself.
    private func localFragment(of url: WebURL) -> [UInt8]? {
        guard let fragment = url.fragment, url.withoutFragment == documentWithoutFragment else { return nil }
        return [0x23] + Array(fragment.utf8)
    }
}

extension PageReference.Kind {
    var isStyleSheet: Bool { self == .styleSheet || self == .importedStyleSheet }
}
