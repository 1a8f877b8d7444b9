/// The three-way merge of texts, paragraph by paragraph: Documentation/Merge.md § 3.
struct TextMerge {
    private let base: ParagraphText, a: ParagraphText, b: ParagraphText
    private let aWins: Bool
    /// The ends of all lines, if a side changed all of them.
    private let ends: LineEnds?
    private let left: ParagraphSide, right: ParagraphSide
    /// Whether histories crossed, and a paragraph of one side is left out because of it, or one of the base is held.
    let hasCrossed: Bool
    /// The paragraphs that both sides changed.
    private(set) var conflicts: [Conflict] = []

    init(
        base: [UInt8], a: [UInt8], b: [UInt8], aWins: Bool,
        edits: (a: ElementEdits<[UInt8]>, b: ElementEdits<[UInt8]>) = (ElementEdits(), ElementEdits())
    ) {
        let ends = LineEnds.changed(base: base, a, b)
        let texts = [base, a, b].map { text in ParagraphText(ends?.given(to: text) ?? text) }
        (self.base, self.a, self.b) = (texts[0], texts[1], texts[2])
        var edits = edits
        if let ends { edits = (edits.a.map { ends.given(to: $0) }, edits.b.map { ends.given(to: $0) }) }
        self.ends = ends
        self.aWins = aWins
        var left = ParagraphSide(self.base.paragraphs, self.a.paragraphs)
        var right = ParagraphSide(self.base.paragraphs, self.b.paragraphs)
        let (old, one, two) = (self.base.paragraphs, self.a.paragraphs, self.b.paragraphs)
        let both = [
            left.leaveOutStale(old, one, other: two, edits.a, edits.b),
            right.leaveOutStale(old, two, other: one, edits.b, edits.a),
            left.hold(old, one, other: two, edits.a, edits.b), right.hold(old, two, other: one, edits.b, edits.a),
        ]
        hasCrossed = both.contains(true)
        (self.left, self.right) = (left, right)
    }

    /// The merged bytes.
    mutating func run() -> [UInt8] {
        var result: [Paragraph] = []
        for place in 0...base.paragraphs.count {
            result += Self.united(arrived(left, right, place, isA: true), arrived(right, left, place, isA: false))
            if place < base.paragraphs.count { result += paragraphs(at: place) }
        }
        result = withoutDoubles(result)
        let own = (aWins ? a : b).border
        let border = ends?.given(to: own) ?? own
        var bytes = Array(result.isEmpty ? [] : pick(base.head, a.head, b.head))
        for (place, paragraph) in result.enumerated() {
            bytes += paragraph.body
            if place < result.count - 1 { bytes += paragraph.after ?? border[...] }
        }
        return result.isEmpty ? [] : bytes + pick(base.tail, a.tail, b.tail)
    }

    /// Leaves out paragraphs that stand more often than on either side: both sides put one in, at places that differ.
    private func withoutDoubles(_ result: [Paragraph]) -> [Paragraph] {
        func counts(_ paragraphs: [Paragraph]) -> [ArraySlice<UInt8>: Int] {
            paragraphs.reduce(into: [:]) { $0[$1.body, default: 0] += 1 }
        }
        let one = counts(a.paragraphs), two = counts(b.paragraphs)
        var standing: [ArraySlice<UInt8>: Int] = [:]
        return result.filter { paragraph in
            standing[paragraph.body, default: 0] += 1
            let most = max(1, one[paragraph.body] ?? 0, two[paragraph.body] ?? 0)
            return standing[paragraph.body] ?? 0 <= most
        }
    }

    /// Who changed it, wins; both: the winner.
    private func pick<Value: Equatable>(_ base: Value, _ one: Value, _ two: Value) -> Value {
        if one == two || two == base { return one }
        if one == base { return two }
        return aWins ? one : two
    }

    /// What a side put before a paragraph of the base. What it moved there has the other side's change.
    private mutating func arrived(
        _ side: ParagraphSide, _ other: ParagraphSide, _ place: Int, isA: Bool
    ) -> [Paragraph] {
        var arrived: [Paragraph] = []
        for paragraph in side.before[place] {
            if let stays = changed(paragraph, side, other, isA: isA) { arrived.append(stays) }
        }
        return arrived
    }

    /// A paragraph that a side put or moved, as the other side has it now. Both changed what the side holds.
    private mutating func changed(
        _ paragraph: Paragraph, _ side: ParagraphSide, _ other: ParagraphSide, isA: Bool
    ) -> Paragraph? {
        guard let source = side.moved[paragraph] else { return paragraph }
        if other.moved[paragraph] != nil { return aWins == isA ? paragraph : nil }
        switch other.changes[source] {
        case .none: return paragraph
        case .removed: return side.held.contains(paragraph) ? paragraph : nil
        case .changed(let changed):
            if side.held.contains(paragraph), changed.withoutReturns != paragraph.withoutReturns {
                let (winner, loser) = aWins == isA ? (paragraph, changed) : (changed, paragraph)
                clash(paragraph, winner, loser)
                return Paragraph(body: winner.body, after: paragraph.after)
            }
            return Paragraph(body: changed.body, after: paragraph.after)
        }
    }

