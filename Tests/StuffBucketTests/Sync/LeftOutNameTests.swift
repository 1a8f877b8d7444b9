import Items
import TestSupport
import Testing

@testable import StuffBucket

/// Names that cannot travel are named until they are gone.
struct LeftOutNameTests {
    @Test func `also those of an item that came in the same sync`() throws {
        let (fleet, id) = try Fleet.withItem()
        let a = fleet[0], b = try fleet.add()
        try fleet.settle()
        try b.save(id, "bad\u{1}name.txt", "Mine.")
        try a.change(id) { $0.addTag("may") }
        try a.sync()
        #expect(try b.sync().leftOut.map(\.path) == ["bad\u{1}name.txt"])
        for _ in 0..<2 {
            #expect(try b.status().leftOut.map(\.path) == ["bad\u{1}name.txt"])
            #expect(try b.sync().leftOut.isEmpty)
        }
        try a.change(id) { $0.addTag("june") }
        try fleet.settle()
        #expect(try b.status().leftOut.map(\.path) == ["bad\u{1}name.txt"])
        #expect(try a.status().leftOut.isEmpty)
        try b.scratch.removeFile(b.path(id, "bad\u{1}name.txt"))
        try b.sync()
        #expect(try b.status().leftOut.isEmpty)
    }

    @Test func `every kind of bad name is in the status after the first sync`() throws {
        let (fleet, id) = try Fleet.withItem()
        let a = fleet[0]
        let folder = a.scratch.full(a.path(id, ""))
        try a.shell(#"cd '\#(folder)' && printf x > "$(printf 'a\001b')" && printf x > "$(printf 'bad\377')""#)
        try a.shell(#"cd '\#(folder)' && mkdir -p history .git && printf x > history/own.txt && printf x > .git/HEAD"#)
        let first = try Set(a.sync().leftOut.map(\.path))
        #expect(first.count >= 3, "\(first)")
        for _ in 0..<2 {
            #expect(try Set(a.status().leftOut.map(\.path)) == first)
            try a.sync()
        }
        try a.change(id) { $0.addTag("may") }
        try a.sync()
        #expect(try Set(a.status().leftOut.map(\.path)) == first)
    }

    @Test func `a file of one's own beside small files is named once, and is in the status`() throws {
        let fleet = try Fleet(1)
        let a = fleet[0]
        try a.scratch.write("library/tags/notes.txt", "Mine.")
        try a.shell(
            "mkdir -p '\(a.scratch.full("library/smart/own"))' && ln -s /etc '\(a.scratch.full("library/collections/x.json"))'"
        )
        try a.scratch.write("library/tags/.hidden", "Of a program.")
        let wanted = ["collections/x.json", "smart/own", "tags/notes.txt"]
        #expect(try a.sync().notSmallFiles == wanted)
        for _ in 0..<2 {
            #expect(try a.status().notSmallFiles == wanted)
            #expect(try a.sync().notSmallFiles.isEmpty)
        }
        try a.scratch.removeFile("library/tags/notes.txt")
        try a.sync()
        #expect(try a.status().notSmallFiles == ["collections/x.json", "smart/own"])
        try a.scratch.write("library/tags/notes.txt", "Mine.")
        #expect(try a.sync().notSmallFiles == ["tags/notes.txt"])
    }
}
