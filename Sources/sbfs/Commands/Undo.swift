import StuffBucket

extension Commands {
    static let undo = Command(
        "undo", .change, "Undo the last command", arguments: "[STEP]",
        details: """
            Without a number: undoes the last command that changed something on this device and is not undone yet. \
            With one: undoes that step of "sbfs log", also if later steps exist, except for fields that changed since. \
            Added items go to the trash; removed and replaced values come back.

            Undo never overwrites what you or another program changed since. It leaves and names such items; the exit \
            code is 5. Purged items and replaced pages do not come back ("sbfs restore-snapshot" restores an earlier \
            page). "sbfs redo" repeats what was undone. Before items that a sync or a merge brought go to the trash, undo \
            asks: the next sync puts them there on other devices, too.
            """,
        options: [
            Option("count", short: "c", value: "N", "the last N commands"), Option.yes, Option.dryRun, Option.json,
        ],
        examples: [
            .init("sbfs undo", "the last change"), .init("sbfs undo --dry-run", "show it only"),
            .init("sbfs undo 12", "one step of \"sbfs log\""), .init("sbfs undo --count 3", "the last three"),
        ]
    ) { invocation in
        let library = try invocation.library()
        guard invocation.positionals.count <= 1, invocation.positionals.isEmpty || !invocation.has("count") else {
            throw invocation.usage("undo takes one number of a step, or --count")
        }
        guard let history = try library.history() else { throw CommandFailure(.nothingFound, noSteps) }
        let steps = try stepsToUndo(history, invocation)
        if !invocation.isDryRun {
            try library.requireWritable()
            try askAboutBrought(steps, library, invocation)
        }
        let report = try invocation.withProgress("undoing") { monitor in
            try library.undo(
                steps.map(\.number), invocation.stepHeader(), invocation.mode, monitor)
        }
        let status = try invocation.tell(report, "undid", steps, library)
        try invocation.followLimits(report, steps, library, isUndo: true)
        if invocation.positionals.isEmpty, report.changedCount == 0, report.leftCount > 0,
            let last = steps.last, let next = try nextUndoable(history, before: last.number, library, invocation)
        {
            invocation.talk.say("\"sbfs undo \(next.number)\" undoes an earlier step (\(next.header.command))")
        }
        return status
    }

    /// Asks before items that came from another copy go to the trash: a sync carries that to the devices they came from.
    private static func askAboutBrought(
        _ steps: [StepList.Step], _ library: Library, _ invocation: Invocation
    ) throws {
        let joining = steps.filter(\.joinsCopies)
        if joining.isEmpty || invocation.has("yes") { return }
        let count = try library.undo(steps.map(\.number), invocation.stepHeader(), .dry).changedItemCount
        if count == 0 { return }
        // Beside other steps, the count says nothing of the items that came.
        let items = steps.count > 1 ? "the items" : count == 1 ? "the item" : "the \(count) items"
        let names = joining.map { "step \($0.number) (\($0.header.command))" }.joined(separator: ", ")
        try invocation.confirm(
            "Put \(items) that came with \(names) into the trash, here and with the next sync on other devices?")
    }

    /// The latest earlier step of which something could be undone now.
    private static func nextUndoable(
        _ history: History, before number: Int, _ library: Library, _ invocation: Invocation
    ) throws -> StepList.Step? {
        try history.undoable.filter { $0.number < number }.prefix(20).first { step in
            let trial = try library.undo([step.number], invocation.stepHeader(), .dry)
            return trial.changedCount > 0
        }
    }

    static let redo = Command(
        "redo", .change, "Redo what was undone last",
        details: """
            Works only until another command changes something. If another program changed an item meanwhile, sbfs \
            leaves and names the item; the exit code is 5.
            """,
        options: [Option.dryRun, Option.json],
        examples: [.init("sbfs redo", "undo the last undo")]
    ) { invocation in
        let library = try invocation.library()
        if !invocation.positionals.isEmpty { throw invocation.usage("redo takes no step") }
        guard let history = try library.history() else { throw CommandFailure(.nothingFound, "nothing is undone") }
        guard let redoable = history.redoable else {
            throw CommandFailure(
                .nothingFound,
                history.steps.contains { $0.state != .done }
                    ? "a command changed something since the last undo; \"sbfs log\" shows what" : "nothing is undone")
        }
        if !invocation.isDryRun { try library.requireWritable() }
        let report = try invocation.withProgress("undoing") { monitor in
            try library.redo(redoable, invocation.stepHeader(), invocation.mode, monitor)
        }
        let steps = redoable.steps.compactMap { history.step($0) }
        let status = try invocation.tell(report, "redid", steps, library)
        try invocation.followLimits(report, steps, library, isUndo: false)
        return status
    }

