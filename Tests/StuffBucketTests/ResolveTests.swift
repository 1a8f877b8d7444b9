import Items
import JSONFormat
import StuffBucket
import Testing

struct ResolveTests {
    private static func link(_ url: String) -> [(String, JSON)] { [("linkURL", .string(url))] }

    private static func library() throws -> SampleLibrary {
        let sample = try SampleLibrary()
        try sample.put(0x2025, "Łódź", link("https://example.org/a"))
        try sample.put(0x0002, "2025")
        try sample.put(0x0003, "Twice")
        try sample.put(0x0004, "twice")
        try sample.put(0x0005, "Again")
        try sample.putTrashed(0x0006, "again", link("https://example.org/a"))
        try sample.putTrashed(0x0007, "Gone", link("https://example.org/gone"))
        try sample.put(0x0008, "one", link("https://example.org/two"))
        try sample.put(0x0009, "other", link("https://EXAMPLE.org/two"))
        try sample.put(0x000A, nil, text: "# From the text\n")
        try sample.put(0x000B, "0000000b")
        try sample.put(0x00CC, "deadbeef")
        return sample
    }

    /// The result for one name: titles of the rows, and whether it was ambiguous.
    private static func outcome(_ sample: SampleLibrary, _ name: String) throws -> String {
        let resolution = try sample.library.resolve([name])
        #expect(resolution.rows.count + resolution.unknown.count + resolution.ambiguous.count == 1)
        if let row = resolution.rows.first { return "\(row.id.short)" }
        if let ambiguous = resolution.ambiguous.first {
            #expect(ambiguous.name == name)
            return ambiguous.rows.map(\.id.short).joined(separator: " ")
        }
        #expect(resolution.unknown == [name])
        return "unknown"
    }

    private static let names = [
        ("whole id", "01a19b7c-a680-7000-8f3e-000000002025", "00002025"),
        ("whole id in upper case", "01A19B7C-A680-7000-8F3E-00000000000A", "0000000a"),
        ("whole id of none", "01a19b7c-a680-7000-8f3e-00000000ffff", "unknown"),
        ("digits that are a title too", "2025", "00002025 00000002"),
        ("eight digits that are a title too", "0000000b", "0000000b"),
        ("eight digits that are only a title", "deadbeef", "000000cc"),
        ("digits of several", "01a19b7c-a680", "all"),
        ("digits of none", "ffff", "unknown"),
        ("digits with hyphens", "8f3e-000000000003", "00000003"),
        ("title", "Łódź", "00002025"),
        ("title without marks", "lodz", "00002025"),
        ("title of two", "TWICE", "00000003 00000004"),
        ("title of a live and a trashed one", "AGAIN", "00000005"),
        ("title of a trashed one", "gone", "00000007"),
        ("first line of the text", "from the text", "0000000a"),
        ("part of a title", "Łód", "unknown"),
        ("link", "https://example.org/a", "00002025"),
        ("link in another spelling", "HTTPS://Example.org:443/./a#part", "00002025"),
        ("link of a trashed one", "https://example.org/gone", "00000007"),
        ("link of two", "https://example.org/two", "00000008 00000009"),
        ("link of none", "https://example.org/three", "unknown"),
        ("nothing", "", "unknown"),
    ]

    @Test func `a name finds its item`() throws {
        let sample = try Self.library()
        for (what, name, expected) in Self.names {
            let outcome = try Self.outcome(sample, name)
            #expect(outcome.split(separator: " ").count == 12 ? expected == "all" : outcome == expected, "\(what)")
        }
    }

    @Test func `an item that is named several ways is found once, in the order of the names`() throws {
        let sample = try Self.library()
        let resolution = try sample.library.resolve([
            "from the text", "lodz", "https://example.org/a", "nobody", "01a19b7c-a680-7000-8f3e-000000002025", "twice",
            "gone",
            "twice", "nobody",
        ])
        #expect(resolution.rows.map(\.id.short) == ["0000000a", "00002025", "00000007"])
        #expect(resolution.unknown == ["nobody", "nobody"])
        #expect(resolution.ambiguous.map(\.name) == ["twice", "twice"])
    }

    @Test func `no names are no items`() throws {
        let sample = try Self.library()
        let resolution = try sample.library.resolve([])
        #expect(resolution.rows.isEmpty && resolution.unknown.isEmpty && resolution.ambiguous.isEmpty)
    }

    @Test func `a named item in the trash is reported as trashed`() throws {
        let sample = try Self.library()
        #expect(try sample.library.resolve(["gone", "lodz"]).rows.map(\.isTrashed) == [true, false])
    }
}
