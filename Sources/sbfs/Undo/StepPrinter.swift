import StuffBucket

/// Shows a step item by item: fields, lines of the text, document.
struct StepPrinter {
    let step: StepList.Step
    let contents: StepContents
    let library: Library
    let invocation: Invocation

    func print() throws -> ExitStatus {
        if invocation.has("json") || invocation.has("ndjson") {
            try printJSON()
            return .done
        }
        let style = invocation.style, output = invocation.output
        let end = contents.end == nil ? ", unfinished" : ""
        let state = step.state == .done ? end : ", \(step.state.rawValue)" + end
        try output.line(style.bold("Step \(step.number)") + style.warning(state))
        try output.line(Printable.line(step.header.command))
        try output.line(style.dim(step.header.time.localDate.description + " " + step.header.time.localTime))
        let related: [(String, [Int])] = [("undid", step.header.undoes), ("did again", step.header.redoes)]
        for (word, numbers) in related where !numbers.isEmpty {
            try output.line("\(word) " + numbers.map { "step \($0)" }.joined(separator: ", "))
        }
        for id in contents.ids {
            guard let changes = contents.items[id] else { continue }
            let stored = (try? library.stored(id)) ?? nil
            let title = stored.map { Printable.line(library.displayTitle(of: $0)) } ?? "(not here)"
            try output.line("")
            try output.line(style.dim(id.short) + "  " + style.bold(title) + style.warning(note(id, changes, stored)))
            for line in try lines(changes) { try output.line("  " + line) }
        }
        for path in contents.paths {
            try output.line("")
            try output.line(style.bold(Printable.line(path)))
            for line in try lines(of: contents.files[path] ?? []) { try output.line("  " + line) }
        }
        return .done
    }

    /// The state of an item after a killed command.
    private func note(_ id: ItemID, _ changes: StepContents.ItemChanges, _ stored: StoredItem?) -> String {
        if contents.end != nil { return "" }
        return isMade(id, changes, stored) ? "  made" : "  not made"
    }

    /// Whether the step's change of an item was made and is still present.
    private func isMade(_ id: ItemID, _ changes: StepContents.ItemChanges, _ stored: StoredItem?) -> Bool {
        guard let stored else { return false }
        if changes.isAdded { return true }
        return library.isReversible(contents, id, in: stored)
    }

    // MARK: Lines

    private func lines(_ changes: StepContents.ItemChanges) throws -> [String] {
        let style = invocation.style
        var lines: [String] = []
        if changes.isAdded { lines.append(style.added("new")) }
        for (old, new) in changes.fields { lines += FieldDiff(old, new).lines(style) }
        lines += try self.lines(of: changes.texts, name: "text")
        for (old, new) in changes.documents {
            lines.append("document: " + FieldDiff.arrow(old?.name, new?.name, style))
        }
        for move in changes.moves {
            lines.append(
                "moved: "
                    + FieldDiff.arrow(Printable.line(Self.shown(move.from)), Printable.line(Self.shown(move.to)), style)
            )
        }
        switch changes.lasting {
        case .purge?: lines.append(style.removed("purged"))
        case .archive?: lines.append("page saved")
        case .repair?: lines.append("repaired")
        case nil: break
        }
        return lines
    }

    /// A path, short of the item's folder.
    private static func shown(_ path: String) -> String {
        path.hasPrefix("items/") ? path.split(separator: "/").dropFirst(3).joined(separator: "/") : path
    }

    private func lines(of entries: [StepReader.Entry], name: String? = nil) throws -> [String] {
        let style = invocation.style
        var lines: [String] = []
        for entry in entries {
            guard case .bytes(_, let old, let new) = entry.record else { continue }
            if let name { lines.append("\(name):" + (old == nil ? " new" : new == nil ? " removed" : "")) }
            let (before, after) = try contents.file.contents(of: entry)
            guard new == nil || after != nil, old == nil || before != nil else {
                lines.append("  \(ByteCount.text(old?.byteCount ?? 0)) -> \(ByteCount.text(new?.byteCount ?? 0))")
                continue
            }
            lines += TextDiff.lines(before, after, style)
        }
        return lines
    }

    // MARK: JSON

    private func printJSON() throws {
        var objects: [JSON] = []
        for id in contents.ids {
            guard let changes = contents.items[id] else { continue }
            let stored = (try? library.stored(id)) ?? nil
            let fields = changes.fields.flatMap { FieldDiff($0.old, $0.new).changes }.map { change in
                JSON.members([("field", .string(change.key)), ("old", change.old), ("new", change.new)])
            }
            objects.append(
                .members([
                    ("id", .string(id.description)),
                    ("title", stored.map { .string(library.displayTitle(of: $0)) }),
                    ("isNew", .bool(changes.isAdded)), ("isTextChanged", .bool(!changes.texts.isEmpty)),
                    ("isMade", contents.end == nil ? .bool(isMade(id, changes, stored)) : nil),
                    ("fields", .array(fields)),
                    (
                        "documents",
                        changes.documents.isEmpty
                            ? nil
                            : .array(
                                changes.documents.map { old, new in
                                    .members([
                                        ("old", old.map { .string($0.name) }), ("new", new.map { .string($0.name) }),
                                    ])
                                })
                    ), ("lasting", changes.lasting.map { .string($0.rawValue) }),
                ]))
        }
        objects += contents.paths.map { .members([("file", .string($0))]) }
        if invocation.has("json") {
            try invocation.output.write(Printable.json(JSON.array(objects).file))
            return
        }
        for object in objects {
            try invocation.output.write(Printable.json(object.oneLine) + [0x0A])
        }
    }
}
