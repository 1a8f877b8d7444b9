internal import Characters

/// The signs between the parts of a formula in MathML, so that its text is not another number: `1/2`, `10^6`, `a_1`.
///
/// It reads tags only. Elements that are too deep get no signs.
struct FormulaMarks {
    private enum Part: UInt8 {
        case math, fraction, power, index, both, root, row, source, other
    }

    private static let depthLimit = 64

    /// The open elements, with the number of children so far.
    private var open: [(part: Part, children: Int)] = []
    private var tooDeep = 0

    var isOpen: Bool { !open.isEmpty }
    /// Whether text is the source of the formula in another language.
    var isSource: Bool { open.contains { $0.part == .source } }

    mutating func open(
        _ name: UnsafeBufferPointer<UInt8>, isMath: Bool, isEmpty: Bool, _ output: inout [UInt8]
    ) {
        if isMath { open = [] }
        if let last = open.indices.last, tooDeep == 0 {
            if !isSource, let sign = sign(before: open[last].children, in: open[last].part) {
                output.append(contentsOf: sign.utf8)
            }
            open[last].children += 1
        }
        if isEmpty { return }
        if open.count >= Self.depthLimit {
            tooDeep += 1
            return
        }
        let part = isMath ? .math : Self.part(name)
        if part == .root { output.append(contentsOf: "√".utf8) }
        open.append((part, 0))
    }

    mutating func close(_ name: UnsafeBufferPointer<UInt8>, isMath: Bool) {
        if isMath {
            open = []
            tooDeep = 0
        } else if tooDeep > 0 {
            tooDeep -= 1
        } else if open.count > 1 {
            open.removeLast()
        }
    }

    private func sign(before child: Int, in part: Part) -> String? {
        switch (part, child) {
        case (.fraction, 1): "/"
        case (.power, 1), (.both, 2): "^"
        case (.index, 1), (.both, 1): "_"
        case (.row, 1...): " "
        default: nil
        }
    }

    private static func part(_ name: UnsafeBufferPointer<UInt8>) -> Part {
        if name.count > 14 { return .other }
        switch String(decoding: name.map(\.lowercased), as: UTF8.self) {
        case "mfrac": return .fraction
        case "msup", "mover", "mroot": return .power
        case "msub", "munder": return .index
        case "msubsup", "munderover": return .both
        case "msqrt": return .root
        case "mtr", "mtable": return .row
        case "annotation", "annotation-xml": return .source
        default: return .other
        }
    }
}
