import StuffBucket

extension Commands {
    static let smartAdd = Command(
        "smart add", .order, "Save a query as a smart folder", arguments: "NAME QUERY…",
        details: """
            Quote a name with spaces. "sbfs smart show NAME" lists what the smart folder finds, and smart:NAME is a \
            filter in other queries.
            """,
        options: [Option("replace", "replace the query of an existing smart folder"), Option.dryRun],
        examples: [
            .init("sbfs smart add 'To Read' type:link -tag:read", "links without a tag"),
            .init("sbfs smart add Soups 'soup OR stew' --replace", "with another query"),
        ]
    ) { invocation in
        guard let typed = invocation.positionals.first, invocation.positionals.count > 1 else {
            throw invocation.usage("smart add needs a name and a query")
        }
        let name = try SmartFolders.read(typed, invocation)
        let words = Array(invocation.positionals.dropFirst())
        if words.joined().allSatisfy(\.isWhitespace) { throw invocation.usage("the query is empty") }
        let library = try invocation.library()
        let parsed = try invocation.readQuery(words)
        let query = parsed.text
        let file = try library.namedFile(.smart, name)
        if let file, file.query != query, !invocation.has("replace") {
            throw CommandFailure(
                .failed,
                "there is a smart folder \"\(file.name)\" already (\(file.query ?? "")); --replace gives it this "
                    + "query")
        }
        let count = try library.counts([parsed.query]).counts.first ?? 0
        let items = count == 1 ? "1 item matches" : "\(count) items match"
        if invocation.isDryRun {
            invocation.talk.say("would keep the query as \"\(file?.name ?? name)\"; \(items)")
        } else if try invocation.step().setNamed(.smart, file?.name ?? name, [("query", .string(query))]) {
            invocation.talk.say("\(file == nil ? "made" : "changed") \"\(file?.name ?? name)\"; \(items)")
        } else {
            invocation.talk.say("nothing to change")
        }
        return .done
    }

    static let smartList = Command(
        "smart list", .find, "List smart folders with how many items they find",
        details: "Those with an order first, then by name. They are files in smart/, which any editor may change.",
        options: [Option("json", "print one array of {\"name\", \"count\", \"query\"}"), Option.fresh],
        examples: [.init("sbfs smart list", "all of them")]
    ) { invocation in
        guard invocation.positionals.isEmpty else {
            throw invocation.usage("smart list takes no names; see smart show")
        }
        let library = try invocation.library()
        let (files, faults) = try library.namedFiles(in: .smart)
        let queries = files.map { library.parse($0.query ?? "").query }
        let answer = try invocation.withProgress("counting") { _ in
            try library.counts(queries, invocation.has("fresh") ? .fresh : [])
        }
        let rows = zip(files, answer.counts).map { ($0, $1) }
        if invocation.has("json") {
            let objects = rows.map { file, count in
                JSON.members([
                    ("name", .string(file.name)), ("count", .integer(count)), ("query", file.query.map(JSON.string)),
                    ("colour", file.colour.map(JSON.string)), ("icon", file.icon.map(JSON.string)),
                    ("order", file.order.map { .number(ManualRank.text($0)) }),
                ])
            }
            try invocation.output.write(Printable.json(JSON.array(objects).file))
        } else if try invocation.itemFormat() == .table {
            let width = min(40, rows.map { TextWidth.of(Printable.line($0.0.name)) }.max() ?? 0)
            for (file, count) in rows {
                let number = String(repeating: " ", count: max(0, 6 - "\(count)".count)) + "\(count)"
                let mark = Look(file).mark
                try invocation.output.line(
                    "\(number)  \(mark)\(invocation.style.bold(TextWidth.pad(Printable.line(file.name), to: width)))  "
                        + invocation.style.dim(Printable.line(file.query ?? "")))
            }
            if rows.isEmpty { invocation.talk.say("there is none; make one: sbfs smart add NAME QUERY") }
        } else {
            for (file, count) in rows {
                try invocation.output.line(
                    "\(count)\t\(Printable.field(file.name))\t\(Printable.field(file.query ?? ""))")
            }
        }
        for fault in faults { invocation.talk.warn("\(fault)") }
        if let caveat = answer.caveat { invocation.talk.say(caveat.wording) }
        return faults.isEmpty ? .done : .partlyDone
    }

