import StuffBucket

extension Commands {
    static let events = Command(
        "events", .care, "Print what changes in the library",
        details: """
            Prints one JSON object a line for each change by any program, until you press Ctrl-C: "change" is \
            added, changed, trashed, restored, removed, fault, faultGone, names, settings, inbox or everything, with \
            "id", and with "fields" and "files" for a change. Several changes of one item within a moment are one line. \
            "everything" means that more changed than is told one by one. A daemon ("sbfs watch") tells the changes; \
            without one, the command watches the files itself.
            """,
        options: [Option("seconds", value: "SECONDS", "end after this time")],
        examples: [.init("sbfs events | jq -r 'select(.change==\"added\").id'", "ids of new items")]
    ) { invocation in
        guard invocation.positionals.isEmpty else { throw invocation.usage("events takes no arguments") }
        let seconds = try invocation.count("seconds")
        let library = try invocation.library()
        do {
            try library.forEachChangeLine(for: seconds.map { .seconds($0) }) { line in
                try invocation.output.write(Printable.json(line))
                try invocation.output.flush()
            }
        } catch let end as WatchEnd {
            throw CommandFailure(.failed, end.wording)
        }
        return .done
    }
}
