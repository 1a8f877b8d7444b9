/// The elements that parsing, metadata or extraction treat apart; every other one is `other`.
enum Tag: UInt8, CaseIterable, Sendable {
    case document, text, other
    /// A link to the heading it stands in; see `Permalinks`. No page's tag reads as one.
    case permalink
    case html, head, body, title, meta, link, base, script, style, noscript, template
    case article, section, main, header, footer, nav, aside, address, hgroup, search
    case h1, h2, h3, h4, h5, h6
    case p, div, center, blockquote, pre, hr, br, wbr, figure, figcaption, picture, source, img, details, summary
    case ul, ol, li, dl, dt, dd, menu, dir
    case table, caption, colgroup, col, thead, tbody, tfoot, tr, td, th
    case a, span, b, strong, i, em, u, s, small, big, font, tt, code, kbd, samp, `var`, sub, sup, mark, del, ins, strike
    case q, cite, abbr, dfn, time, bdi, bdo, ruby, rt, rp, label, data, nobr
    case form, input, button, select, option, optgroup, textarea, fieldset, legend, output, progress, meter, datalist
    case iframe, frame, frameset, noframes, object, embed, param, applet, marquee, audio, video, track, canvas, map,
        area
    case svg, math, xmp, plaintext, noembed, dialog, keygen, amp_img

    /// The name in reader.html and in tables; `amp-img` reads as an image.
    var name: String { String(decoding: Self.names[Int(rawValue)], as: UTF8.self) }

    /// The name of every tag, by raw value.
    static let names: [[UInt8]] = allCases.map { Array($0 == .amp_img ? "amp-img".utf8 : "\($0)".utf8) }
}

extension Tag {
    /// What the tree builder asks of an element, after the categories of the HTML Standard, section 13.2.4.2 and 13.2.6.4.7.
    struct Traits: OptionSet, Sendable {
        let rawValue: UInt16

        /// Has no content and no end tag.
        static let void = Traits(rawValue: 1 << 0)
        /// Its start tag ends an open paragraph.
        static let closesParagraph = Traits(rawValue: 1 << 1)
        /// "Special": the search for an ordinary end tag's start stops here.
        static let special = Traits(rawValue: 1 << 2)
        /// Bounds "has an element in scope".
        static let scope = Traits(rawValue: 1 << 3)
        /// Bounds "has an element in table scope".
        static let tableScope = Traits(rawValue: 1 << 4)
        static let formatting = Traits(rawValue: 1 << 5)
        static let heading = Traits(rawValue: 1 << 6)
        /// Content is text up to the end tag, without markup.
        static let rawText = Traits(rawValue: 1 << 7)
        /// The same, with character references.
        static let escapableText = Traits(rawValue: 1 << 8)
        /// May stand in the head.
        static let inHead = Traits(rawValue: 1 << 9)
        /// Starts on a line of its own when rendered.
        static let block = Traits(rawValue: 1 << 10)
        /// Never rendered as text of the page.
        static let unrendered = Traits(rawValue: 1 << 11)
    }

    /// The traits of every tag, by raw value.
    static let traits: [Traits] = allCases.map { tag in
        switch tag {
        case .document, .html, .body: [.special, .scope, .tableScope, .block]
        case .head: [.special, .unrendered]
        case .title: [.special, .escapableText, .inHead, .unrendered]
        case .textarea: [.special, .escapableText, .unrendered]
        case .meta, .link, .base: [.special, .void, .inHead, .unrendered]
        case .script, .style: [.special, .rawText, .inHead, .unrendered]
        case .noframes, .xmp, .noembed, .iframe: [.special, .rawText, .unrendered]
        case .noscript: [.inHead, .unrendered]
        case .template: [.special, .scope, .tableScope, .inHead, .unrendered]
        case .article, .section, .main, .header, .footer, .nav, .aside, .address, .hgroup, .search, .div, .center,
            .blockquote, .pre, .figure, .figcaption, .details, .summary, .ul, .ol, .dl, .menu, .dir, .p, .li, .dt, .dd,
            .form, .fieldset:
            [.special, .closesParagraph, .block]
        case .dialog: [.special, .closesParagraph, .block]
        case .plaintext: [.special, .closesParagraph]
        case .h1, .h2, .h3, .h4, .h5, .h6: [.special, .closesParagraph, .heading, .block]
        case .hr: [.special, .void, .closesParagraph, .block]
        case .table: [.special, .closesParagraph, .scope, .tableScope, .block]
        case .td, .th, .caption: [.special, .scope, .block]
        case .thead, .tbody, .tfoot, .tr, .colgroup: [.special, .block]
        case .col: [.special, .void]
        case .br, .img, .wbr, .embed, .keygen, .area, .input, .frame: [.special, .void]
        case .source, .track, .param: [.special, .void]
        case .a, .b, .big, .code, .em, .font, .i, .nobr, .s, .small, .strike, .strong, .tt, .u: [.formatting]
        case .button: [.special]
        case .select, .datalist: [.special, .unrendered]
        case .applet, .marquee, .object: [.special, .scope]
        case .option, .optgroup, .legend: [.block]
        case .svg, .math, .canvas, .map, .audio, .video, .permalink: [.unrendered]
        case .frameset: [.special]
        default: []
        }
    }
}
