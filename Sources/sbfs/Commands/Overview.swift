import StuffBucket

extension Commands {
    /// `sbfs` without a command.
    static let overview = Command("", .help, "", examples: []) { invocation in
        let library: Library
        do {
            library = try invocation.library()
        } catch ItemError.noLibrary {
            try invocation.output.write(Array(HelpText.overview(invocation.style).utf8))
            return .done
        }
        return try Overview(invocation, library).run()
    }
}

/// An overview of the library: recent items, then collections, then tags with counts.
struct Overview {
    private let invocation: Invocation
    private let library: Library
    private static let recentCount = 10
    private static let nameCount = 20

    init(_ invocation: Invocation, _ library: Library) {
        self.invocation = invocation
        self.library = library
    }

    func run() throws -> ExitStatus {
        var request = ItemRequest(order: .recent, limit: Self.recentCount)
        request.facets = [.collections, .tags]
        let answer = try invocation.withProgress("building the search index") { monitor in
            try library.find(request, monitor)
        }
        let output = invocation.output
        if answer.count == 0 {
            try output.line("The library is empty. Keep something:")
            for (line, meaning) in [
                ("sbfs add https://example.org", "a link"), ("sbfs add report.pdf", "a copy of a file"),
                ("sbfs new", "a text that you write now"), ("… | sbfs add -", "what a program prints"),
            ] {
                try output.line("  " + TextWidth.pad(line, to: 32) + meaning)
            }
            return try end(answer)
        }
        try output.line(
            invocation.style.bold("Recents") + " (\(answer.count) item\(answer.count == 1 ? "" : "s") in all)")
        let rows = answer.rows
        let faults = try invocation.printer(.table).print(rows)
        RowMemory.remember(rows, of: library)
        try showConflicts()
        let collections = answer.facets?.collections ?? []
        try show(
            "Collections", collections, and: try emptyCollections(beside: collections), in: .collections,
            "sbfs collection add @1 Name")
        try show(
            "Tags", (answer.facets?.tags ?? []).filter { !TagList.isReserved($0.value) }, in: .tags,
            "sbfs tag add @1 name")
        return try end(answer, faults)
    }

    private func showConflicts() throws {
        let (conflicts, items) = try library.conflictTotals()
        if conflicts > 0 {
            let title = invocation.style.warning("Conflicts (\(ConflictPrinter.counts(conflicts, items)))")
            try invocation.output.line("\n" + title + "\n  see \"sbfs conflicts\"")
        }
        let waiting = try library.waitingJoins().count + library.waitingSmallFiles().count
        if waiting > 0 {
            let title = invocation.style.warning("Waiting to be joined (\(waiting))")
            try invocation.output.line("\n" + title + "\n  see \"sbfs conflicts\"")
        }
    }

    /// Collections that have a file and no items.
    private func emptyCollections(beside counts: [Facets.Count]) throws -> [String] {
        let known = Set(counts.map(\.value))
        // "sbfs collections" reports the errors of files.
        return try library.namedFiles(in: .collections).files.map(\.name).filter {
            !known.contains(Folding.fold($0))
        }
    }

    private func show(
        _ title: String, _ counts: [Facets.Count], and empty: [String] = [], in folder: NamedFolder, _ hint: String
    ) throws {
        try invocation.output.line("\n" + invocation.style.bold(title))
        if counts.isEmpty, empty.isEmpty { return try invocation.output.line("  none yet: \(hint)") }
        var lines = ["  "]
        let shown = counts.prefix(Self.nameCount)
        let names = try library.spellings(of: shown.map(\.value), in: folder)
        let entries = Array(zip(names, shown.map(\.count))) + empty.map { ($0, 0) }
        for (name, count) in entries.prefix(Self.nameCount) {
            let word = "\(Printable.line(name)) \(count)"
            if TextWidth.of(lines[lines.count - 1]) + TextWidth.of(word) + 3 > min(Terminal.columns, 100) {
                lines.append("  ")
            }
            lines[lines.count - 1] += (lines[lines.count - 1] == "  " ? "" : "   ") + word
        }
        for line in lines { try invocation.output.line(line) }
        let more = counts.count + empty.count - Self.nameCount
        if more > 0 {
            try invocation.output.line("  … and \(more) more: sbfs \(title.lowercased())")
        }
    }

    private func end(_ answer: ItemAnswer, _ faults: [String] = []) throws -> ExitStatus {
        invocation.tell(answer.faults, faults)
        if let caveat = answer.caveat { invocation.talk.say(caveat.wording) }
        invocation.talk.say("\"sbfs help\" lists the commands")
        return .done
    }
}
