import Items
import StuffBucket
import Testing

struct DigitsTests {
    private static let numbers: [UInt16] = [0x12AB, 0x34AB, 0x3412, 0x0001]

    private static func library() throws -> SampleLibrary {
        let sample = try SampleLibrary()
        for number in numbers { try sample.put(number, String(number, radix: 16)) }
        // Made elsewhere: version 4, and its first digits are the last ones of another item.
        let folder = "library/items/99/12ab34cd-0000-4000-8000-000000000099"
        try sample.scratch.write(folder + "/item.json", "{\"title\": \"elsewhere\"}")
        return sample
    }

    private static let cases = [
        ("12ab", ["12ab"]), ("34AB", ["34ab"]), ("000012ab", ["12ab"]), ("8f3e0000000012ab", ["12ab"]),
        ("ab", ["12ab", "34ab"]), ("3412", ["3412"]), ("00000001", ["1"]), ("12ab3", ["elsewhere"]),
        ("12ab34cd", ["elsewhere"]), ("01a19b7c", ["1", "12ab", "3412", "34ab"]),
        ("01a19b7ca68070008f3e00000000340", []), ("ffff", []), ("0123", []),
    ]

    @Test func `digits are the end of an id, else its beginning`() throws {
        let sample = try Self.library()
        for (digits, titles) in Self.cases {
            #expect(try sample.titles(sample.library.items(withDigits: digits)) == titles, "\(digits)")
        }
    }

    @Test func `all 32 digits name one item`() throws {
        let sample = try Self.library()
        let id = try SampleLibrary.id(0x12AB)
        let digits = String(decoding: id.digits, as: UTF8.self)
        #expect(try sample.library.items(withDigits: digits).map(\.id) == [id])
        #expect(try sample.library.resolve([digits]).rows.map(\.id) == [id])
    }

    @Test func `trashed items have digits too`() throws {
        let sample = try SampleLibrary()
        let id = try sample.putTrashed(0x55AA, "gone")
        #expect(try sample.library.items(withDigits: "55aa").map(\.id) == [id])
        #expect(try sample.library.items(withDigits: "55aa").map(\.isTrashed) == [true])
    }

    @Test func `a folder without item.json is not found by its digits`() throws {
        let sample = try SampleLibrary()
        let id = try SampleLibrary.id(0x55AA)
        try sample.scratch.makeDirectory(sample.folder(id))
        #expect(try sample.library.items(withDigits: "55aa") == [])
    }
}
