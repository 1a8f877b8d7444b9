/// What one side did to the paragraphs of the base.
struct ParagraphSide {
    enum Change {
        case none
        case removed
        case changed(Paragraph)
    }

    /// For each paragraph of the base.
    private(set) var changes: [Change]
    /// What the side put before each paragraph of the base, and after the last one.
    private(set) var before: [[Paragraph]]
    /// Where the base has what this side put elsewhere.
    private(set) var moved: [Paragraph: Int] = [:]
    /// What is after each paragraph of the base that is unchanged here.
    private(set) var after: [Int: ArraySlice<UInt8>?] = [:]
    /// Paragraphs of the base that this side has, and that a person decided for.
    private(set) var held: Set<Paragraph> = []
    /// How many more pairs of paragraphs are compared word by word. Then no more are paired.
    private var comparisonsLeft = 100_000
    /// A comparison looks at the first words of each paragraph only.
    private static let wordLimit = 64

    init(_ base: [Paragraph], _ new: [Paragraph]) {
        changes = Array(repeating: .none, count: base.count)
        before = Array(repeating: [], count: base.count + 1)
        let known = Set(base), written = Set(new)
        var i = 0, j = 0
        for (k, m) in Alignment.pairs(base, new) + [(base.count, new.count)] {
            block(base, new, i..<k, j..<m, known, written)
            if k < base.count { after[k] = new[m].after }
            i = k + 1
            j = m + 1
        }
        findMoves(base)
    }

    /// Pairs the old paragraphs of a block with the new ones: in order if there are as many, else those that are alike.
    /// A paragraph that moved is no replacement.
    private mutating func block(
        _ base: [Paragraph], _ new: [Paragraph], _ gone: Range<Int>, _ come: Range<Int>, _ known: Set<Paragraph>,
        _ written: Set<Paragraph>
    ) {
        let old = gone.filter { !written.contains(base[$0]) }, put = come.filter { !known.contains(new[$0]) }
        var partner: [Int: Int] = [:]
        if old.count == put.count {
            for (p, q) in zip(old, put) { partner[q] = p }
        } else {
            let oldWords = old.map { Self.words(base[$0]) }, putWords = put.map { Self.words(new[$0]) }
            var start = 0
            for p in old.indices {
                for q in start..<max(start, put.count) {
                    if comparisonsLeft == 0 { break }
                    comparisonsLeft -= 1
                    if Self.areAlike(oldWords[p], putWords[q]) {
                        partner[put[q]] = old[p]
                        start = q + 1
                        break
                    }
                }
            }
        }
        for p in gone { changes[p] = .removed }
        var place = gone.lowerBound
        for q in come {
            if let p = partner[q] {
                changes[p] = .changed(new[q])
                place = p + 1
            } else {
                before[place].append(new[q])
            }
        }
    }

    /// A paragraph that the base has once, and that this side removed in one place and put once into another, moved.
    private mutating func findMoves(_ base: [Paragraph]) {
        var counts: [Paragraph: Int] = [:], puts: [Paragraph: Int] = [:]
        for paragraph in base { counts[paragraph, default: 0] += 1 }
        for paragraph in before.joined() { puts[paragraph, default: 0] += 1 }
        for (p, paragraph) in base.enumerated() {
            if case .none = changes[p] { continue }
            if counts[paragraph] == 1, puts[paragraph] == 1 { moved[paragraph] = p }
        }
    }

    /// Whether the side put a paragraph directly before or behind one of the base.
    func putBeside(_ place: Int, _ paragraph: Paragraph) -> Bool {
        before[place].last == paragraph || before[place + 1].first == paragraph
    }

    /// Leaves out paragraphs that the base lacks and none of this side's own versions put here, if the other side's took them away, or
    /// a person decided there alone (`Edits`). What stood in their place stays, unless a version of this side took it away.
    ///
    /// - Returns: whether there are any.
    mutating func leaveOutStale(
        _ base: [Paragraph], _ new: [Paragraph], other: [Paragraph], _ own: ElementEdits<[UInt8]>,
        _ others: ElementEdits<[UInt8]>
    ) -> Bool {
        let isDecided = others.endsConflict && !own.endsConflict
        if others.taken.isEmpty, !isDecided { return false }
        let known = Set(base + other)
        let stale = Set(
            new.filter { paragraph in
                let body = Array(paragraph.body)
                let isGone = isDecided || others.taken.contains(body)
                return isGone && !known.contains(paragraph) && !own.put.contains(body)
            })
        if stale.isEmpty { return false }
        for (place, paragraph) in base.enumerated() where moved[paragraph] == nil {
            switch changes[place] {
            case .none: continue
            case .changed(let changed) where !stale.contains(changed): continue
            case .changed, .removed:
                if own.taken.contains(Array(paragraph.body)) {
                    changes[place] = .removed
                } else {
                    changes[place] = .none
                    after[place] = paragraph.after
                }
            }
        }
        before = before.map { $0.filter { !stale.contains($0) } }
        return true
    }

    /// Notes which paragraphs of the base this side holds: the other side has them not, though none of its own versions took them away,
    /// and a person decided on this side alone (`Edits`).
    ///
    /// - Returns: whether there are any.
    mutating func hold(
        _ base: [Paragraph], _ new: [Paragraph], other: [Paragraph], _ own: ElementEdits<[UInt8]>,
        _ others: ElementEdits<[UInt8]>
    ) -> Bool {
        if !own.endsConflict || others.endsConflict { return false }
        held = Set(base).intersection(new).subtracting(other).filter { !others.taken.contains(Array($0.body)) }
        return !held.isEmpty
    }

    /// How many steps of a person lead from the base to the new text, and how many words stayed, in order, in the paragraphs that were
    /// changed and are alike: Documentation/Merge.md § 2, rule 6.
    ///
    /// A paragraph that was put in, taken out or moved is one step. One that was changed is one if both forms are alike, else two.
    func steps(from base: [Paragraph]) -> (steps: Int, keptWords: Int) {
        var steps = before.reduce(0) { $0 + $1.count }, kept = 0
        for (old, change) in zip(base, changes) {
            switch change {
            case .none: continue
            case .removed: if moved[old] == nil { steps += 1 }
            case .changed(let new):
                let (a, b) = (Self.words(old), Self.words(new))
                let count = Alignment.pairs(a, b).count
                let areAlike = 2 * count >= max(a.count, b.count)
                steps += areAlike ? 1 : 2
                if areAlike { kept += count }
            }
        }
        return (steps, kept)
    }

    private static func words(_ paragraph: Paragraph) -> [ArraySlice<UInt8>] {
        paragraph.body.split(maxSplits: wordLimit) { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
            .prefix(wordLimit).map { $0 }
    }

    /// Whether two paragraphs share half of the words of the longer one, in order.
    static func areAlike(_ a: Paragraph, _ b: Paragraph) -> Bool { areAlike(words(a), words(b)) }

    private static func areAlike(_ a: [ArraySlice<UInt8>], _ b: [ArraySlice<UInt8>]) -> Bool {
        2 * Alignment.pairs(a, b).count >= max(a.count, b.count)
    }
}
