import Files
import Items
import StuffBucket
import TestSupport
import Testing

/// What a program that opens a library may choose.
struct EmbeddingTests {
    private let scratch: ScratchDirectory
    private var path: String { scratch.full("library") }

    init() throws {
        scratch = try ScratchDirectory()
        _ = try Library.create(at: scratch.full("library"), name: "Test")
    }

    private func source(of outcome: AdditionOutcome?, in library: Library) throws -> String? {
        let row = try #require(outcome?.row)
        return try library.item(row).item.source
    }

    @Test func `an item's source is the program's name, and not the command's`() throws {
        let library = try Library(path: path)
        let id = try library.addSnippet("a")
        let source = try #require(try library.item(id)).source
        #expect(source == library.source)
        #expect(library.source == FilePath.real("/proc/self/exe")?.split(separator: "/").last.map(String.init))
    }

    @Test func `a program chooses the source of its items, and of one item`() throws {
        var options = LibraryOptions()
        options.source = "notes-sync"
        let library = try Library(path: path, options)
        var second = Addition(.text(Array("b".utf8)))
        second.source = "phone"
        let additions = [Addition(.text(Array("a".utf8))), second]
        let outcomes = try library.change("add") { step in try step.add(additions) }
        #expect(try outcomes.map { try source(of: $0, in: library) } == ["notes-sync", "phone"])
    }

    @Test func `a known link is skipped if the program says so`() throws {
        let library = try Library(path: path)
        let id = try library.addLink("https://example.org/", tags: ["a"])
        var addition = Addition(.link("https://example.org/"))
        addition.tags = ["b"]
        addition.text = Array("more".utf8)
        let outcomes = try library.change("add") { step in try step.add([addition, addition], knownLinks: .skip) }
        for outcome in outcomes {
            guard case .known(let row, isChanged: false) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(row.id == id)
        }
        let stored = try #require(try library.stored(id))
        #expect(stored.item.tags == ["a"])
        #expect(!stored.hasText)
        let isTrashed = try library.change("trash") { step in try step.trash(stored) }
        #expect(isTrashed)
        let again = try library.change("add") { step in try step.add([addition], knownLinks: .skip) }
        guard case .trashed? = again.first else {
            Issue.record("\(again)")
            return
        }
    }

    @Test func `adding many tells how far it is, and can be cancelled before anything is written`() throws {
        let library = try Library(path: path)
        let additions = (0..<1200).map { Addition(.link("https://example.org/\($0)")) }
        let told = Told()
        _ = try library.change("add") { step in
            try step.add(additions, .dry, Monitor { done, total in told.add(done, total) })
        }
        #expect(told.all == [500, 1000])
        let monitor = Monitor()
        monitor.cancel()
        #expect {
            try library.change("add") { step in try step.add(additions, .real, monitor) }
        } throws: { if case ItemError.cancelled = $0 { true } else { false } }
        #expect(try library.ids().isEmpty)
    }

    @Test func `a program chooses how long a change waits for another writer`() throws {
        var options = LibraryOptions()
        options.changePatience = .zero
        let library = try Library(path: path, options)
        let folder = try Directory(path: path + "/.sbfs")
        guard let lock = try FileLock.acquire(Layout.lock, in: folder, patience: .zero) else {
            Issue.record("the lock is free")
            return
        }
        #expect { try library.addSnippet("a") } throws: {
            if case ItemError.locked(_, seconds: 0) = $0 { true } else { false }
        }
        withExtendedLifetime(lock) {}
    }

    @Test func `a line of an import's report names the item`() throws {
        let library = try Library(path: path)
        var lines: [ImportReportLine] = []
        var entry = ImportedEntry(at: .line(1))
        entry.url = "https://example.org/"
        for _ in 0..<2 {
            try library.change("import") { step in
                let importing = try step.importing(ImportOptions()) { lines.append($0) }
                try importing.take(.entry(entry))
                try importing.finish()
            }
        }
        let ids = try library.ids()
        #expect(lines.map(\.outcome.word) == ["new", "same"])
        #expect(lines.map(\.item) == [ids.first, ids.first])
        #expect(ids.count == 1)
    }

    @Test func `notices and doubts have codes that do not change`() {
        let id = ItemID.make()
        let notices: [(Notice, String)] = [
            (.unmerged(id, kept: "a"), "unmerged"), (.unmergedFile(path: "a", kept: "b"), "unmerged_file"),
            (.secondText(id, kept: "a"), "second_text"), (.indexOfOtherVersion, "index_of_other_version"),
            (.indexDamaged(diagnostic: "x"), "index_damaged"),
        ]
        for (notice, code) in notices {
            #expect(notice == notice)
            #expect(notice.code == code)
        }
        #expect(QueryNotice.unclosedQuote.code == "unclosed_quote")
        #expect(QueryNotice.excludesNothing(filter: "a", suggestion: nil).code == "excludes_nothing")
        #expect(Caveat.behind(seconds: 3).code == "behind")
        #expect(Caveat.unranked.code == "unranked")
    }

    private final class Told: @unchecked Sendable {
        /// Only the thread that adds writes to it.
        private(set) var all: [Int] = []
        func add(_ done: Int, _ total: Int?) { all.append(done) }
    }
}
