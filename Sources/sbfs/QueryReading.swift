import StuffBucket

/// Reads queries of a command line and reports doubts about them.
extension Invocation {
    /// Reads a query given as arguments, and reports places that may mean something else.
    ///
    /// - Throws: `UsageError` if there are such places and the command would change the items found.
    func readQuery(_ arguments: [String]) throws -> QueryParser {
        let library = try library()
        var parsed = library.parse(arguments: arguments)
        let isChanged = command.changesWhatQueriesFind
        // A command that changes items must find them by the current files.
        for notice in try library.idleExclusions(of: parsed, isChanged ? .fresh : []) { parsed.note(notice) }
        let doubts = parsed.notices.filter(\.stopsChanges)
        if isChanged, !doubts.isEmpty {
            throw usage(
                (["nothing is changed, because the query may be a mistake:"] + doubts.map(\.wording))
                    .joined(separator: "\n"))
        }
        let isRemoved = command.name == Commands.trash.name || command.name == Commands.purge.name
        if isChanged, let notice = try library.selectsEverything(parsed) {
            try confirm(notice)
            talk.say("note: \(notice.wording)")
        } else if isRemoved, let notice = parsed.notices.first(where: \.excludesNothing) {
            try confirm(notice)
        }
        if !isChanged { widenUnavailable(&parsed, library) }
        tellReading(of: parsed)
        return parsed
    }

    /// Lets `status:unavailable` find also what is in an exchange only, while none can be read. A command that changes items is
    /// for what is missing: nothing is trashed because a stick is not here.
    private func widenUnavailable(_ parsed: inout QueryParser, _ library: Library) {
        let wanted = Filter.status(.unavailable)
        let widened = parsed.widening(wanted, by: .status(.away))
        guard widened.query != parsed.query, library.awayCount() > 0, !ExchangeReach(library).canRead else { return }
        parsed = widened
    }

    private func confirm(_ notice: QueryNotice) throws {
        if has("yes") || isDryRun { return }
        throw usage("nothing is changed, because \(notice.wording); --yes does it all the same")
    }

    /// Explains how the query was read if requested, else reports places that probably mean something else.
    func tellReading(of parsed: QueryParser) {
        if has(Option.explain.name) {
            talk.warn("read as: \(parsed.query)")
            for notice in parsed.notices { talk.warn("note: \(notice.wording)") }
        } else {
            // What was ignored is told where nothing else is asked: all items may go on into another command.
            for notice in parsed.notices where notice.weight == .doubt || parsed.query == .everything {
                talk.say("note: \(notice.wording)")
            }
        }
    }

    /// Reports other possible meanings if nothing was found.
    func tellNothingFound(by parsed: QueryParser) {
        if has(Option.explain.name) { return }
        for notice in parsed.notices where notice.weight < .doubt { talk.say("note: \(notice.wording)") }
    }
}

extension Command {
    /// Whether the command is only about items in the trash.
    var isAboutTrash: Bool { name == Commands.restore.name || name == Commands.purge.name }

    /// Whether the command changes the items that a query finds.
    var changesWhatQueriesFind: Bool {
        group != .find && (options.contains { $0.name == Option.query.name } || name == Commands.bulk.name)
    }
}

extension QueryNotice {
    fileprivate var excludesNothing: Bool {
        if case .excludesNothing = self { true } else { false }
    }
}
