import StuffBucket

extension Commands {
    static let move = Command(
        "move", .order, "Move items in the manual order", arguments: "ITEM…",
        details: """
            The manual order is that of "sbfs list --sort manual". An item's place is its sortOrder. An item that was \
            never moved is at its time of creation, so new items come last. Items keep the order in which you name \
            them, or their present order with --query. sbfs changes only the moved items. If there is no number left \
            between the new neighbours, it gives new numbers to as few of them as possible.
            """,
        options: [
            Option("before", value: "ITEM", "to directly before this one"),
            Option("after", value: "ITEM", "to directly after this one"), Option("first", "to the beginning"),
            Option("last", "to the end"),
        ] + Invocation.changeOptions,
        examples: [
            .init("sbfs move @7 --before @2", "one item"), .init("sbfs move @3 @1 --first", "two, in this order"),
            .init("sbfs move -q tag:old --last", "all that match"),
        ],
        run: { try MoveCommand($0).run() })
}

/// One run of `sbfs move`.
private struct MoveCommand {
    private enum Goal {
        case before(String)
        case after(String)
        case first, last
    }

    private let invocation: Invocation
    private let goal: Goal

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        var goals: [Goal] = []
        if let name = invocation.value("before") { goals.append(.before(name)) }
        if let name = invocation.value("after") { goals.append(.after(name)) }
        if invocation.has("first") { goals.append(.first) }
        if invocation.has("last") { goals.append(.last) }
        guard goals.count == 1 else {
            throw invocation.usage("move needs --before, --after, --first or --last")
        }
        goal = goals[0]
    }

    func run() throws -> ExitStatus {
        let selection = try invocation.items(invocation.positionals)
        let library = selection.library
        var request = ItemRequest(order: .manual)
        request.isFresh = true
        let all = try library.find(request).rows
        let ids = Set(selection.rows.map(\.id))
        let order = all.filter { !ids.contains($0.id) }
        // Named items keep the order of the names, found items their own.
        var moved = selection.rows
        if invocation.has("query") {
            let places = Dictionary(all.enumerated().map { ($1.id, $0) }) { first, _ in first }
            moved.sort { places[$0.id] ?? .max < places[$1.id] ?? .max }
        }
        let gap = try gap(in: order, ids, library)
        if stand(moved, at: gap, all) {
            invocation.talk.say("nothing to change")
            if invocation.has("json") { try invocation.output.line("[]") }
            return selection.status
        }
        var known: [Int: Double] = [:]
        let plan = try ManualMove(moved.count, before: gap, of: order.count) {
            (number: Int) throws(any Error) -> Double in
            if let place = known[number] { return place }
            let stored = try library.item(order[number])
            let place = ManualRank.place(stored.item.sortOrder, createdAt: stored.createdAt)
            known[number] = place
            return place
        }
        return try write(plan, gap, moved, order, selection)
    }

    /// The number of the item before which the items go.
    private func gap(in order: [Row], _ moved: Set<ItemID>, _ library: Library) throws -> Int {
        let name: String
        switch goal {
        case .first: return 0
        case .last: return order.count
        case .before(let item), .after(let item): name = item
        }
        let resolution = try library.resolve(try RowMemory.expand([name], of: library))
        guard let row = resolution.rows.first else {
            if let (_, rows) = resolution.ambiguous.first {
                throw CommandFailure(.failed, "\"\(name)\" names \(rows.count) items; use an id")
            }
            throw CommandFailure(.nothingFound, "nothing is named \"\(name)\"")
        }
        if resolution.rows.count > 1 { throw invocation.usage("\(name) names several items; say one") }
        if moved.contains(row.id) { throw invocation.usage("an item cannot be moved next to itself") }
        guard let number = order.firstIndex(where: { $0.id == row.id }) else {
            throw CommandFailure(.failed, "\"\(name)\" is in the trash, and has no place among the others")
        }
        if case .after = goal { return number + 1 }
        return number
    }

    /// Whether the items are already at the gap, in this order.
    private func stand(_ moved: [Row], at gap: Int, _ all: [Row]) -> Bool {
        guard gap + moved.count <= all.count else { return false }
        return zip(moved, all[gap...]).allSatisfy { $0.id == $1.id }
    }

    private func write(
        _ plan: ManualMove, _ gap: Int, _ moved: [Row], _ order: [Row], _ selection: Selection
    ) throws -> ExitStatus {
        let before = order[plan.renumbered.lowerBound..<gap]
        let behind = order[gap..<plan.renumbered.upperBound]
        let ranks = Dictionary(
            zip(before + moved + behind, plan.ranks).map { ($0.0.id, $0.1) }, uniquingKeysWith: { first, _ in first })
        func edit(_ stored: StoredItem) -> ItemEdit? {
            guard let rank = ranks[stored.id] else { return nil }
            var edit = ItemEdit(base: stored.json)
            edit.set(.sortOrder, .number(ManualRank.text(rank)))
            return edit
        }
        let room = plan.renumbered.count
        let done =
            room == 0
            ? "moved"
            : "moved \(moved.count) and gave new ranks to \(room) neighbour\(room == 1 ? "" : "s"), to make space: in all"
        let rows = Selection(
            library: selection.library, rows: before + moved + behind, missingCount: selection.missingCount)
        return try invocation.change(rows, done: done, edit)
    }
}
