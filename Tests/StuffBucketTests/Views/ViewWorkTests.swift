import Items
import TestSupport
import Testing

@testable import StuffBucket

/// When a daemon brings views up to date, and what it compares.
struct ViewWorkTests {
    private let sample: ViewSample
    private let work = ViewWork()

    init() throws { sample = try ViewSample() }

    private func run() throws { _ = try work.run(sample.library, Monitor()) }

    @Test func `a change of an item moves it alone, and does not put off what time changes`() throws {
        let id = try sample.document("soup.txt", "soup", title: "Soup")
        try sample.add()
        work.note([.everything])
        try run()
        let queries = try #require(work.nextRun(.now))
        try sample.change(id) { $0.set(.title, .string("Stew")) }
        work.note([.changed(id, LibraryChange.Details())])
        #expect(try #require(work.nextRun(.now)) < queries)
        try run()
        #expect(try sample.scratch.names(sample.root + "/All") == ["Stew.txt"])
        #expect(work.nextRun(.now) == queries)
    }

    @Test func `a changed smart folder is asked for all its items`() throws {
        let id = try sample.document("soup.txt", "soup", title: "Soup")
        try sample.library.change("smart") { try $0.setNamed(.smart, "Meals", [("query", .string("title:stew"))]) }
        try sample.add()
        work.note([.everything])
        try run()
        #expect(try sample.scratch.names(sample.root + "/Smart/Meals").isEmpty)
        try sample.library.change("smart") { try $0.setNamed(.smart, "Meals", [("query", .string("title:soup"))]) }
        // An item that changes at the same time is no reason to forget the folder.
        work.note([.names(.smart), .changed(id, LibraryChange.Details())])
        try run()
        #expect(try sample.scratch.names(sample.root + "/Smart/Meals") == ["Soup.txt"])
    }
}
