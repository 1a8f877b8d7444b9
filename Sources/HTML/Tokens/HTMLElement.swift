/// The elements that a scanner of tokens must tell apart; all others are `other`.
package enum HTMLElement: UInt8, Sendable, CaseIterable {
    case other
    // Raw text (HTML Standard, section 13.2.5.1 and 13.2.6.4.7).
    case script, style, title, textarea, xmp, iframe, noembed, noframes, noscript, plaintext
    // Where foreign content begins, and where HTML begins again in it.
    case svg, math, foreignobject, desc, mi, mo, mn, ms, mtext
    case annotationXML
    // Document.
    case html
    case head, body, base, link, meta, template
    // What fetches or leads elsewhere.
    case img, image, picture, source, video, audio, track, input, object, embed, applet, param, frame, a, area, form
    case button, use, feimage, bgsound, portal, fencedframe, handler, listener, table
    case animate, set, animatetransform, animatemotion, animatecolor
    // Void elements without a case above.
    case br, hr, wbr, col, keygen, basefont
    case pre, p
    /// Start tags that end foreign content (section 13.2.6.5), beside those above.
    case breakout

    /// Elements that have no end tag (section 13.1.2).
    package var isVoid: Bool {
        switch self {
        case .base, .link, .meta, .img, .source, .track, .input, .embed, .param, .frame, .area, .br, .hr, .wbr, .col,
            .keygen, .basefont, .bgsound:
            true
        default: false
        }
    }

    /// Whether a start tag in foreign content ends it.
    var endsForeignContent: Bool {
        switch self {
        case .breakout, .body, .br, .embed, .head, .hr, .img, .meta, .pre, .table, .p: true
        default: false
        }
    }

    static let names: [(String, HTMLElement)] = {
        var names: [(String, HTMLElement)] = allCases.compactMap {
            switch $0 {
            case .other, .breakout: nil
            case .annotationXML: ("annotation-xml", $0)
            default: ("\($0)", $0)
            }
        }
        let breakouts = """
            b big blockquote center code dd div dl dt em h1 h2 h3 h4 h5 h6 i li listing menu nobr ol ruby s small span \
            strong strike sub sup tt u ul var
            """
        for name in breakouts.split(separator: " ") { names.append((String(name), .breakout)) }
        return names
    }()
}
