import Characters
internal import HTML

extension ReaderMarkup {
    /// Writes a formula as MathML: only elements of `FormulaPart`, without attributes, and text only in leaves. Leaves
    /// hold nothing else, so no parser finds HTML in a formula.
    mutating func writeFormula(_ formula: Int) {
        if kind == .parts { return }
        let tree = content.tree
        if kind != .preformatted { prepareInline() }
        // A row of signs is text of its sentence.
        if kind == .preformatted || !tree.hasStructure(formula) {
            MarkupText.appendCollapsed(FormulaText.of(formula, tree)[...], to: &bytes)
            return
        }
        var open: [(end: Int, name: String)] = []
        var index = formula
        while index < Int(tree.nodes[formula].end) {
            while let last = open.last, last.end <= index { close(&open) }
            let node = tree.nodes[index]
            let part = tree.part(index)
            if part == .source || Tag.traits[Int(node.tag.rawValue)].contains(.unrendered) {
                index = Int(node.end)
            } else if node.tag == .text {
                // Text outside of a leaf is not of the formula's language, but browsers show it.
                if !tree.bytes(index).allSatisfy(\.isHTMLSpace) { leaf("mtext", tree.bytes(index)) }
                index += 1
            } else if let part, part.isLeaf {
                leaf(part.rawValue, tree.collapsedText(index)[...])
                index = Int(node.end)
            } else {
                // `mstyle`, `semantics` and others only group.
                let name = (part ?? .mrow).rawValue
                bytes += "<\(name)>".utf8
                open.append((Int(node.end), name))
                index += 1
            }
        }
        while !open.isEmpty { close(&open) }
    }

    private mutating func close(_ open: inout [(end: Int, name: String)]) {
        if let last = open.popLast() { bytes += "</\(last.name)>".utf8 }
    }

    private mutating func leaf(_ name: String, _ text: ArraySlice<UInt8>) {
        bytes += "<\(name)>".utf8
        MarkupText.append(text, to: &bytes)
        bytes += "</\(name)>".utf8
    }
}
