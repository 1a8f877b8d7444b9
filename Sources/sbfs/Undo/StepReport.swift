import StuffBucket

/// The outcome of undoing or redoing steps, for each item and file.
struct StepReport {
    private typealias Entry = UndoReport.Entry

    private let report: UndoReport
    private var entries: [Entry] { report.entries }
    private var leftCount: Int { report.leftCount }
    private var changedCount: Int { report.changedCount }

    init(_ report: UndoReport) { self.report = report }

    /// - Parameter done: the first words of a sentence, before the number of items.
    func finish(_ done: String, _ library: Library, _ invocation: Invocation) throws -> ExitStatus {
        if invocation.has("json") {
            try invocation.output.write(Printable.json(JSON.array(entries.map(json)).file))
        }
        var errors: [ItemError] = []
        for entry in entries {
            switch entry.result {
            case .success(true) where invocation.isDryRun:
                invocation.talk.say("would change \(Self.name(entry.part, library))")
            case .success: break
            case .failure(let error): errors.append(error)
            }
        }
        for error in errors.prefix(20) { invocation.talk.warn(error.wording) }
        if errors.count > 20 { invocation.talk.warn("and \(errors.count - 20) more") }
        for folder in try foldersOfRepairs(library) {
            invocation.talk.say("the files as they were before the repair are in \(Printable.line(folder))")
        }
        if !invocation.isDryRun, changedCount > 0 || errors.isEmpty { invocation.talk.say("\(done): \(counts)") }
        for line in try conflictsThatAreBack(library, invocation) { invocation.talk.say(line) }
        if errors.isEmpty { return .done }
        let statuses = Set(errors.map(ExitStatus.init))
        if statuses.contains(.conflict) { return .conflict }
        return errors.count == entries.count && statuses.count == 1 ? statuses.first ?? .failed : .partlyDone
    }

    /// Where the files are that repairs replaced.
    private func foldersOfRepairs(_ library: Library) throws -> [String] {
        let steps = entries.compactMap { entry -> Int? in
            guard case .failure(.lasting(_, .repair)) = entry.result else { return nil }
            return entry.step
        }
        if steps.isEmpty { return [] }
        return Set(steps).sorted().compactMap { step in (try? library.history())?.keptFiles(of: step) }
    }

    /// Says that a conflict of two files is there again.
    private func conflictsThatAreBack(_ library: Library, _ invocation: Invocation) throws -> [String] {
        if invocation.isDryRun { return [] }
        var lines: [String] = []
        for entry in entries {
            guard case .item(let id) = entry.part, (try? entry.result.get()) == true,
                let moves = try library.history()?.contents(of: entry.step)?.items[id]?.moves, !moves.isEmpty,
                let stored = (try? library.stored(id)) ?? nil
            else { continue }
            let all = try library.conflicts(of: stored)
            if all.documents.isEmpty, all.ownFiles.isEmpty { continue }
            lines.append("the conflict of \(id.short) is there again; \"sbfs conflicts \(id.short)\" shows it")
        }
        return lines
    }

    private var counts: String {
        let changed = Set(entries.filter { (try? $0.result.get()) == true }.map(\.part))
        let items = changed.count { if case .item = $0 { true } else { false } }
        let files = changed.count - items
        var parts: [String] = []
        if items > 0 { parts.append("\(items) item\(items == 1 ? "" : "s")") }
        if files > 0 { parts.append("\(files) file\(files == 1 ? "" : "s")") }
        if leftCount > 0 { parts.append("\(leftCount) left as \(leftCount == 1 ? "it is" : "they are")") }
        return parts.isEmpty ? "nothing had to be changed" : parts.joined(separator: ", ")
    }

    private func json(_ entry: Entry) -> JSON {
        let (result, error): (String, String?) =
            switch entry.result {
            case .success(let isChanged): (isChanged ? "changed" : "unchanged", nil)
            case .failure(let error): ("failed", error.wording)
            }
        let (id, file): (String?, String?) =
            switch entry.part {
            case .item(let id): (id.description, nil)
            case .file(let path): (nil, path)
            }
        return .members([
            ("step", .integer(entry.step)), ("id", id.map(JSON.string)), ("file", file.map(JSON.string)),
            ("result", .string(result)), ("error", error.map(JSON.string)),
        ])
    }

    static func name(_ part: StepPart, _ library: Library) -> String {
        switch part {
        case .file(let path): path
        case .item(let id):
            id.short + "  "
                + TextWidth.cut(((try? library.stored(id)) ?? nil).map { library.displayTitle(of: $0) } ?? "", to: 200)
        }
    }
}
