import Exchange
import Testing

/// XML files that end early, as a download that broke off leaves them: what is cut is told, and no part of it is taken.
struct CutFileTests {
    private static let rss =
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>c</title><item><title>one</title>"
        + "<link>https://example.org/1</link></item><item><title>two</title><link>https://example.org/long/path"
    private static let atom =
        "<?xml version=\"1.0\"?><feed xmlns=\"http://www.w3.org/2005/Atom\"><title>c</title><entry><title>one</title>"
        + "<link href=\"https://example.org/1\"/></entry><entry><title>two</title><link href=\"https://example.org/2\"/>"

    @Test(arguments: [rss, atom])
    func `the entry of a feed that the file's end cuts is told and not taken`(_ file: String) throws {
        let reading = try Reading(file)
        #expect(reading.entries.map(\.title) == ["one"])
        #expect(reading.faults.map(\.kind) == [.endsWithinEntry])
        #expect(reading.faults.allSatisfy { $0.isLoss && $0.place == .line(1) })
    }

    @Test(arguments: [
        "<?xml version=\"1.0\"?>\n<posts><post href=\"https://example.org/1\" description=\"one\"/>\n<post href=\"https://example.org/2\" descr",
        "<?xml version=\"1.0\"?>\n<opml version=\"1.0\"><body><outline text=\"one\" xmlUrl=\"https://example.org/1\"/>\n<outline text=\"un",
        "<?xml version=\"1.0\"?>\n<xbel><bookmark href=\"https://example.org/1\"><title>one</title></bookmark>\n<bookmark href=\"https://exa",
    ])
    func `a tag that the file's end cuts is told`(_ file: String) throws {
        let reading = try Reading(file)
        #expect(reading.entries.map(\.title) == ["one"])
        #expect(reading.faults.filter { $0.kind == .endsWithinTag && $0.isLoss }.map(\.place) == [.line(3)])
    }
}
