import Characters
internal import HTML

/// A page as a tree in arrays. Elements and text are in document order, so everything below a node is one range.
///
/// `PageParser` makes it. Depth is at most `depthLimit`; deeper elements become siblings, as in browsers. After
/// `nodeLimit` nodes the rest of the page is dropped. Memory: 20 bytes for a node, 12 for an attribute, and the text of
/// the page once.
struct PageTree: Sendable {
    static let depthLimit = 512
    static let nodeLimit = 2_000_000

    struct Node: Sendable {
        var tag: Tag
        /// The index of the parent, or -1 for the document.
        var parent: Int32
        /// The index after the last node inside it.
        var end: Int32
        /// For text: its bytes in `text`. For an element: its attributes in `attributes`.
        var start: Int32
        var stop: Int32
    }

    struct Attribute: Sendable {
        var name: AttributeName
        /// The decoded value's bytes in `text`.
        var start: Int32
        var stop: Int32
    }

    var nodes: [Node] = []
    var attributes: [Attribute] = []
    /// Text and attribute values, decoded, in UTF-8.
    var text: [UInt8] = []
    /// The shadow roots that the markup declares.
    var shadowRoots: [Int] = []
    /// What the elements of formulas are.
    var formulaParts: [Int32: FormulaPart] = [:]
    /// The pictures that the page draws itself, by node: once `Drawings` has chosen, those of its text.
    var drawings: [Int32: Drawing] = [:]
    /// The page in UTF-8.
    var source: [UInt8] = []

    /// The bytes of a text node.
    func bytes(_ node: Int) -> ArraySlice<UInt8> { text[Int(nodes[node].start)..<Int(nodes[node].stop)] }

    /// The value of an attribute, or `nil` if the element does not have it.
    func value(_ node: Int, _ name: AttributeName) -> ArraySlice<UInt8>? {
        var index = Int(nodes[node].start)
        let stop = Int(nodes[node].stop)
        if nodes[node].tag == .text { return nil }
        while index < stop {
            if attributes[index].name == name {
                return text[Int(attributes[index].start)..<Int(attributes[index].stop)]
            }
            index += 1
        }
        return nil
    }

    func string(_ node: Int, _ name: AttributeName) -> String? {
        value(node, name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// All rendered text in a node, with white space collapsed.
    func plainText(_ node: Int, limit: Int = .max) -> String {
        String(decoding: collapsedText(node, limit: limit), as: UTF8.self)
    }

    func collapsedText(_ node: Int, limit: Int = .max) -> [UInt8] {
        var output: [UInt8] = []
        var index = node
        let end = Int(nodes[node].end)
        while index < end, output.count < limit {
            let tag = nodes[index].tag
            if tag == .other, !formulaParts.isEmpty, index != node, formulaParts[Int32(index)] == .math {
                output += FormulaText.of(index, self)
                index = Int(nodes[index].end)
                continue
            }
            if tag == .text {
                for byte in bytes(index) {
                    if byte.isHTMLSpace {
                        if let last = output.last, last != 0x20 { output.append(0x20) }
                    } else {
                        output.append(byte)
                    }
                }
            } else if index != node, tag.isReading || Tag.traits[Int(tag.rawValue)].contains(.unrendered) {
                index = Int(nodes[index].end)
                continue
            } else if tag == .br || Tag.traits[Int(tag.rawValue)].contains(.block) {
                if let last = output.last, last != 0x20 { output.append(0x20) }
            }
            index += 1
        }
        while output.last == 0x20 { output.removeLast() }
        return output
    }

    /// The index of the nearest node that satisfies a condition: the node itself or an ancestor.
    func ancestor(_ node: Int, where condition: (Int) -> Bool) -> Int? {
        var node = node
        while node >= 0 {
            if condition(node) { return node }
            node = Int(nodes[node].parent)
        }
        return nil
    }
}
