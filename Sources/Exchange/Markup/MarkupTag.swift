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

    static let names: NameTable = {
        let tags: [(MarkupTag, String)] = [
            (
                .block,
                """
                address article aside body caption center dd details dir div dl fieldset figcaption figure footer form head \
                header hgroup html legend main nav p section summary tbody tfoot thead
                """
            ),
            (.h1, "h1"), (.h2, "h2"), (.h3, "h3"), (.h4, "h4"), (.h5, "h5"), (.h6, "h6"), (.quote, "blockquote"),
            (.list, "ul menu"), (.numbered, "ol"), (.item, "li"), (.term, "dt"), (.pre, "pre listing xmp plaintext"),
            (.rule, "hr"),
            (.table, "table"), (.row, "tr"), (.headerCell, "th"), (.cell, "td"), (.bold, "b strong"),
            (.italic, "i em cite dfn var"), (.strike, "s strike del"), (.code, "code kbd samp tt"), (.link, "a"),
            (.lineBreak, "br"),
            (.image, "img image"), (.sub, "sub"), (.sup, "sup"), (.underline, "u"), (.mark, "mark"), (.inserted, "ins"),
            (.video, "video"), (.audio, "audio"), (.frame, "iframe frame embed"), (.object, "object"),
            (.source, "source"),
            (.input, "input"), (.script, "script"), (.style, "style"), (.drawing, "svg"),
            (.formula, "math"), (.canvas, "canvas"), (.select, "select"), (.textarea, "textarea"),
        ]
        return NameTable(tags.flatMap { tag, names in names.split(separator: " ").map { (String($0), tag.rawValue) } })
    }()

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
