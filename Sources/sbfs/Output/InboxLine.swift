import StuffBucket

/// One line about a file of the inbox.
struct InboxLine {
    /// `added`, `waits` …, for a person.
    let word: String
    /// The path below inbox/.
    let path: String
    /// Why it waits or was rejected, without a full stop.
    var why: String?
    var row: Row?
    /// Whether a person should look at it.
    var isTrouble = false
    /// Whether its name begins with a dot.
    var isHidden = false
    private let members: [(String, JSON?)]

    init(_ entry: InboxReport.Entry) {
        path = entry.path
        row = entry.outcome.row
        var members: [(String, JSON?)] = []
        switch entry.outcome {
        case .added: word = "added"
        case .joined: word = "joined"
        case .known: word = "known"
        case .rejected(let reason, let name):
            word = "rejected"
            why = reason.wording
            members = [("reason", .string(reason.word)), ("name", .string(name))]
            isTrouble = true
        case .failed(let error):
            word = "failed"
            why = error.inboxWording
            isTrouble = true
        }
        self.members =
            [
                ("path", .string(entry.path)), ("state", .string(word)),
                ("id", entry.outcome.row.map { .string($0.id.description) }),
            ] + members + [("why", why.map(JSON.string))]
    }

    init(_ file: InboxFile) {
        path = file.path
        var members: [(String, JSON?)] = [("byteCount", .integer(file.byteCount))]
        let state: String
        switch file.state {
        case .complete:
            (word, state) = ("complete", "complete")
        case .settling(let until):
            (word, state) = ("waits", "settling")
            members.append(("until", .string(until.rfc3339)))
        case .openForWriting: (word, state) = ("waits", "openForWriting")
        case .waitsForComment(let until):
            (word, state) = ("waits", "waitsForComment")
            members.append(("until", .string(until.rfc3339)))
        case .waitsForFile: (word, state) = ("waits", "waitsForFile")
        case .needsWorker:
            (word, state) = ("waits", "needsWorker")
            isTrouble = true
        case .unfinished: (word, state) = ("waits", "unfinished")
        case .hidden:
            (word, state) = ("hidden", "hidden")
            isHidden = true
        case .inaccessible:
            (word, state) = ("waits", "inaccessible")
            isTrouble = true
        case .unsupported(let reason):
            (word, state) = ("unsupported", "unsupported")
            members.append(("reason", .string(reason.word)))
        case .rejected(let reason):
            (word, state) = ("rejected", "rejected")
            members.append(("reason", reason.map { .string($0.word) }))
        }
        why = file.state.wording
        self.members =
            [("path", .string(file.path)), ("state", .string(state))] + members + [("why", why.map(JSON.string))]
    }

    /// One JSON object on one line.
    var json: [UInt8] {
        JSON.members(members).oneLine
    }

    /// Word, id, path and reason.
    var tabSeparated: String {
        [word, row?.id.description ?? "", path, why ?? ""].map(Printable.field).joined(separator: "\t")
    }
}
