import StuffBucket

/// Queries of a command line, with what is said about their reading.
extension Invocation {
    /// Reads a query that was typed as arguments; says what may have been meant otherwise.
    ///
    /// - Throws: `UsageError` where that is not clear and the command would change what the query finds.
    func readQuery(_ arguments: [String]) throws -> QueryParser {
        let library = try library()
        var parsed = library.parse(arguments: arguments)
        let isChanged = command.changesWhatQueriesFind
        // A command that changes items must find them by the current files.
        for notice in try library.idleExclusions(of: parsed, isFresh: isChanged) { parsed.note(notice) }
        let doubts = parsed.notices.filter(\.stopsChanges)
        if isChanged, !doubts.isEmpty {
            throw usage(
                (["nothing is changed, because the query may be a mistake:"] + doubts.map(\.wording))
                    .joined(separator: "\n"))
        }
        tellReading(of: parsed)
        return parsed
    }

    /// Says how a query is read if asked to, else what most likely means something else.
    func tellReading(of parsed: QueryParser) {
        if has(Option.explain.name) {
            talk.warn("read as: \(parsed.query)")
            for notice in parsed.notices { talk.warn("note: \(notice.wording)") }
        } else {
            for notice in parsed.notices where notice.weight == .doubt { talk.say("note: \(notice.wording)") }
        }
    }

    /// Says what else may have been meant, where nothing was found.
    func tellNothingFound(by parsed: QueryParser) {
        if has(Option.explain.name) { return }
        for notice in parsed.notices where notice.weight < .doubt { talk.say("note: \(notice.wording)") }
    }
}

extension Command {
    /// Whether only items in the trash can be meant.
    var isAboutTrash: Bool { name == Commands.restore.name || name == Commands.purge.name }

    /// Whether a query names what the command changes.
    var changesWhatQueriesFind: Bool {
        group != .find && (options.contains { $0.name == Option.query.name } || name == Commands.bulk.name)
    }
}
