// Watches a library, and gives each new link the tags of the three items that are most like it.
//
//   similar-tags LIBRARY
//
// What one link gets is one step, which "sbfs undo" takes back. Ctrl-C and SIGTERM end the program.
import Dispatch
import Glibc
import StuffBucket

func say(_ line: String) { try? ByteStream(1, name: "standard output").write(Array((line + "\n").utf8)) }
func tell(_ line: String) {
    try? ByteStream(2, name: "standard error").write(Array((Printable.line(line) + "\n").utf8))
}

@main
struct SimilarTags {
    static func main() async {
        guard CommandLine.arguments.count == 2 else {
            tell("usage: similar-tags LIBRARY")
            exit(2)
        }
        let path = CommandLine.arguments[1]
        let monitor = Monitor()
        let work = Task { try await follow(path, monitor) }
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { @Sendable in
                monitor.cancel()
                work.cancel()
            }
            source.resume()
            return source
        }
        defer { withExtendedLifetime(sources) {} }
        do {
            try await work.value
            say("ended")
        } catch ItemError.cancelled {
            say("ended")
        } catch {
            tell("similar-tags: \(error)")
            exit(1)
        }
    }

    static func follow(_ path: String, _ monitor: Monitor) async throws {
        let library = try Library(path: path)
        try library.requireWritable()
        var changes = library.changes.makeAsyncIterator()
        say("watching \(Printable.line(library.path))")
        while let change = try await changes.next() {
            switch change {
            case .added(let id): try tag(id, in: library, monitor)
            case .everything: say("too many changes at once; links that came with them stay as they are")
            default: break
            }
        }
    }

    /// Errors of one item are told, and the next one is waited for; all others end the program.
    static func tag(_ id: ItemID, in library: Library, _ monitor: Monitor) throws {
        do {
            guard let stored = try library.stored(id), stored.item.linkURL != nil, !stored.item.isTrashed else {
                return
            }
            let tags = try tagsOfSimilar(stored, in: library, monitor)
            guard !tags.isEmpty else { return }
            try library.change("tags of items like \(id.short)") { step in
                _ = try step.edit(stored) { edit in for tag in tags { edit.addTag(tag) } }
            }
            say("\(id.short) +\(tags.map(Printable.line).joined(separator: " +"))")
        } catch ItemError.noItem {
            say("\(id.short) is gone")
        } catch ItemError.locked(_, let seconds) {
            say("\(id.short) stays as it is: another program has been writing for \(seconds) s")
        } catch ItemError.conflict(_, let what, let kept) {
            say("\(id.short): another program changed \(what); this program's version is \(kept ?? "not kept")")
        } catch ItemError.malformed(let path, _) {
            say("\(id.short): \(Printable.line(path)) is no JSON")
        } catch ItemError.file(let error) where !error.isOutOfSpace && !error.isReadOnly {
            say("\(id.short): \(error)")
        }
        for notice in library.takeNotices() { say("\(notice)") }
    }

    static func tagsOfSimilar(_ stored: StoredItem, in library: Library, _ monitor: Monitor) throws -> [String] {
        var text = library.displayTitle(of: stored) + " " + (stored.item.description ?? "")
        if let bytes = try library.text(of: stored) {
            text += " " + String(decoding: bytes.prefix(2000), as: UTF8.self)
        }
        let words = Set(text.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }.filter { $0.count > 3 })
        let query = Query.or(words.sorted().prefix(40).map { .word($0) })
        let answer = try library.find(ItemRequest(query, order: .relevance, limit: 4), monitor)
        guard answer.caveat != .unranked else { return [] }
        var (tags, count) = (TagList(stored.item.plainTags), 0)
        let faults = try library.forEachItem(of: answer) { similar, _ in
            if similar.id == stored.id || count == 3 { return }
            count += 1
            for tag in similar.item.plainTags { tags.add(tag) }
        }
        for fault in faults { tell("cannot be read: \(fault)") }
        tags.remove(stored.item.plainTags)
        return tags.tags
    }
}