    /// What stands in the place of a paragraph of the base.
    private mutating func paragraphs(at place: Int) -> [Paragraph] {
        let old = base.paragraphs[place]
        let one = left.changes[place], two = right.changes[place]
        if left.moved[old] != nil || right.moved[old] != nil {
            // The other side's change goes to the new place; what the mover put into the old one is new text.
            return [(left, one), (right, two)].compactMap { side, change in
                if side.moved[old] != nil, case .changed(let paragraph) = change { paragraph } else { nil }
            }
        }
        switch (one, two) {
        case (.none, .none): return [kept(old, place)]
        case (.none, .removed): return left.held.contains(old) ? [kept(old, place)] : []
        case (.removed, .none): return right.held.contains(old) ? [kept(old, place)] : []
        case (.removed, .removed): return []
        case (.none, .changed(let changed)): return paragraphs(at: place, changed, keptBy: left, wins: aWins)
        case (.changed(let changed), .none): return paragraphs(at: place, changed, keptBy: right, wins: !aWins)
        case (.removed, .changed(let changed)), (.changed(let changed), .removed): return [changed]
        case (.changed(let one), .changed(let two)):
            if one == two { return [one] }
            if let joined = words(of: one, two, insteadOf: old) { return [joined] }
            let (winner, loser) = aWins ? (one, two) : (two, one)
            clash(old, winner, loser)
            return [winner]
        }
    }

    private mutating func clash(_ base: Paragraph, _ winner: Paragraph, _ loser: Paragraph) {
        conflicts.append(
            Conflict(
                field: "text", base: .string(base.text), winner: .string(winner.text), loser: .string(loser.text)))
    }

    /// What stands where one side changed a paragraph. If the other side put the changed one beside it, that stands once, there; the
    /// old one stays if the two are alike, or it is held: one copy took both values of a conflict, and the other one of them. If the other side holds
    /// the old one, both changed it.
    ///
    /// - Parameter wins: whether the side that kept the old one wins.
    private mutating func paragraphs(
        at place: Int, _ changed: Paragraph, keptBy side: ParagraphSide, wins: Bool
    ) -> [Paragraph] {
        let old = base.paragraphs[place]
        if !side.putBeside(place, changed) {
            let after = after(old, side.after[place] ?? nil, changed.after)
            if side.held.contains(old), changed.withoutReturns != old.withoutReturns {
                let (winner, loser) = wins ? (old, changed) : (changed, old)
                clash(old, winner, loser)
                return [Paragraph(body: winner.body, after: after)]
            }
            return [Paragraph(body: changed.body, after: after)]
        }
        return side.held.contains(old) || ParagraphSide.areAlike(old, changed) ? [kept(old, place)] : []
    }

    /// A paragraph that neither side changed, with the empty lines of the side that changed those.
    private func kept(_ old: Paragraph, _ place: Int) -> Paragraph {
        Paragraph(body: old.body, after: after(old, left.after[place] ?? nil, right.after[place] ?? nil))
    }

    /// What follows a paragraph: of the side that changed that.
    private func after(_ old: Paragraph, _ one: ArraySlice<UInt8>?, _ two: ArraySlice<UInt8>?) -> ArraySlice<UInt8>? {
        pick(old.after, one, two) ?? one ?? two
    }

    /// A paragraph of which one side changed the ends of lines alone: the other side's words, with these ends. `nil` if both changed
    /// words.
    private func words(of one: Paragraph, _ two: Paragraph, insteadOf old: Paragraph) -> Paragraph? {
        let words = old.withoutReturns
        for (ends, changed) in aWins ? [(one, two), (two, one)] : [(two, one), (one, two)]
        where ends.withoutReturns == words {
            return Paragraph(body: changed.withEnds(of: ends), after: after(old, one.after, two.after))
        }
        return nil
    }

    /// Two runs of new paragraphs in one order, with what both have once.
    private static func united(_ a: [Paragraph], _ b: [Paragraph]) -> [Paragraph] {
        if a.isEmpty || b.isEmpty { return a + b }
        let known = Set(a)
        var result: [Paragraph] = []
        var i = 0, j = 0
        for (k, m) in Alignment.pairs(a, b) + [(a.count, b.count)] {
            result += a[i..<k] + b[j..<m].filter { !known.contains($0) }
            if k < a.count { result.append(a[k]) }
            i = k + 1
            j = m + 1
        }
        return result
    }
}
