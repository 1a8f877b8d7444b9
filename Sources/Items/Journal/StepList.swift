/// The steps of a journal and which of them are undone.
public struct StepList: Sendable {
    /// Whether a step is undone.
    public enum State: String, Sendable {
        case done, undone
        /// Undone except for items that were changed later.
        case partlyUndone = "partly undone"
    }

    /// One step: its number, its header, and whether it is undone.
    public struct Step: Sendable {
        /// The step's number in the journal.
        public let number: Int
        /// The step's header.
        public let header: StepHeader
        /// Whether other steps undid it.
        public var state = State.done
        /// Steps that undid it and are not undone themselves, rising; unfinished ones too.
        var undoers: [Int] = []
    }

    /// In rising order of their numbers.
    public private(set) var steps: [Step] = []

    package init(_ folder: JournalFolder) throws(ItemError) {
        var places: [Int: Int] = [:]
        for number in try folder.numbers() {
            guard var reader = try StepReader(number, in: folder) else { continue }
            let header = reader.header
            let end = header.isOrdinary ? nil : try reader.end()
            for undone in header.undoes {
                guard let place = places[undone] else { continue }
                steps[place].undoers.append(number)
                // An interrupted undo must run again.
                if let end { steps[place].state = end.left > 0 ? .partlyUndone : .undone }
            }
            for redone in header.redoes {
                guard let place = places[redone], let end else { continue }
                steps[place].state = end.left > 0 ? .partlyUndone : .done
                if end.left == 0 { steps[place].undoers = [] }
            }
            places[number] = steps.count
            steps.append(Step(number: number, header: header))
        }
    }

    /// A step by its number, or `nil`.
    public func step(_ number: Int) -> Step? { steps.first { $0.number == number } }

    /// A person's steps that are not undone, the latest first.
    public var undoable: [Step] {
        steps.reversed().filter { $0.header.isOrdinary && !$0.header.isBackground && $0.state == .done }
    }

    /// The steps that the last undo undid, and all steps that undid them, the latest first.
    ///
    /// - Returns: `nil` if nothing was undone, or another step came later.
    public var redoable: (steps: [Int], undoers: [Int])? {
        let last = steps.last { $0.header.isOrdinary && !$0.header.isBackground }?.number ?? 0
        let undone = steps.filter { $0.state != .done }
        guard let latest = undone.compactMap(\.undoers.last).max(), latest > last,
            let group = step(latest)?.header.undoes
        else { return nil }
        let undoers = Set(undone.filter { group.contains($0.number) }.flatMap(\.undoers))
        return (group, undoers.sorted(by: >))
    }
}
