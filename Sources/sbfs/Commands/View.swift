import StuffBucket

extension Commands {
    private static let viewNote = """
        A view is the folder StuffBucket in a folder of your choice. It shows the items of the library as files for file \
        managers and other programs. It is a copy: sbfs changes and removes only what it wrote there. Your own files and edits \
        stay. If you remove the folder, no item is lost.
        """

    static let viewAdd = Command(
        "view add", .order, "Show the items as files in a folder", arguments: "DIR",
        details: """
            \(viewNote)

            Profile full: All holds each item once, under its title. Collections, Tags, Smart, Recents and Recently Deleted hold \
            links to it, or copies where the file system has no links. Profile documents: only the documents, as \
            StuffBucket/Documents/ID/NAME.

            Mode reflink shares disk space with the library where the file system can (btrfs, XFS) and copies elsewhere; copy always \
            copies. Mode symlink makes links to the library's own files: saving such a file changes the library.

            DIR must not be in the library or in another view. "sbfs view refresh" brings the view up to date.
            """,
        options: [
            Option("profile", value: "PROFILE", "documents or full (full)"),
            Option("mode", value: "MODE", "copy, reflink or symlink (reflink)"),
        ],
        examples: [
            .init("sbfs view add ~/Documents", "all items in ~/Documents/StuffBucket"),
            .init("sbfs view add /media/stick --profile documents", "only documents, on another disk"),
        ]
    ) { invocation in
        guard invocation.positionals.count == 1 else { throw invocation.usage("view add needs one folder") }
        let profile = try invocation.choice("profile", of: ViewProfile.allCases.map(\.rawValue)) ?? "full"
        let mode = try invocation.choice("mode", of: ViewMode.allCases.map(\.rawValue)) ?? "reflink"
        let library = try invocation.library()
        let folder = LibraryLocation.expand(invocation.positionals[0])
        let made = try invocation.withProgress("writing") { monitor in
            try library.addView(
                at: folder, ViewProfile(rawValue: profile) ?? .full, ViewMode(rawValue: mode) ?? .reflink, monitor)
        }
        let report = made.report
        if invocation.value("mode") == ViewMode.reflink.rawValue, report.copiedCount > 0 {
            invocation.talk.say(
                "the file system cannot share blocks with the library: \(ViewWords.files(report.copiedCount)) copied")
        }
        if mode == ViewMode.symlink.rawValue, !report.hasLinks {
            invocation.talk.say("the file system has no symbolic links: the view holds copies")
        }
        return invocation.tell(report, of: made.view)
    }

    static let viewList = Command(
        "view list", .find, "List the views of the library",
        options: [Option.json],
        examples: [.init("sbfs view list", "each with its folder, profile, mode and state")]
    ) { invocation in
        guard invocation.positionals.isEmpty else { throw invocation.usage("view list takes no folder") }
        let views = try invocation.library().views()
        var isWhole = true
        var objects: [JSON] = []
        for view in views {
            let state = try view.state()
            let behind = view.behindCount
            let count = try view.itemCount()
            if state != .present || behind > 0 { isWhole = false }
            if invocation.has("json") {
                objects.append(
                    .members([
                        ("id", .string(view.id.description)), ("path", .string(view.path)),
                        ("profile", .string(view.profile.rawValue)), ("mode", .string(view.mode.rawValue)),
                        ("state", .string(state.rawValue)), ("items", .integer(count)), ("behind", .integer(behind)),
                    ]))
            } else {
                let words = [view.profile.rawValue, view.mode.rawValue, ViewWords.state(state, behind: behind)]
                try invocation.output.line(
                    words.joined(separator: "\t") + "\t\(count)\t" + Printable.field(view.path))
            }
        }
        if invocation.has("json") { try invocation.output.write(Printable.json(JSON.array(objects).file)) }
        if views.isEmpty { invocation.talk.say("there is none; make one: sbfs view add DIR") }
        return isWhole ? .done : .partlyDone
    }

    static let viewRefresh = Command(
        "view refresh", .order, "Bring views up to date with the library", arguments: "[DIR]…",
        details: """
            Without a folder, all views. A file of the view that was deleted is written again; edited files and your own stay. A \
            view whose folder is gone is only named, unless you say --recreate.

            If more than a fifth of the items are gone from the library at once, and were not purged, their files stay in the view; \
            --remove-gone removes them.
            """,
        options: [
            Option("recreate", "make a view again whose folder is gone"),
            Option("remove-gone", "remove the files of items that are gone, however many they are"),
        ],
        examples: [
            .init("sbfs view refresh", "all views"),
            .init("sbfs view refresh ~/Documents --recreate", "one whose folder was removed"),
        ]
    ) { invocation in
        let library = try invocation.library()
        var status = ExitStatus.done
        for view in try invocation.views(library) {
            do {
                let report = try invocation.withProgress("comparing") { monitor in
                    try view.refresh(
                        .all, missing: invocation.has("recreate") ? .make : .report,
                        removesAll: invocation.has("remove-gone"), monitor)
                }
                if invocation.tell(report, of: view) != .done { status = .partlyDone }
            } catch {
                // One view does not stop the others.
                invocation.talk.warn(error.wording)
                status = status == .done ? ExitStatus(for: error) : .partlyDone
            }
        }
        return status
    }

