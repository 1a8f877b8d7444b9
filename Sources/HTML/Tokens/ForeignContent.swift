/// Which `svg` and `math` elements are open, and where HTML begins again inside of them.
///
/// An approximation of the tree builder's rules (HTML Standard, section 13.2.6.5) without its stack of open elements.
struct ForeignContent {
    private enum Entry {
        case svg, math
        /// An integration point: HTML inside of foreign content, of this element.
        case html(HTMLElement)
    }

    /// Deeper levels are not counted: they are treated as the last counted level.
    private static let depthLimit = 256
    private var open: [Entry] = []

    var isForeign: Bool {
        switch open.last {
        case .svg?, .math?: true
        default: false
        }
    }

    var isInDrawing: Bool {
        if case .svg? = open.first { true } else { false }
    }

    /// Treats the source that follows as content of an `svg`.
    mutating func enterSVG() { push(.svg) }

    /// - Returns: whether the element itself is an HTML element.
    @inline(__always)
    mutating func start(_ element: HTMLElement, isSelfClosing: Bool) -> Bool {
        if open.isEmpty, element != .svg, element != .math { return true }
        return startAny(element, isSelfClosing)
    }

    private mutating func startAny(_ element: HTMLElement, _ isSelfClosing: Bool) -> Bool {
        if isForeign, element.endsForeignContent { breakOut() }
        let isHTML = !isForeign
        if isSelfClosing { return isHTML }
        switch element {
        case .svg: push(.svg)
        case .math: push(.math)
        case .foreignobject, .desc, .title: if case .svg? = open.last { push(.html(element)) }
        case .mi, .mo, .mn, .ms, .mtext, .annotationXML: if case .math? = open.last { push(.html(element)) }
        default: break
        }
        return isHTML
    }

    @inline(__always)
    mutating func end(_ element: HTMLElement) {
        if open.isEmpty { return }
        endAny(element)
    }

    private mutating func endAny(_ element: HTMLElement) {
        switch element {
        case .svg, .math:
            // An end tag in an integration point does not close the elements around it.
            for index in open.indices.reversed() {
                switch open[index] {
                case .svg where element == .svg, .math where element == .math:
                    open.removeSubrange(index...)
                    return
                case .html: return
                default: continue
                }
            }
        default:
            if case .html(let point)? = open.last, point == element {
                open.removeLast()
            } else if element.endsForeignContent {
                // Its start tag, if there is one, is outside the drawing.
                breakOut()
            }
        }
    }

    private mutating func breakOut() {
        while isForeign { open.removeLast() }
    }

    private mutating func push(_ entry: Entry) {
        if open.count < Self.depthLimit { open.append(entry) }
    }
}
