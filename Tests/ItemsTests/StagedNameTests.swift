import Testing

@testable import Items

struct StagedNameTests {
    static let id = ItemID(high: 0x0198_C0DE_1234_7ABC, low: 0x8DEF_0123_4567_89AB)

    @Test(arguments: ["item.json", "text.md", "tombstone", "a.b.c.d", "x"], [nil, Array("abc".utf8)] as [[UInt8]?])
    func `a name is parsed as it was made`(_ file: String, base: [UInt8]?) throws {
        let staged = StagedName(.item(Self.id), file: file, new: [], base: base)
        #expect(staged.name == "\(Self.id).\(file).e3b0c44298fc1c14.\(base == nil ? "none" : "ba7816bf8f01cfea")")
        #expect(StagedName(staged.name) == staged)
    }

    @Test(arguments: [
        "", "item.json", "0198c0de-1234-7abc-8def-0123456789ab", "0198c0de-1234-7abc-8def-0123456789ab.purged",
        "0198c0de-1234-7abc-8def-0123456789ab.a.b", "kept-20261121T101500Z-ba7816bf.item.json", "x.item.json.a.b",
    ])
    func `any other name is none`(_ name: String) {
        #expect(StagedName(name) == nil)
    }
}