    static let viewChanges = Command(
        "view changes", .find, "List edited copies and your own files in views",
        arguments: "[DIR]…",
        details: """
            Each line has the kind, the item and the path: "edited" for a changed copy, or a file in the place of a link to it, which \
            "sbfs view adopt" takes into the library if it is a document or a text; "edited too" if the library's file changed as well; "deleted"; "in the way" for \
            something else under the name of an item's file; "own" for your own files and folders.
            """,
        options: [Option.json], examples: [.init("sbfs view changes", "in all views")]
    ) { invocation in
        let library = try invocation.library()
        var objects: [JSON] = []
        var count = 0
        for view in try invocation.views(library) {
            let changes = try invocation.withProgress("comparing") { monitor in try view.changes(monitor) }
            count += changes.count
            for change in changes {
                let (word, id) = ViewWords.kind(change)
                let path = view.path + "/" + change.path
                if invocation.has("json") {
                    objects.append(
                        .members([
                            ("kind", .string(word)), ("item", id.map { .string($0.description) }),
                            ("path", .string(path)), ("adoptable", .bool(change.isAdoptable)),
                        ]))
                } else {
                    try invocation.output.line("\(word)\t\(id?.short ?? "-")\t\(Printable.field(path))")
                }
            }
        }
        if invocation.has("json") { try invocation.output.write(Printable.json(JSON.array(objects).file)) }
        if count == 0 { invocation.talk.say("nothing is different") }
        return .done
    }

    static let viewAdopt = Command(
        "view adopt", .change, "Take edited copies from views into the library", arguments: "[FILE]…",
        details: """
            FILE is an edited copy of a document or a text in a view; --all takes all of them. A copy of which the library's file \
            changed too is left and named, and the exit code is 4: it may be older than that. --force takes it all the same. The item gets \
            the edited bytes under the name that its document has. The earlier version stays in the journal: "sbfs undo" brings it back.
            """,
        options: [
            Option("all", "take every edited copy"),
            Option("force", "also where the library's file changed too"), Option.dryRun,
        ],
        examples: [
            .init("sbfs view adopt ~/Documents/StuffBucket/All/Report.odt", "one of them"),
            .init("sbfs view adopt --all --dry-run", "what would be taken"),
        ]
    ) { invocation in
        if invocation.positionals.isEmpty != invocation.has("all") {
            throw invocation.usage("view adopt needs files, or --all")
        }
        let library = try invocation.library()
        var wanted = Set(invocation.positionals)
        var adopted: [(view: LibraryView, id: ItemID)] = []
        var status = ExitStatus.done
        for view in try library.views() {
            guard try view.state() == .present else { continue }
            let paths = Dictionary(
                invocation.positionals.compactMap { file in view.relativePath(of: file).map { ($0, file) } }
            ) { first, _ in first }
            if paths.isEmpty, !invocation.has("all") { continue }
            for change in try view.changes() where change.isAdoptable {
                if !invocation.has("all") {
                    guard let file = paths[change.path] else { continue }
                    wanted.remove(file)
                }
                let path = view.path + "/" + change.path
                if change.isOutdated, !invocation.has("force") {
                    invocation.talk.warn(
                        "\(path): the library's file changed too, so the copy was left; compare them, and "
                            + "\"sbfs view adopt --force FILE\" takes the copy")
                    status = .partlyDone
                    continue
                }
                if invocation.isDryRun {
                    invocation.talk.say("would take \(path)")
                    continue
                }
                do {
                    adopted.append((view, try invocation.step().adopt(change, from: view)))
                    invocation.talk.say(
                        "took \(path)" + (change.isOutdated ? "; the library's own version stays in the journal" : ""))
                } catch {
                    invocation.talk.warn(error.wording)
                    status = ExitStatus(for: error)
                }
            }
        }
        for file in wanted.sorted() {
            invocation.talk.warn(ViewError.notAdoptable(path: file).description)
            status = .nothingFound
        }
        if invocation.has("all"), adopted.isEmpty, !invocation.isDryRun, status == .done {
            invocation.talk.say("no edited copies")
        }
        invocation.tellUndo()
        invocation.endStep()
        for (view, ids) in Dictionary(grouping: adopted, by: \.view.id).values.map({ ($0[0].view, $0.map(\.id)) }) {
            try view.refresh(.items(ids))
            // What was adopted in the place of a link is the view's own file now, and becomes a link again.
            try view.refresh(.items(ids))
        }
        return status
    }

