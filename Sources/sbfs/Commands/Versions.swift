import StuffBucket

extension Commands {
    static let history = Command(
        "history", .care, "List the versions of an item", arguments: "ITEM",
        details: """
            The latest first: the beginning of the version's name, its time, and what it changed. "now" is the version \
            that the item shows; "latest" is one from which no other came; a version that lacks its text or one that it \
            came from "waits". "sbfs restore-version" takes one back.

            Each change of an item is noted as a version, by the command that makes it or, for an editor's, by the next \
            writing command or the daemon. Versions are files in the item's folder history/ (FORMAT.md, Versions): copies \
            of a library that meet are joined by them (Documentation/Merge.md). A file there that has the name of a version and is none is named and passed over.
            """,
        options: [
            Option("limit", short: "l", value: "N", "show at most N versions (30)"), Option.query, Option.json,
            Option.ndjson,
        ],
        examples: [
            .init("sbfs history @1", "what the item was, and when"),
            .init("sbfs history @1 --json", "with old and new values, for programs"),
        ]
    ) { invocation in
        let selection = try invocation.itemsToShow(invocation.positionals)
        guard selection.rows.count == 1 else { throw invocation.usage("history is for one item") }
        let stored = try selection.first()
        let all = try selection.library.versions(of: stored)
        warn(all, invocation)
        let isJSON = invocation.has("json"), isStream = invocation.has("ndjson")
        if all.versions.isEmpty, !isJSON, !isStream {
            throw CommandFailure(.nothingFound, "\(stored.id.short) has no versions in history/")
        }
        let limit = try invocation.count("limit") ?? 30
        let printer = VersionPrinter(library: selection.library, stored: stored, invocation: invocation)
        var objects: [JSON] = []
        for version in all.versions.prefix(limit) {
            if isStream {
                try invocation.output.write(Printable.json(printer.json(version).oneLine) + [0x0A])
            } else if isJSON {
                objects.append(try printer.json(version))
            } else {
                for line in try Terminal.isOutput ? printer.lines(version) : [printer.row(version)] {
                    try invocation.output.line(line)
                }
            }
        }
        if isJSON { try invocation.output.write(Printable.json(JSON.array(objects).file)) }
        if all.versions.count > limit, Terminal.isOutput, !isJSON, !isStream {
            invocation.talk.say("\(all.versions.count - limit) more; --limit shows them")
        }
        return all.versions.isEmpty ? .nothingFound : selection.status
    }

    static let restoreVersion = Command(
        "restore-version", .care, "Give an item what an earlier version says",
        arguments: "ITEM VERSION",
        details: """
            VERSION is a name from "sbfs history", or the beginning of one. Fields, tags and the text become those of the \
            version. The page, the document and the trash stay as they are: a version does not hold the bytes of pages \
            and documents. "sbfs undo" takes the change back.
            """,
        options: [Option.query, Option.dryRun],
        examples: [
            .init("sbfs restore-version @1 c5c64bb5", "as it was in that version"),
            .init("sbfs restore-version @1 c5c64bb5 --dry-run", "what that would change"),
        ]
    ) { invocation in
        let (library, stored, name) = try invocation.itemAndName(of: "version")
        let all = try library.versions(of: stored)
        warn(all, invocation)
        let version = try invocation.only(all.versions(named: name), name, "version", of: stored, list: "history") {
            String($0.name.prefix(16))
        }
        let short = version.name.prefix(8)
        let changes = try library.changes(restoring: version, in: stored)
        let missing = try library.filesNotBrought(restoring: version, in: stored)
        func tellMissing() {
            guard let path = missing.first else { return }
            invocation.talk.warn(
                Printable.line(path) + (missing.count > 1 ? " and \(missing.count - 1) more" : "")
                    + " of that version \(missing.count > 1 ? "do" : "does") not come back: a version does not hold the bytes of pages and documents"
            )
        }
        if changes.isEmpty {
            invocation.talk.say("\(stored.id.short) is as in version \(short) already")
            tellMissing()
            return .done
        }
        if invocation.isDryRun {
            invocation.talk.say("would give \(stored.id.short) what version \(short) says")
            let printer = VersionPrinter(library: library, stored: stored, invocation: invocation)
            for line in printer.lines(changes) { try invocation.output.line(line) }
            return .done
        }
        try invocation.step().restore(version, in: stored)
        invocation.talk.say("\(stored.id.short) is as in version \(short) again")
        tellMissing()
        return .done
    }

