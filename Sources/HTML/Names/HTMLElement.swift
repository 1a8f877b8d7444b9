/// The elements that any part of the program distinguishes. All others are `other`.
///
/// Public, because the compiler inlines only public code into other modules. Otherwise each comparison would be a call.
public enum HTMLElement: UInt8, Sendable, CaseIterable {
    case other
    /// Nodes of a tree that no tag creates: the document, its texts, and a link to the heading around it.
    case document, text, permalink
    // Raw text (HTML Standard, section 13.2.5.1 and 13.2.6.4.7).
    case script, style, title, textarea, xmp, iframe, noembed, noframes, noscript, plaintext
    // Where foreign content begins, and where HTML begins again in it.
    case svg, math, foreignobject, desc, mi, mo, mn, ms, mtext
    case annotationXML
    // Document.
    case html
    case head, body, base, link, meta, template
    // Elements that fetch, link or act.
    case img, image, picture, source, video, audio, track, input, object, embed, applet, param, frame, a, area, form
    case button, use, feimage, bgsound, portal, fencedframe, handler, listener, table
    case animate, set, animatetransform, animatemotion, animatecolor
    // Void elements without a case above.
    case br, hr, wbr, col, keygen, basefont
    // Sections and blocks.
    case article, section, main, header, footer, nav, aside, address, hgroup, search
    case h1, h2, h3, h4, h5, h6
    case p, div, center, blockquote, pre, listing, figure, figcaption, details, summary, dialog, fieldset, legend
    case ul, ol, li, dl, dt, dd, menu, dir
    case caption, colgroup, thead, tbody, tfoot, tr, td, th
    // Within lines.
    case span, b, strong, i, em, u, s, small, big, font, tt, code, kbd, samp, `var`, sub, sup, mark, del, ins, strike
    case q, cite, abbr, dfn, time, bdi, bdo, ruby, rt, rp, label, data, nobr
    // Forms and others.
    case select, option, optgroup, output, progress, meter, datalist
    case frameset, marquee, canvas, map
    case ampImg
    /// Where a shadow root shows the content of its host.
    case slot

    /// The name in lower case. "other" for elements that are not distinguished.
    package var name: String {
        switch self {
        case .annotationXML: "annotation-xml"
        case .ampImg: "amp-img"
        default: "\(self)"
        }
    }

    private static let byName = NameTable(
        allCases.filter { $0.rawValue > permalink.rawValue }.map { ($0.name, Int($0.rawValue)) })

    /// The element with the name in a span.
    static func of(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> HTMLElement {
        byName.find(NameKey(bytes, start, end)).flatMap { HTMLElement(rawValue: UInt8($0)) } ?? .other
    }

    /// Elements that have no end tag (section 13.1.2).
    package var isVoid: Bool {
        switch self {
        case .base, .link, .meta, .img, .source, .track, .input, .embed, .param, .frame, .area, .br, .hr, .wbr, .col,
            .keygen, .basefont, .bgsound:
            true
        default: false
        }
    }

    /// Whether a start tag in foreign content ends it (section 13.2.6.5).
    package var endsForeignContent: Bool {
        switch self {
        case .b, .big, .blockquote, .body, .br, .center, .code, .dd, .div, .dl, .dt, .em, .embed, .h1, .h2, .h3, .h4,
            .h5, .h6, .head, .hr, .i, .img, .li, .listing, .menu, .meta, .nobr, .ol, .p, .pre, .ruby, .s, .small,
            .span, .strike, .strong, .sub, .sup, .table, .tt, .u, .ul, .var:
            true
        default: false
        }
    }

    /// Whether the element is shown on lines of its own.
    package var isBlock: Bool {
        switch self {
        case .html, .body, .article, .section, .main, .header, .footer, .nav, .aside, .address, .hgroup, .search, .h1,
            .h2, .h3, .h4, .h5, .h6, .p, .div, .center, .blockquote, .pre, .listing, .figure, .figcaption, .details,
            .summary, .dialog, .form, .fieldset, .legend, .ul, .ol, .li, .dl, .dt, .dd, .menu, .dir, .table, .caption,
            .colgroup, .thead, .tbody, .tfoot, .tr, .td, .th, .hr, .select, .option, .optgroup, .textarea, .frame,
            .frameset, .xmp, .plaintext:
            true
        default: false
        }
    }
}
