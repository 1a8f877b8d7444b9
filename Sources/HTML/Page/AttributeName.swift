/// The attributes that rewriting looks at; all others are `other`.
enum AttributeName: UInt8, CaseIterable {
    case other
    // URLs that are fetched.
    case src, srcset, href, xlinkHref, poster, data, background, srcdoc, style
    // URLs that are followed.
    case action, formaction, cite, longdesc
    // What never stays.
    case ping, manifest, crossorigin, integrity, nonce, autofocus, attributionsrc, blocking, referrerpolicy, codebase
    case code, archive, classid, lowsrc, dynsrc, csp, credentialless, sharedstoragewritable, browsingtopics, xmlBase
    case imagesrcset, imagesizes, dataFrame, allow, allowfullscreen, sandbox, privatetoken, adauctionheaders
    // What is looked at.
    case rel, type, sizes, media, `as`, httpEquiv, charset, content, name, property, itemprop, id, autoplay, muted,
        value
    case width, height, alt, xmlLang, lang, shadowrootmode
    // Animation.
    case attributename, from, to, values, by
    // Presentation attributes of SVG that may name a URL.
    case fill, stroke, filter, mask, clipPath, marker, markerStart, markerMid, markerEnd, cursor
    // Where scripts that load images late find their URLs.
    case dataSrc, dataSrcset, dataOriginal, dataLazySrc, dataLazySrcset, dataLazy
    // Text for people.
    case title, placeholder, label

    private var spelling: String {
        switch self {
        case .xlinkHref: "xlink:href"
        case .xmlBase: "xml:base"
        case .xmlLang: "xml:lang"
        case .httpEquiv: "http-equiv"
        case .dataFrame: "data-sbfs-frame"
        case .clipPath: "clip-path"
        case .markerStart: "marker-start"
        case .markerMid: "marker-mid"
        case .markerEnd: "marker-end"
        case .dataSrc: "data-src"
        case .dataSrcset: "data-srcset"
        case .dataOriginal: "data-original"
        case .dataLazySrc: "data-lazy-src"
        case .dataLazySrcset: "data-lazy-srcset"
        case .dataLazy: "data-lazy"
        default: "\(self)"
        }
    }

    /// Names that do not fit the table are told apart by hand.
    private static let long: [AttributeName] = [.sharedstoragewritable, .adauctionheaders]

    static let table = NameTable(
        allCases.filter { $0 != .other && $0.spelling.utf8.count <= 16 }.map { ($0.spelling, $0.rawValue) })

    /// Whether the attribute is removed from every element.
    var isNeverKept: Bool { rawValue >= Self.ping.rawValue && rawValue <= Self.adauctionheaders.rawValue }

    /// Whether the value is a text that nothing follows or runs.
    var isText: Bool {
        switch self {
        case .content, .name, .property, .itemprop, .id, .value, .alt, .title, .placeholder, .label, .rel, .type,
            .sizes,
            .media, .lang, .xmlLang:
            true
        default: false
        }
    }

    /// What a span of a tag names.
    static func of(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> AttributeName {
        if end - start > 16 {
            for name in long {
                let matches = zip(bytes[start..<end], name.spelling.utf8).allSatisfy { $0.lowercased == $1 }
                if matches, name.spelling.utf8.count == end - start { return name }
            }
            return .other
        }
        return AttributeName(rawValue: table.value(bytes, start, end)) ?? .other
    }
}
