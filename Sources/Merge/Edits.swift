import Items
import JSONFormat

/// What the versions did that one of two sides alone comes from.
///
/// It is asked only where two states have several lowest common ancestors: histories crossed. The base, which these are
/// joined to, has the value of one of them, and a side may have that of another. Such a value is **stale** on a side if
/// no version of that side alone put it there, and one of the other side alone took it away. If that tells nothing, a value is
/// stale that no version of its side alone put there, if a person decided on the other side alone, by ending a conflict, and not on
/// this one. A stale value is no change.
///
/// A value of the base is **held** on a side that has it, if a person decided for it on that side alone and no version of the
/// other side took it away: only a join there chose another value. A held value counts as a change.
struct Edits<State: Sendable>: Sendable {
    /// A version puts what none of its parents has, and takes away what all of them have.
    struct Edit: Sendable {
        /// Empty for a root.
        let parents: [State]
        let new: State
        /// Whether a version of it ends a conflict.
        let endsConflict: Bool
    }

    enum Side { case a, b }

    let a: [Edit], b: [Edit]

    var isEmpty: Bool { a.isEmpty && b.isEmpty }

    /// The side whose value is stale; `nil` if none is, or both are.
    ///
    /// - Parameter decides: whether a person may have decided between two values: there are conflicts of it.
    func stale<Value>(
        _ one: Value, _ two: Value, _ areSame: (Value, Value) -> Bool, decides: Bool = true, _ value: (State) -> Value
    ) -> Side? {
        if isEmpty || areSame(one, two) { return nil }
        func isPut(_ mine: Value, _ own: [Edit]) -> Bool {
            own.contains { edit in
                areSame(value(edit.new), mine) && !edit.parents.contains { areSame(value($0), mine) }
            }
        }
        func isTaken(_ mine: Value, _ others: [Edit]) -> Bool { Self.isTaken(mine, others, areSame, value) }
        func isDecided(_ mine: Value, _ own: [Edit]) -> Bool { Self.isDecided(mine, own, areSame, value) }
        switch (isTaken(one, b) && !isPut(one, a), isTaken(two, a) && !isPut(two, b)) {
        case (true, false): return .a
        case (false, true): return .b
        case (true, true): return nil
        case (false, false): if !decides { return nil }
        }
        switch (isDecided(one, a), isDecided(two, b)) {
        case (true, false): return isPut(two, b) ? nil : .b
        case (false, true): return isPut(one, a) ? nil : .a
        case (true, true), (false, false): return nil
        }
    }

    /// Whether one side has the value of the base and holds it.
    func isHeld<Value>(
        _ base: Value, _ one: Value, _ two: Value, _ areSame: (Value, Value) -> Bool, _ value: (State) -> Value
    ) -> Bool {
        if isEmpty || areSame(one, two) { return false }
        func isHeld(_ mine: Value, _ theirs: Value, _ own: [Edit], _ others: [Edit]) -> Bool {
            areSame(mine, base) && Self.isDecided(mine, own, areSame, value)
                && !Self.isDecided(theirs, others, areSame, value) && !Self.isTaken(mine, others, areSame, value)
        }
        return isHeld(one, two, a, b) || isHeld(two, one, b, a)
    }

    /// Whether an edit takes a value away.
    private static func isTaken<Value>(
        _ mine: Value, _ edits: [Edit], _ areSame: (Value, Value) -> Bool, _ value: (State) -> Value
    ) -> Bool {
        edits.contains { edit in
            !edit.parents.isEmpty && !areSame(value(edit.new), mine)
                && edit.parents.allSatisfy { areSame(value($0), mine) }
        }
    }

    /// Whether a person ended a conflict and had this value then.
    private static func isDecided<Value>(
        _ mine: Value, _ edits: [Edit], _ areSame: (Value, Value) -> Bool, _ value: (State) -> Value
    ) -> Bool {
        edits.contains { $0.endsConflict && areSame(value($0.new), mine) }
    }

    /// The same edits, of a part of each state.
    func map<Part: Sendable>(_ part: (State) -> Part) -> Edits<Part> {
        func mapped(_ edits: [Edit]) -> [Edits<Part>.Edit] {
            edits.map {
                Edits<Part>.Edit(parents: $0.parents.map(part), new: part($0.new), endsConflict: $0.endsConflict)
            }
        }
        return Edits<Part>(a: mapped(a), b: mapped(b))
    }
}

extension Edits where State == Members {
    func stale(_ one: JSON?, _ two: JSON?, _ value: (Members) -> JSON?) -> Side? {
        stale(one, two, { JSON.areSame($0, $1) }, value)
    }

    func isHeld(_ base: JSON?, _ one: JSON?, _ two: JSON?, _ value: (Members) -> JSON?) -> Bool {
        isHeld(base, one, two, { JSON.areSame($0, $1) }, value)
    }
}

/// A state as its edits see it: without the text, whose paragraphs are counted apart.
struct StateParts: Sendable {
    let members: Members
    let files: [Version.File]

    init(_ state: ItemState) {
        members = Members(state.members)
        files = state.files
    }
}

/// Elements that the versions of one side put into a list, or took out of it.
struct ElementEdits<Element: Hashable & Sendable>: Sendable {
    private(set) var put: Set<Element> = [], taken: Set<Element> = []
    /// Whether a version ended a conflict.
    var endsConflict = false

    init() {}

    init(_ edits: [Edits<Set<Element>>.Edit]) {
        for edit in edits { add(from: edit.parents, to: edit.new) }
    }

    /// The same edits of elements that are written in another way. What was taken away and put in its place is one element then: it
    /// was put.
    func map(_ written: (Element) -> Element) -> ElementEdits {
        var mapped = ElementEdits()
        mapped.endsConflict = endsConflict
        mapped.put = Set(put.map(written))
        mapped.taken = Set(taken.map(written)).subtracting(mapped.put)
        return mapped
    }

    /// - Parameter parents: empty for a root.
    mutating func add(from parents: [Set<Element>], to new: Set<Element>) {
        put.formUnion(parents.reduce(new) { $0.subtracting($1) })
        guard let first = parents.first else { return }
        taken.formUnion(parents.dropFirst().reduce(first) { $0.intersection($1) }.subtracting(new))
    }

    /// Whether an element stays that one of two sides has: its own versions put it there, or the other's took it away.
    /// `nil` if that does not tell.
    func settles(_ other: ElementEdits, _ element: Element, isA: Bool) -> Bool? {
        let (own, others) = isA ? (self, other) : (other, self)
        let isPut = own.put.contains(element)
        return isPut == others.taken.contains(element) ? nil : isPut
    }
}

/// What both sides' versions did, where histories crossed.
struct CrossedEdits: Sendable {
    var parts = Edits<StateParts>(a: [], b: [])
    /// The bodies of paragraphs.
    var paragraphs: (a: ElementEdits<[UInt8]>, b: ElementEdits<[UInt8]>) = (ElementEdits(), ElementEdits())

    static let none = CrossedEdits()

    /// Whether a paragraph may be stale, or held.
    var haveParagraphs: Bool {
        [paragraphs.a, paragraphs.b].contains { !$0.taken.isEmpty || $0.endsConflict }
    }
}