    /// Names what is no version, at most three of them.
    private static func warn(_ all: ItemVersions, _ invocation: Invocation) {
        for stranger in all.strangers.prefix(3) {
            invocation.talk.warn("\(stranger.path) \(stranger.fault): passed over")
        }
        if all.strangers.count > 3 {
            invocation.talk.warn("\(all.strangers.count - 3) more files in history/ are no versions: passed over")
        }
    }
}

/// Shows a version of an item with what it changed.
struct VersionPrinter {
    let library: Library
    let stored: StoredItem
    let invocation: Invocation

    /// For a person.
    func lines(_ version: ItemVersion) throws -> [String] {
        let style = invocation.style
        let time = version.updatedAt.map { $0.localDate.description + " " + $0.localTime } ?? "no time"
        let state = Self.state(version)
        var lines = [
            style.bold(String(version.name.prefix(8))) + "  " + style.dim(time) + (state.isEmpty ? "" : "  ")
                + style.warning(state)
        ]
        switch version.parents.count {
        case 0: lines.append("  the first version")
        case 1:
            if let changes = try library.changes(by: version, of: stored) {
                lines += self.lines(changes).map { "  " + $0 }
            } else {
                lines.append("  came from \(version.parents[0].prefix(8)), which is not here")
            }
        default:
            lines.append("  joins " + version.parents.map { String($0.prefix(8)) }.joined(separator: " and "))
        }
        return lines
    }

    /// What differs, for a person.
    func lines(_ changes: VersionChanges) -> [String] {
        let style = invocation.style
        var lines = changes.fields.map { FieldDiff($0.old, $0.new).lines(style) } ?? []
        if let texts = changes.texts {
            lines.append("text:" + (texts.old == nil ? " new" : texts.new == nil ? " removed" : ""))
            lines += TextDiff.lines(texts.old, texts.new, style)
        }
        return lines + changes.files.map { Printable.line($0.path) + ": " + $0.change.rawValue }
    }

    /// For programs: name, time, state, the versions it came from, and what it changed, separated by tabs.
    func row(_ version: ItemVersion) throws -> String {
        let changes = try library.changes(by: version, of: stored)
        var changed = changes?.fields.map { FieldDiff($0.old, $0.new).changes.map(\.key) } ?? []
        if changes?.texts != nil { changed.append("text") }
        changed += changes?.files.map(\.path) ?? []
        return [
            version.name, version.updatedAt?.rfc3339 ?? "", Self.state(version),
            version.parents.joined(separator: " "), changed.joined(separator: " "),
        ].map(Printable.field).joined(separator: "\t")
    }

    func json(_ version: ItemVersion) throws -> JSON {
        let changes = try library.changes(by: version, of: stored)
        let fields = changes?.fields.map { FieldDiff($0.old, $0.new).changes } ?? []
        return .members([
            ("version", .string(version.name)), ("updatedAt", version.updatedAt.map { .string($0.rfc3339) }),
            ("parents", .strings(version.parents)), ("isCurrent", .bool(version.isCurrent)),
            ("isLatest", .bool(version.isHead)), ("isWaiting", .bool(version.isWaiting)),
            (
                "fields",
                .array(
                    fields.map { .members([("field", .string($0.key)), ("old", $0.old), ("new", $0.new)]) })
            ),
            ("isTextChanged", .bool(changes?.texts != nil)),
            (
                "files",
                .array(
                    (changes?.files ?? []).map {
                        .members([("path", .string($0.path)), ("change", .string($0.change.rawValue))])
                    })
            ),
        ])
    }

    private static func state(_ version: ItemVersion) -> String {
        version.isWaiting ? "waits" : version.isCurrent ? "now" : version.isHead ? "latest" : ""
    }
}
