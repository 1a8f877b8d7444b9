import Characters
internal import HTML

/// A picture that a page draws itself.
enum Drawing: Sendable {
    /// An `svg`: its place in the source of the page, without its end tag.
    case markup(Range<Int>)
    /// A `canvas`: the place of its picture in the text of the tree, a `data:` URL.
    case canvas(Range<Int>)
}

/// The drawings of a page that are pictures of its text: no icons, and none that the page hides.
enum Drawings {
    /// The side of an icon in pixels, at most.
    private static let iconSide = 48.0
    /// A lower one is a line or a counter.
    private static let leastSide = 8.0

    /// Takes the others out of the tree's drawings, and adds the pictures of canvases.
    static func choose(in tree: inout PageTree) {
        /// The end of the open links and buttons, and of the open figures.
        var controlEnd: Int32 = 0
        var figureEnd: Int32 = 0
        for index in tree.nodes.indices {
            let node = tree.nodes[index]
            switch node.tag {
            case .a, .button, .summary, .label:
                controlEnd = max(controlEnd, node.end)
                continue
            case .figure:
                figureEnd = max(figureEnd, node.end)
                continue
            case .svg, .canvas: break
            default: continue
            }
            if node.tag == .canvas { tree.drawings[Int32(index)] = picture(of: index, tree) }
            if tree.drawings[Int32(index)] == nil { continue }
            let isInFigure = Int32(index) < figureEnd
            if !isInFigure && Int32(index) < controlEnd || isHidden(index, tree, isInFigure: isInFigure)
                || isIcon(index, tree, isInFigure: isInFigure)
            {
                tree.drawings[Int32(index)] = nil
            }
        }
    }

    /// The size in pixels: as a browser showed it, else as the page declares it; `nil` if neither is known.
    static func size(of node: Int, _ tree: borrowing PageTree) -> (width: Double, height: Double)? {
        if let shown = tree.value(node, .dataSize).flatMap({ numbers($0) }), shown.count == 2 {
            return (shown[0], shown[1])
        }
        guard let width = tree.value(node, .width).flatMap(pixels),
            let height = tree.value(node, .height).flatMap(pixels)
        else { return nil }
        return (width, height)
    }

    private static func isHidden(_ node: Int, _ tree: PageTree, isInFigure: Bool) -> Bool {
        if tree.value(node, .hidden) != nil { return true }
        // A chart beside a table of its numbers is hidden from readers of the screen alone.
        if !isInFigure, tree.value(node, .ariaHidden)?.elementsEqual("true".utf8) ?? false { return true }
        return tree.value(node, .style).map { $0.prefix(1024).filter { !$0.isHTMLSpace } }?
            .firstRange(ofBytes: "display:none") != nil
    }

    private static func isIcon(_ node: Int, _ tree: PageTree, isInFigure: Bool) -> Bool {
        if let (width, height) = size(of: node, tree) {
            if min(width, height) < leastSide { return true }
            return max(width, height) <= iconSide && !isInFigure && !isBetweenWords(node, tree)
        }
        // Icons are square, and style sheets say how large they are.
        guard !isInFigure, let box = viewBox(of: node, tree) else { return false }
        return box.width == box.height || max(box.width, box.height) <= iconSide
    }

    /// Whether words of the same sentence stand before and after it. An icon stands before or after its words.
    private static func isBetweenWords(_ node: Int, _ tree: PageTree) -> Bool {
        func isWords(_ index: Int) -> Bool {
            tree.nodes.indices.contains(index) && tree.nodes[index].tag == .text
                && tree.nodes[index].parent == tree.nodes[node].parent
                && tree.bytes(index).contains { !$0.isHTMLSpace }
        }
        return isWords(node - 1) && isWords(Int(tree.nodes[node].end))
    }

    private static func viewBox(of node: Int, _ tree: PageTree) -> (width: Double, height: Double)? {
        guard case .markup(let range)? = tree.drawings[Int32(node)] else { return nil }
        return tree.source.withUnsafeBufferPointer { source in
            let bytes = UnsafeBufferPointer(rebasing: source[range])
            var tokens = HTMLTokenizer(bytes)
            guard tokens.next(),
                let box = tokens.attributes.first(where: {
                    bytes[$0.nameStart..<$0.nameEnd].lazy.map(\.lowercased).elementsEqual("viewbox".utf8)
                }), let numbers = numbers(Array(bytes[box.valueStart..<box.valueEnd])[...]), numbers.count == 4
            else { return nil }
            return (numbers[2], numbers[3])
        }
    }

    /// The picture that the browser drew, as the page's style has it after a capture.
    private static func picture(of canvas: Int, _ tree: PageTree) -> Drawing? {
        guard let style = tree.value(canvas, .style),
            let mark = style.firstRange(ofBytes: "background-image: url(\"data:image/")
        else { return nil }
        let start = mark.lowerBound + "background-image: url(\"".utf8.count
        guard let end = style[start...].firstIndex(of: 0x22) else { return nil }
        return PixelPicture.isURL(style[start..<end]) ? .canvas(start..<end) : nil
    }

    private static func numbers(_ text: ArraySlice<UInt8>) -> [Double]? {
        let parts = text.prefix(128).split { $0.isHTMLSpace || $0 == 0x2C }
        let numbers = parts.compactMap { Double(String(decoding: $0, as: UTF8.self)) }
        return numbers.count == parts.count ? numbers : nil
    }

    /// The pixels of a length; `nil` for a share of the page's width, and for what is no length.
    private static func pixels(_ text: ArraySlice<UInt8>) -> Double? {
        let text = String(decoding: text.prefix(32), as: UTF8.self).lowercased()
        let digits = text.prefix { $0.isNumber || $0 == "." }
        guard let number = Double(digits) else { return nil }
        switch text.dropFirst(digits.count) {
        case "", "px": return number
        case "em", "rem": return number * 16
        case "ex", "ch": return number * 8
        default: return nil
        }
    }
}
