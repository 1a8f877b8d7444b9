// A reading list in a library: links that wait to be read.
//
//   reading-list LIBRARY add URL [TITLE]   keep a link; the library is made if there is none
//   reading-list LIBRARY next [QUERY…]     the ten that wait longest
//   reading-list LIBRARY done ITEM         an item was read: by its id, the end of one, its URL or title
//   reading-list LIBRARY undo              take the last change back
import Glibc
import StuffBucket

let waiting = "to-read"

func run(_ words: [String]) throws {
    guard words.count >= 2 else { return print("usage: reading-list LIBRARY add|next|done|undo …") }
    let (path, verb, rest) = (words[0], words[1], Array(words.dropFirst(2)))
    if verb == "add" { _ = try Library.create(at: path, name: "Reading list") }
    let library = try Library(path: path)
    let command = "reading-list \(verb) \(rest.joined(separator: " "))"
    switch verb {
    case "add" where !rest.isEmpty:
        let title = rest.count > 1 ? rest.dropFirst().joined(separator: " ") : nil
        let id = try library.change(command) { step in
            try step.addLink(rest[0], title: title, tags: [waiting])
        }
        print("\(id.short) waits to be read")
    case "next":
        let query = library.parse("tag:\(waiting) \(rest.joined(separator: " "))").query
        let answer = try library.find(ItemRequest(query, order: .oldest, limit: 10))
        let faults = try library.forEachItem(of: answer) { stored, _ in
            print("\(stored.id.short)  \(Printable.line(library.displayTitle(of: stored)))")
        }
        for fault in faults { print("cannot be read: \(fault)") }
        print("\(answer.hits.count) of \(answer.count)")
    case "done" where !rest.isEmpty:
        guard let row = try library.resolve([rest.joined(separator: " ")]).rows.first else {
            return print("there is no such item, or there are several")
        }
        let stored = try library.item(row)
        try library.change(command) { step in
            try step.edit(stored) { edit in
                edit.removeTag(waiting)
                edit.addTag("read")
            }
        }
        print("read: \(Printable.line(library.displayTitle(of: stored)))")
    case "undo":
        guard let last = try library.history()?.undoable.first else { return print("nothing to undo") }
        let report = try library.undo([last.number], StepHeader(command: command))
        print(
            "took back \(Printable.line(last.header.command)): \(report.changedCount) changed, \(report.leftCount) left"
        )
    default: print("usage: reading-list LIBRARY add|next|done|undo …")
    }
}

do {
    try run(Array(CommandLine.arguments.dropFirst()))
} catch let error as ItemError {
    // Each case says what went wrong; a program can tell them apart.
    if case .noLibrary = error { print("there is no reading list yet; add a link first") } else { print("\(error)") }
    exit(1)
}