    fileprivate static let noSteps =
        "there is nothing to undo: no command has changed anything on this device yet; "
        + "\"sbfs restore-version\" takes back what a merge or a sync joined"

    /// The steps to undo, the latest first.
    private static func stepsToUndo(
        _ history: History, _ invocation: Invocation
    ) throws -> [StepList.Step] {
        guard let word = invocation.positionals.first else {
            let count = try invocation.count("count") ?? 1
            let steps = try latest(count, history)
            if steps.isEmpty { throw CommandFailure(.nothingFound, "there is nothing left to undo") }
            for step in steps { try refuseRunning(step, history) }
            return steps
        }
        guard let number = Int(word) else {
            throw invocation.usage("a step is a number of \"sbfs log\", not \"\(word)\"")
        }
        guard let step = history.step(number) else {
            throw CommandFailure(.nothingFound, "there is no step \(number); \"sbfs log\" lists them")
        }
        if !step.header.isOrdinary {
            throw CommandFailure(
                .failed, "step \(number) undid or did again another one; name that one, or use \"sbfs redo\"")
        }
        if step.state == .undone {
            throw CommandFailure(.failed, "step \(number) is undone already")
        }
        try refuseRunning(step, history)
        return [step]
    }

    /// The latest steps that can be undone, without commands that failed before they changed anything.
    private static func latest(_ count: Int, _ history: History) throws -> [StepList.Step] {
        var steps: [StepList.Step] = []
        for step in history.undoable where steps.count < count {
            // A join is no part of its step.
            if !step.joinsCopies, try history.state(of: step.number)?.end?.isEmpty == true { continue }
            steps.append(step)
        }
        return steps
    }

    private static func refuseRunning(_ step: StepList.Step, _ history: History) throws {
        guard try history.state(of: step.number)?.isRunning == true else { return }
        throw CommandFailure(
            .failed,
            "step \(step.number) (\(step.header.command)) is still running; wait until it ends, or stop it first")
    }
}

extension Invocation {
    /// The header of this command's step in the journal.
    func stepHeader() -> StepHeader {
        var header = StepHeader(command: TypedLine.text(RunningProgram.arguments ?? []))
        header.isBackground = command.options.contains { $0.name == "background" } && has("background")
        header.bringsItems = command.name == Commands.importCommand.name
        return header
    }

    /// The limits of remotes to collections that the steps renamed.
    fileprivate func followLimits(
        _ report: UndoReport, _ steps: [StepList.Step], _ library: Library, isUndo: Bool
    ) throws {
        if isDryRun || report.leftCount > 0 { return }
        var remotes = try Remotes(of: library)
        for remote in try remotes.follow(steps.map(\.header.time), isUndo: isUndo) {
            let collection = Printable.line(remote.folder.collection ?? "")
            talk.say("the remote \(remote.name) is limited to \"\(collection)\" \(isUndo ? "again" : "now")")
        }
    }

    fileprivate func tell(
        _ report: UndoReport, _ done: String, _ steps: [StepList.Step], _ library: Library
    ) throws -> ExitStatus {
        let names = steps.map { "step \($0.number)" }.joined(separator: ", ")
        let command = steps.count == 1 ? " (\(steps[0].header.command))" : ""
        if isDryRun { talk.say("\(done == "undid" ? "would undo" : "would do again") \(names)\(command)") }
        let status = try StepReport(report).finish("\(done) \(names)\(command)", library, self)
        if done == "undid", steps.contains(where: \.joinsCopies) {
            if report.changedItemCount > 0 {
                talk.say(
                    isDryRun
                        ? "items that came with it would go to the trash, here and with the next sync on other devices"
                        : "items that came with it are in the trash, and with the next sync on other devices; \"sbfs redo\" takes "
                            + "them out")
            }
            talk.say("items that were joined stay as they are; \"sbfs restore-version ITEM\" takes one back")
        }
        return status
    }
}

extension StepList.Step {
    /// Whether the command joined items with those of another copy: a join is no part of the step.
    fileprivate var joinsCopies: Bool {
        let words = header.command.split(separator: " ").dropFirst()
        return ["merge", "sync"].contains(words.first { !$0.hasPrefix("-") })
    }
}