    static let smartShow = Command(
        "smart show", .find, "List the items that a smart folder finds", arguments: "NAME",
        details: "Takes the options of \"sbfs list\".", options: listOptions,
        examples: [
            .init("sbfs smart show Today", "what was changed today"),
            .init("sbfs smart show Pinned --sort title --json", "sorted, for a program"),
        ]
    ) { invocation in
        let file = try SmartFolders.find(invocation.positionals.joined(separator: " "), invocation)
        let parsed = try invocation.library().parse(file.query ?? "")
        invocation.tellReading(of: parsed)
        return try runList(invocation, parsed, order: .overview)
    }

    static let smartRename = Command(
        "smart rename", .order, "Rename a smart folder", arguments: "OLD NEW", options: [Option.dryRun],
        examples: [.init("sbfs smart rename Soups 'All soups'", "the query stays")]
    ) { invocation in
        guard invocation.positionals.count == 2 else {
            throw invocation.usage("smart rename needs the old and the new name; a name with spaces needs quotes")
        }
        let file = try SmartFolders.find(invocation.positionals[0], invocation)
        let new = try SmartFolders.read(invocation.positionals[1], invocation)
        let library = try invocation.library()
        if !NamedFile.areSame(file.name, new), let other = try library.namedFile(.smart, new) {
            throw CommandFailure(.failed, "there is a smart folder \"\(other.name)\" already (\(other.query ?? ""))")
        }
        if invocation.isDryRun {
            invocation.talk.say("would rename \"\(file.name)\" to \"\(new)\"")
        } else {
            let step = try invocation.step()
            if let copy = try step.copyNamed(.smart, file.name, to: new) { try step.removeNamed(copy) }
            invocation.talk.say("renamed \"\(file.name)\" to \"\(new)\"")
        }
        return .done
    }

    static let smartRemove = Command(
        "smart rm", .order, "Delete smart folders; the items stay", arguments: "NAME…", options: [Option.dryRun],
        examples: [.init("sbfs smart rm 'To Read'", "one of them")]
    ) { invocation in
        if invocation.positionals.isEmpty { throw invocation.usage("which ones?") }
        let files = try invocation.positionals.map { try SmartFolders.find($0, invocation) }
        for file in files {
            if invocation.isDryRun {
                invocation.talk.say("would remove \"\(file.name)\" (\(file.query ?? ""))")
            } else {
                try invocation.step().removeNamed(.smart, file.name)
                invocation.talk.say("removed \"\(file.name)\" (\(file.query ?? ""))")
            }
        }
        return .done
    }
}

/// Finds smart folders by typed names.
enum SmartFolders {
    static func read(_ typed: String, _ invocation: Invocation) throws -> String {
        let name = TagList.trimmed(typed)
        if name.isEmpty { throw invocation.usage("a smart folder needs a name") }
        return name
    }

    /// - Throws: `CommandFailure` with `nothingFound` if there is none; it names files that cannot be read.
    static func find(_ typed: String, _ invocation: Invocation) throws -> NamedFile {
        let name = try read(typed, invocation)
        let library = try invocation.library()
        if let file = try library.namedFile(.smart, name) { return file }
        let (files, faults) = try library.namedFiles(in: .smart)
        for fault in faults { invocation.talk.warn("\(fault)") }
        let nearest = Spelling.nearest(name, in: files.map(\.name)).map { "; did you mean \"\($0)\"?" } ?? ""
        throw CommandFailure(.nothingFound, "there is no smart folder \"\(name)\"\(nearest)")
    }
}
