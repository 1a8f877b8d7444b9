internal import HTML

/// The kind of a node: an element, text or the document.
typealias Tag = HTMLElement

extension Tag {
    /// The name of every tag, by raw value.
    static let names: [[UInt8]] = allCases.map { Array($0.name.utf8) }

    /// Whether it holds how a word is spoken, beside the word.
    var isReading: Bool { self == .rt || self == .rp }

    /// Properties of elements that the tree builder needs: the categories of the HTML Standard, sections 13.2.4.2 and
    /// 13.2.6.4.7.
    struct Traits: OptionSet, Sendable {
        let rawValue: UInt16

        /// Has no content and no end tag.
        static let void = Traits(rawValue: 1 << 0)
        /// Its start tag ends an open paragraph.
        static let closesParagraph = Traits(rawValue: 1 << 1)
        /// "Special": the search for the start of an ordinary end tag stops here.
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
        /// Is allowed in the head.
        static let inHead = Traits(rawValue: 1 << 9)
        /// Starts on a line of its own when rendered.
        static let block = Traits(rawValue: 1 << 10)
        /// Never rendered as text of the page.
        static let unrendered = Traits(rawValue: 1 << 11)
    }

    /// The traits of every tag, by raw value.
    static let traits: [Traits] = allCases.map { tag in
        var traits = tag.treeTraits
        if tag.isVoid { traits.insert(.void) }
        if tag.isBlock { traits.insert(.block) }
        return traits
    }

    private var treeTraits: Traits {
        switch self {
        case .document: [.special, .scope, .tableScope, .block]
        case .html, .body: [.special, .scope, .tableScope]
        case .head: [.special, .unrendered]
        case .title: [.special, .escapableText, .inHead, .unrendered]
        case .textarea: [.special, .escapableText, .unrendered]
        case .meta, .link, .base: [.special, .inHead, .unrendered]
        case .script, .style: [.special, .rawText, .inHead, .unrendered]
        case .noframes, .xmp, .noembed, .iframe: [.special, .rawText, .unrendered]
        case .noscript: [.inHead, .unrendered]
        case .template: [.special, .scope, .tableScope, .inHead, .unrendered]
        case .article, .section, .main, .header, .footer, .nav, .aside, .address, .hgroup, .search, .div, .center,
            .blockquote, .pre, .figure, .figcaption, .details, .summary, .ul, .ol, .dl, .menu, .dir, .p, .li, .dt, .dd,
            .form, .fieldset, .dialog, .plaintext, .hr:
            [.special, .closesParagraph]
        case .h1, .h2, .h3, .h4, .h5, .h6: [.special, .closesParagraph, .heading]
        case .table: [.special, .closesParagraph, .scope, .tableScope]
        case .td, .th, .caption, .applet, .marquee, .object: [.special, .scope]
        case .thead, .tbody, .tfoot, .tr, .colgroup, .col, .br, .img, .wbr, .embed, .keygen, .area, .input, .frame,
            .source, .track, .param, .button, .frameset:
            .special
        case .a, .b, .big, .code, .em, .font, .i, .nobr, .s, .small, .strike, .strong, .tt, .u: .formatting
        case .select, .datalist: [.special, .unrendered]
        case .svg, .math, .canvas, .map, .audio, .video, .permalink: .unrendered
        default: []
        }
    }
}