    static let viewRemove = Command(
        "view remove", .remove, "Remove a view; the items stay", arguments: "DIR",
        details: """
            Removes the files that sbfs wrote. Your own files and edited copies stay, and are named. Without the folder, which may \
            be gone, only the record of the view is removed.
            """,
        options: [Option("keep-files", "keep all files, and only forget the view")],
        examples: [.init("sbfs view remove ~/Documents", "the folder StuffBucket in it")]
    ) { invocation in
        guard invocation.positionals.count == 1 else { throw invocation.usage("view remove needs one folder") }
        let library = try invocation.library()
        let view = try library.view(at: LibraryLocation.expand(invocation.positionals[0]))
        let report = try invocation.withProgress("removing") { monitor in
            try library.removeView(view, keepsFiles: invocation.has("keep-files"), monitor)
        }
        for failure in report.failures.prefix(5) { invocation.talk.warn("\(failure.error)") }
        if !report.failures.isEmpty {
            invocation.talk.warn("the view stays: \(itemCount(report.failures.count)) could not be removed")
            return .partlyDone
        }
        invocation.tellLeft(report.changes, in: view)
        invocation.talk.say("removed the view \(view.path)")
        return .done
    }
}

/// Words about views.
enum ViewWords {
    static func files(_ count: Int) -> String { "\(count) file\(count == 1 ? "" : "s")" }

    static func state(_ state: ViewState, behind: Int) -> String {
        state == .present && behind > 0 ? "behind" : state.rawValue
    }

    static func kind(_ change: ViewChange) -> (word: String, id: ItemID?) {
        switch change.kind {
        case .edited(let id, _): (change.isOutdated ? "edited too" : "edited", id)
        case .inTheWay(let id): ("in the way", id)
        case .missing(let id): ("deleted", id)
        case .own: ("own", nil)
        }
    }
}

extension Invocation {
    /// - Throws: `UsageError` if the option's value is none of these.
    fileprivate func choice(_ option: String, of words: [String]) throws -> String? {
        guard let value = value(option) else { return nil }
        guard words.contains(value) else {
            let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
            throw usage("--\(option) must be \(list), not \"\(value)\"")
        }
        return value
    }

    /// The named views, or all.
    fileprivate func views(_ library: Library) throws -> [LibraryView] {
        if !positionals.isEmpty {
            return try positionals.map { try library.view(at: LibraryLocation.expand($0)) }
        }
        let views = try library.views()
        if views.isEmpty { throw CommandFailure(.nothingFound, "there is no view; make one: sbfs view add DIR") }
        return views
    }

    /// Names what stays in a view though sbfs did not write it so.
    fileprivate func tellLeft(_ changes: [ViewChange], in view: LibraryView) {
        for change in changes.prefix(5) {
            talk.warn("left as it is (\(ViewWords.kind(change).word)): \(view.path)/\(change.path)")
        }
        if changes.count > 5 { talk.warn("\(changes.count - 5) more; \"sbfs view changes\" names them all") }
    }

    /// Reports a refresh.
    fileprivate func tell(_ report: ViewReport, of view: LibraryView) -> ExitStatus {
        switch report.state {
        case .missing:
            talk.warn("the view \(view.path) is gone; --recreate makes it again, \"sbfs view remove\" forgets it")
            return .partlyDone
        case .foreign:
            talk.warn("\(view.path) is not this view any more: its file .sbfs-view names another one")
            return .partlyDone
        case .present: break
        }
        tell(report.faults)
        for failure in report.failures.prefix(5) { talk.warn("\(failure.error)") }
        tellLeft(report.changes, in: view)
        let behind = view.behindCount
        if behind > 0 {
            talk.warn("the view \(view.path) is behind for \(itemCount(behind)); the next refresh writes them")
        }
        if report.withheldCount > 0 {
            talk.warn(
                "\(itemCount(report.withheldCount)) are gone from the library, more than a fifth; their files stay in the view. "
                    + "If that is right, use --remove-gone")
        }
        let done = [
            (report.writtenCount, "written"), (report.movedCount, "renamed"), (report.removedCount, "removed"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        talk.say("\(view.path): \(done.isEmpty ? "nothing to change" : done.joined(separator: ", "))")
        return report.isCurrent && report.faults.isEmpty ? .done : .partlyDone
    }
}
