import StuffBucket

extension Commands {
    static let log = Command(
        "log", .find, "Show what commands changed on this device", arguments: "[STEP]",
        details: """
            Lists steps, the latest first: number, time, state, how much changed, and the command. With a number: the \
            items of that step and their changes. "sbfs undo" undoes a step.

            A step without an end belongs to a command that still runs ("running") or was killed ("unfinished"); with \
            its number, the log says of each item whether the change was made. Steps stay on this device \
            (.sbfs/log-…): the last 1,000, and at most 256 MB with the texts and documents that they keep.

            Steps that sbfs began by itself, such as saving a page or purging what is due, are background steps. \
            "sbfs undo" skips them, and they do not count towards the 1,000; the last 500 are kept. --all lists them, too.
            """,
        options: [
            Option("limit", short: "l", value: "N", "show at most N steps (30)"),
            Option("all", short: "a", "list background steps, too"), Option.json, Option.ndjson,
            Option("clear", "delete all steps, with the earlier texts and documents in them"), Option.yes,
        ],
        examples: [
            .init("sbfs log", "the last steps"), .init("sbfs log 12", "what step 12 changed"),
            .init("sbfs log --clear", "after a purge, so that nothing of it is kept here"),
        ]
    ) { invocation in
        let library = try invocation.library()
        guard let history = try library.history() else {
            if invocation.has("json") { try invocation.output.line("[]") }
            return .done
        }
        if invocation.has("clear") {
            try invocation.confirm("Delete all steps? Their changes stay and cannot be undone any more.")
            try history.clear()
            return .done
        }
        let strays = try history.strays()
        if !strays.isEmpty {
            let more = strays.count > 3 ? " and \(strays.count - 3) more" : ""
            invocation.talk.warn(
                "not part of the journal, skipped: \(strays.prefix(3).joined(separator: ", "))\(more)")
        }
        guard let word = invocation.positionals.first else {
            return try showSteps(history, invocation)
        }
        guard invocation.positionals.count == 1, let number = Int(word) else {
            throw invocation.usage("log takes one number of a step")
        }
        guard let step = history.step(number), let contents = try history.contents(of: number) else {
            throw CommandFailure(.nothingFound, "there is no step \(number)")
        }
        return try StepPrinter(step: step, contents: contents, library: library, invocation: invocation).print()
    }

    private static func showSteps(
        _ history: History, _ invocation: Invocation
    ) throws -> ExitStatus {
        let listed = invocation.has("all") ? history.steps : history.steps.filter { !$0.header.isBackground }
        let steps = listed.suffix(try invocation.count("limit") ?? 30).reversed()
        let isJSON = invocation.has("json") || invocation.has("ndjson")
        var objects: [JSON] = []
        for step in steps {
            guard let (end, isRunning) = try history.state(of: step.number) else { continue }
            if isJSON {
                objects.append(json(step, end, isRunning: isRunning))
            } else {
                let mark = step.header.isBackground ? "background" : ""
                let state = end == nil ? isRunning ? "running" : "unfinished" : mark
                try invocation.output.line(
                    Terminal.isOutput ? line(step, end, state, history, invocation.style) : row(step, end, state))
            }
        }
        let hidden = history.steps.count - listed.count
        if hidden > 0, Terminal.isOutput, !isJSON {
            invocation.talk.say("\(hidden) background step\(hidden == 1 ? "" : "s") not shown; --all lists them, too")
        }
        if invocation.has("ndjson") {
            for object in objects {
                try invocation.output.write(Printable.json(object.oneLine) + [0x0A])
            }
        } else if isJSON {
            try invocation.output.write(Printable.json(JSON.array(objects).file))
        }
        return .done
    }

    private static func json(_ step: StepList.Step, _ end: StepEnd?, isRunning: Bool) -> JSON {
        let header = step.header
        func numbers(_ numbers: [Int]) -> JSON? { numbers.isEmpty ? nil : .array(numbers.map(JSON.integer)) }
        return .members([
            ("step", .integer(step.number)), ("time", .string(header.time.rfc3339)),
            ("command", .string(header.command)), ("state", .string(step.state.rawValue)),
            ("isFinished", .bool(end != nil)), ("isRunning", .bool(isRunning)),
            ("added", end.map { .integer($0.added) }), ("items", end.map { .integer($0.items) }),
            ("files", end.map { .integer($0.files) }),
            ("lasting", end.map { .integer($0.lasting) }), ("left", end.map { .integer($0.left) }),
            ("undoes", numbers(header.undoes)), ("redoes", numbers(header.redoes)),
            ("isBackground", .bool(header.isBackground)),
        ])
    }

    /// For programs: number, time, state, changes and command, separated by tabs.
    private static func row(_ step: StepList.Step, _ end: StepEnd?, _ running: String) -> String {
        let state = step.state == .done ? running : step.state.rawValue
        return ["\(step.number)", step.header.time.rfc3339, state, counts(end), step.header.command]
            .map(Printable.field).joined(separator: "\t")
    }

    private static func line(
        _ step: StepList.Step, _ end: StepEnd?, _ running: String, _ history: History, _ style: Style
    ) -> String {
        let number = String(step.number)
        let width = String(history.steps.last?.number ?? 0).count
        var text = String(repeating: " ", count: max(0, width - number.count)) + number + "  "
        text += style.dim(step.header.time.localDate.description + " " + step.header.time.localTime) + "  "
        let state = step.state == .done ? running : step.state.rawValue
        text += style.warning(TextWidth.pad(state, to: 13)) + "  "
        text += TextWidth.pad(counts(end), to: 22) + "  "
        let command = Printable.line(step.header.command)
        return text + (step.state == .undone ? style.dim(command) : command)
    }

    private static func counts(_ end: StepEnd?) -> String {
        guard let end else { return "" }
        var parts: [String] = []
        if end.added > 0 { parts.append("\(end.added) new") }
        if end.items > 0 { parts.append("\(end.items) changed") }
        if end.files > 0 { parts.append("\(end.files) file\(end.files == 1 ? "" : "s")") }
        if end.lasting > 0, end.lasting == end.items { parts = ["\(end.lasting), to stay"] }
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }
}
