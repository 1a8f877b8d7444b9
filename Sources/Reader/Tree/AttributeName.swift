/// The attributes that are kept, at most 64 of them; all others are dropped while parsing.
enum AttributeName: UInt8, CaseIterable, Sendable {
    case id, `class`, href, src, srcset, alt, title, content, name, property, itemprop, itemscope, itemtype, rel
    case datetime, lang, dir, type, role, style, hidden, colspan, rowspan, start, value, charset, cite, width, height
    case pubdate, `for`, action, media, shadowrootmode, open, scope
    case httpEquiv, ariaHidden, ariaLabel, ariaLevel, xmlLang
    case dataSrc, dataSrcset, dataOriginal, dataLazySrc, dataDatetime, dataTimestamp, dataDate, dataTestid,
        dataComponent
    case dataHref, dataURL, dataTime

    var name: String {
        switch self {
        case .httpEquiv: "http-equiv"
        case .ariaHidden: "aria-hidden"
        case .ariaLabel: "aria-label"
        case .ariaLevel: "aria-level"
        case .xmlLang: "xml:lang"
        case .dataSrc: "data-src"
        case .dataSrcset: "data-srcset"
        case .dataOriginal: "data-original"
        case .dataLazySrc: "data-lazy-src"
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
}
