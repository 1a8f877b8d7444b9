/// The stack of open elements, with a count for each tag, so that an end tag without a start tag costs nothing.
struct OpenElements {
    private var stack: [(tag: Tag, node: Int)] = []
    private var counts = [Int32](repeating: 0, count: Tag.allCases.count)
    private var seen = [Bool](repeating: false, count: Tag.allCases.count)
    /// The depth to which the stack must be cut before the element of `prepare` is pushed. `nil` if it stays.
    private(set) var wantedDepth: Int?

    var isEmpty: Bool { stack.isEmpty }
    var count: Int { stack.count }
    /// The node of the innermost open element. The stack is never empty while a page is read.
    var current: Int { stack[stack.count - 1].node }
    var currentTag: Tag { stack[stack.count - 1].tag }
    var isForeign: Bool { counts[Int(Tag.svg.rawValue)] + counts[Int(Tag.math.rawValue)] > 0 }

    func isOpen(_ tag: Tag) -> Bool { counts[Int(tag.rawValue)] > 0 }
    func wasSeen(_ tag: Tag) -> Bool { seen[Int(tag.rawValue)] }

    mutating func push(_ tag: Tag, _ node: Int) {
        stack.append((tag, node))
        counts[Int(tag.rawValue)] += 1
        seen[Int(tag.rawValue)] = true
    }

    mutating func pop() -> Int {
        let last = stack.removeLast()
        counts[Int(last.tag.rawValue)] -= 1
        return last.node
    }

    /// The depth of the innermost element with a tag, if no element that bounds the search is above it.
    private func find(_ tag: Tag, _ traits: [Tag.Traits], bounds: Tag.Traits) -> Int? {
        if !isOpen(tag) { return nil }
        var depth = stack.count - 1
        while depth >= 0 {
            if stack[depth].tag == tag { return depth }
            if !traits[Int(stack[depth].tag.rawValue)].isDisjoint(with: bounds) { return nil }
            depth -= 1
        }
        return nil
    }

    // MARK: Start tags

    /// Finds what a start tag closes: HTML Standard, "in body" and the table modes.
    mutating func prepare(for tag: Tag, _ trait: Tag.Traits, _ traits: [Tag.Traits]) {
        wantedDepth = nil
        switch tag {
        case .li: closeItem(traits) { $0 == .li }
        case .dd, .dt: closeItem(traits) { $0 == .dd || $0 == .dt }
        case .a:
            if let depth = find(.a, traits, bounds: .scope) { wantedDepth = depth }
        case .nobr:
            if let depth = find(.nobr, traits, bounds: .scope) { wantedDepth = depth }
        case .button:
            if let depth = find(.button, traits, bounds: .scope) { wantedDepth = depth }
        case .option, .optgroup:
            if currentTag == .option { wantedDepth = stack.count - 1 }
        case .caption, .colgroup, .thead, .tbody, .tfoot: closeTable { $0 == .table }
        case .tr: closeTable { $0 == .table || $0 == .tbody || $0 == .thead || $0 == .tfoot }
        case .td, .th: closeTable { [.tr, .table, .tbody, .thead, .tfoot].contains($0) }
        case .table:
            if [.table, .tbody, .thead, .tfoot, .tr].contains(currentTag), isOpen(.table) {
                closeTable { $0 == .table }
                wantedDepth = wantedDepth.map { $0 - 1 } ?? (stack.count - 1)
            }
        default: break
        }
        if trait.contains(.closesParagraph), let depth = find(.p, traits, bounds: .scope), currentScopeAllows(depth) {
            wantedDepth = min(wantedDepth ?? depth, depth)
        }
        if trait.contains(.heading), wantedDepth == nil, traits[Int(currentTag.rawValue)].contains(.heading) {
            wantedDepth = stack.count - 1
        }
    }

    /// A paragraph outside a button is not closed by a block inside the button.
    private func currentScopeAllows(_ depth: Int) -> Bool {
        if !isOpen(.button) { return true }
        return !stack[depth...].contains { $0.tag == .button }
    }

    private mutating func closeItem(_ traits: [Tag.Traits], _ isItem: (Tag) -> Bool) {
        var depth = stack.count - 1
        while depth > 0 {
            let tag = stack[depth].tag
            if isItem(tag) {
                wantedDepth = depth
                return
            }
            if traits[Int(tag.rawValue)].contains(.special), tag != .address, tag != .div, tag != .p { return }
            depth -= 1
        }
    }

    private mutating func closeTable(_ isContext: (Tag) -> Bool) {
        if !isOpen(.table) { return }
        var depth = stack.count - 1
        while depth > 0 {
            if isContext(stack[depth].tag) {
                if depth + 1 < stack.count { wantedDepth = depth + 1 }
                return
            }
            depth -= 1
        }
    }

    /// Whether a start tag is ignored here.
    func refuses(_ tag: Tag) -> Bool {
        switch tag {
        case .tr, .td, .th, .tbody, .thead, .tfoot, .caption, .colgroup, .col: !isOpen(.table)
        case .form: isOpen(.form)
        default: false
        }
    }

    // MARK: End tags

    /// The depth to which an end tag cuts the stack, or `nil` if it is ignored.
    func depthToClose(_ tag: Tag, _ traits: [Tag.Traits]) -> Int? {
        let trait = traits[Int(tag.rawValue)]
        if trait.contains(.heading) {
            var depth = stack.count - 1
            while depth > 0 {
                let open = traits[Int(stack[depth].tag.rawValue)]
                if open.contains(.heading) { return depth }
                if open.contains(.scope) { return nil }
                depth -= 1
            }
            return nil
        }
        switch tag {
        case .template, .noscript: return find(tag, traits, bounds: [])
        case .table, .tr, .td, .th, .tbody, .thead, .tfoot, .caption:
            return find(tag, traits, bounds: .tableScope) ?? own(tag)
        case .li: return find(.li, traits, bounds: .scope).flatMap { isListBetween($0) ? nil : $0 }
        case .other:
            // All unknown names are one tag here, so only the innermost element can match.
            return currentTag == .other ? stack.count - 1 : nil
        default: break
        }
        if trait.contains(.special) || trait.contains(.formatting) { return find(tag, traits, bounds: .scope) }
        // "Any other end tag": stops at the first special element.
        return find(tag, traits, bounds: .special)
    }

    /// A table bounds its own search, so the innermost open table is meant.
    private func own(_ tag: Tag) -> Int? {
        tag == .table ? stack.lastIndex { $0.tag == .table } : nil
    }

    private func isListBetween(_ depth: Int) -> Bool {
        stack[(depth + 1)...].contains { $0.tag == .ul || $0.tag == .ol }
    }
}
