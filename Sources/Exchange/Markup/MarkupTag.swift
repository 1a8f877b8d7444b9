internal import HTML

/// The HTML elements that Markdown can express, and those whose loss is reported.
enum MarkupTag: UInt8 {
    case other
    // Blocks without a sign of their own.
    case block
    case h1, h2, h3, h4, h5, h6
    case quote, list, numbered, item, term, pre, rule, table, row, headerCell, cell
    // Within a line.
    case bold, italic, strike, code, link, lineBreak, image
    /// Kept as HTML, which Markdown allows: `sub`, `sup`, `u`, `mark`, `ins`.
    case sub, sup, underline, mark, inserted
    // Contents in other files.
    case video, audio, frame, object, source
    case input
    // What is not shown, or cannot be.
    case script, style, drawing, formula, canvas, select, textarea

    /// What Markdown has for an element.
    init(_ element: HTMLElement) {
        switch element {
        case .address, .article, .aside, .body, .caption, .center, .dd, .details, .dir, .div, .dl, .fieldset,
            .figcaption, .figure, .footer, .form, .head, .header, .hgroup, .html, .legend, .main, .nav, .p, .section,
            .summary, .tbody, .tfoot, .thead:
            self = .block
        case .h1: self = .h1
        case .h2: self = .h2
        case .h3: self = .h3
        case .h4: self = .h4
        case .h5: self = .h5
        case .h6: self = .h6
        case .blockquote: self = .quote
        case .ul, .menu: self = .list
        case .ol: self = .numbered
        case .li: self = .item
        case .dt: self = .term
        case .pre, .listing, .xmp, .plaintext: self = .pre
        case .hr: self = .rule
        case .table: self = .table
        case .tr: self = .row
        case .th: self = .headerCell
        case .td: self = .cell
        case .b, .strong: self = .bold
        case .i, .em, .cite, .dfn, .var: self = .italic
        case .s, .strike, .del: self = .strike
        case .code, .kbd, .samp, .tt: self = .code
        case .a: self = .link
        case .br: self = .lineBreak
        case .img, .image: self = .image
        case .sub: self = .sub
        case .sup: self = .sup
        case .u: self = .underline
        case .mark: self = .mark
        case .ins: self = .inserted
        case .video: self = .video
        case .audio: self = .audio
        case .iframe, .frame, .embed: self = .frame
        case .object: self = .object
        case .source: self = .source
        case .input: self = .input
        case .script: self = .script
        case .style: self = .style
        case .svg: self = .drawing
        case .math: self = .formula
        case .canvas: self = .canvas
        case .select: self = .select
        case .textarea: self = .textarea
        default: self = .other
        }
    }

    /// Whether the element starts a new line.
    var isBlock: Bool { rawValue >= MarkupTag.block.rawValue && rawValue <= MarkupTag.cell.rawValue }

    /// The name of the loss in an import's summary; `nil` if nothing readable is lost.
    var lossName: String? {
        switch self {
        case .script: "scripts in HTML"
        case .style: "styles in HTML"
        case .drawing: "drawings (svg) in HTML"
        case .formula: "formulas (math) in HTML"
        case .canvas: "drawings (canvas) in HTML"
        case .input, .select, .textarea: "form fields in HTML"
        default: nil
        }
    }

    /// The sign of an inline element, or its HTML; `nil` if it has none.
    var sign: (open: String, close: String)? {
        switch self {
        case .bold: ("**", "**")
        case .italic: ("*", "*")
        case .strike: ("~~", "~~")
        case .sub: ("<sub>", "</sub>")
        case .sup: ("<sup>", "</sup>")
        case .underline: ("<u>", "</u>")
        case .mark: ("<mark>", "</mark>")
        case .inserted: ("<ins>", "</ins>")
        default: nil
        }
    }
}
