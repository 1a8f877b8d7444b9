import Items
import Testing

@testable import StuffBucket

/// One open library that adds links repeatedly while items come and go.
struct KnownLinksTests {
    private static let url = "https://example.org/a"

    @Test func `a link that was added is known from then on`() throws {
        let sample = try SampleLibrary()
        let id = try sample.library.addLink(Self.url)
        #expect(try sample.library.add([Addition(.link(Self.url))])[0].knownID == id)
    }

    @Test func `a link that was added and trashed is in the trash`() throws {
        let sample = try SampleLibrary()
        let id = try sample.library.addLink(Self.url)
        #expect(try sample.library.trash(sample.stored(id)))
        #expect(try sample.library.add([Addition(.link(Self.url))])[0].isTrashed)
        #expect(try sample.library.restore(sample.stored(id)))
        #expect(try sample.library.add([Addition(.link(Self.url))])[0].knownID == id)
    }

    @Test func `a link that was added and purged is new again`() throws {
        let sample = try SampleLibrary()
        let id = try sample.library.addLink(Self.url)
        #expect(try sample.library.trash(sample.stored(id)))
        try sample.library.session.purge(sample.stored(id))
        let again = try sample.library.add([Addition(.link(Self.url))])[0].addedID
        #expect(again != nil && again != id)
        #expect(try sample.library.items().count == 1)
    }

    @Test func `a link that was added and then changed is new again`() throws {
        let sample = try SampleLibrary()
        let id = try sample.library.addLink(Self.url)
        let stored = try sample.stored(id)
        var edit = ItemEdit(base: stored.json)
        edit.set(.linkURL, .string("https://example.org/b"))
        #expect(try sample.library.session.update(stored, edit))
        #expect(try sample.library.add([Addition(.link(Self.url))])[0].addedID != nil)
        #expect(try sample.library.items(withLinks: [Self.url])[Self.url]?.count == 1)
    }

    @Test func `a link that somebody else added meanwhile is known`() throws {
        let sample = try SampleLibrary()
        try sample.library.addLink("https://example.org/first")
        let id = try Library(path: sample.scratch.full("library")).addLink(Self.url)
        #expect(try sample.library.add([Addition(.link(Self.url))])[0].knownID == id)
        #expect(try sample.library.resolve([Self.url]).rows.map(\.id) == [id])
    }
}
