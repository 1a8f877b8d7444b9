/// The attributes that any part of the program distinguishes. All others are `other`.
///
/// Public for the same reason as `HTMLElement`.
public enum AttributeName: UInt8, CaseIterable, Sendable {
    case other
    // URLs that are fetched.
    case src, srcset, href, xlinkHref, poster, data, background, srcdoc, style
    // URLs that are followed.
    case action, formaction, cite, longdesc
    // Attributes that are always removed.
    case ping, manifest, crossorigin, integrity, nonce, autofocus, attributionsrc, blocking, referrerpolicy, codebase
    case code, archive, classid, lowsrc, dynsrc, csp, credentialless, sharedstoragewritable, browsingtopics, xmlBase
    case imagesrcset, imagesizes, dataFrame, dataUnseen, dataSize, dataStyle, allow, allowfullscreen, sandbox,
        privatetoken
    case shadowrootslotassignment
    case adauctionheaders
    // Attributes that are read.
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
    // Attributes that help to find an article.
    case `class`, itemscope, itemtype, role, hidden, datetime, pubdate, dir, colspan, rowspan, start, `for`, open, scope
    case ariaHidden, ariaLabel, ariaLevel
    case dataDatetime, dataTimestamp, dataDate, dataTestid, dataComponent, dataHref, dataURL, dataTime
    /// Where an element stands in the shadow root of its parent.
    case slot

    /// The name as it is written in HTML.
    package var spelling: String {
        switch self {
        case .xlinkHref: "xlink:href"
        case .xmlBase: "xml:base"
        case .xmlLang: "xml:lang"
        case .httpEquiv: "http-equiv"
        case .dataFrame: "data-sbfs-frame"
        case .dataUnseen: "data-sbfs-unseen"
        case .dataSize: "data-sbfs-size"
        case .dataStyle: "data-sbfs-style"
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
        case .ariaHidden: "aria-hidden"
        case .ariaLabel: "aria-label"
        case .ariaLevel: "aria-level"
        case .dataDatetime: "data-datetime"
        case .dataTimestamp: "data-timestamp"
        case .dataDate: "data-date"
        case .dataTestid: "data-testid"
        case .dataComponent: "data-component"
        case .dataHref: "data-href"
        case .dataURL: "data-url"
        case .dataTime: "data-time"
        default: "\(self)"
        }
    }

    /// The attributes in which a lazy picture has its URL, the most likely first.
    package static let lateSources: [AttributeName] = [.dataSrc, .dataLazySrc, .dataOriginal, .dataLazy]
    /// The attributes in which a lazy picture has its `srcset`.
    package static let lateSourceSets: [AttributeName] = [.dataSrcset, .dataLazySrcset]

    private static let byName = NameTable(
        allCases.filter { $0 != .other && $0.spelling.utf8.count <= 16 }.map { ($0.spelling, Int($0.rawValue)) })

    /// Whether the attribute is removed from every element.
    var isNeverKept: Bool { rawValue >= Self.ping.rawValue && rawValue <= Self.adauctionheaders.rawValue }

    /// Whether the value is plain text: nothing follows it as a link or runs it.
    var isText: Bool {
        switch self {
        case .content, .name, .property, .itemprop, .id, .value, .alt, .title, .placeholder, .label, .rel, .type,
            .sizes,
            .media, .lang, .xmlLang:
            true
        default: false
        }
    }

    /// The attribute with the name in a span.
    package static func of(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> AttributeName {
        // The only names that are too long for the table.
        if end - start > 16 {
            if bytes.equals("shadowrootslotassignment", start, end) { return .shadowrootslotassignment }
            return bytes.equals("sharedstoragewritable", start, end) ? .sharedstoragewritable : .other
        }
        return byName.find(NameKey(bytes, start, end)).flatMap { AttributeName(rawValue: UInt8($0)) } ?? .other
    }
}
