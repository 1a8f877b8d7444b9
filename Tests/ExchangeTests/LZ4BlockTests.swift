import TestSupport
import Testing

@testable import Exchange

struct LZ4BlockTests {
    /// A file of one block that consists of literals only, and of one match.
    static func file(_ block: [UInt8], size: Int) -> [UInt8] {
        LZ4Block.mark + (0..<4).map { UInt8(size >> ($0 * 8) & 255) } + block
    }

    @Test func `literals and matches are unpacked, overlapping ones too`() throws {
        // "ab", then 10 bytes from two back, then "c".
        let block: [UInt8] = [0x26, 0x61, 0x62, 2, 0, 0x10, 0x63]
        let (text, fault) = try LZ4Block.unpackedFile(Self.file(block, size: 13))
        #expect(text == Array("ababababababc".utf8))
        #expect(fault == nil)
    }

    @Test func `lengths above fifteen are sums of bytes`() throws {
        let literals = [UInt8](repeating: 0x78, count: 300)
        let (text, fault) = try LZ4Block.unpackedFile(Self.file([0xF0, 255, 30] + literals, size: 300))
        #expect(text == literals)
        #expect(fault == nil)
    }

    static let damaged: [([UInt8], Int)] = [
        ([0x26, 0x61, 0x62, 9, 0], 100), ([0x26, 0x61, 0x62, 0, 0], 100), ([0xF0], 10), ([0x20, 0x61], 10),
        ([0x26, 0x61, 0x62, 2], 100), ([0x2F, 0x61, 0x62, 2, 0, 255, 255, 255, 255, 255, 255], 100), ([], 10),
        ([0x1F, 0x61, 1, 0, 255, 255, 255, 0], 20), ([0x50] + Array("hello".utf8), 3),
    ]

    @Test(arguments: damaged)
    func `damage is reported, and the output never exceeds the announced size`(block: [UInt8], size: Int) throws {
        let (text, fault) = LZ4Block.unpacked(block[...], size: size)
        #expect(fault != nil)
        #expect(text.count <= size)
    }

    @Test func `a size that cannot be is refused before memory is taken`() {
        #expect(throws: ImportError.self) { try LZ4Block.unpackedFile(Self.file([0], size: 0x3FFF_FFFF)) }
        #expect(throws: ImportError.self) { try LZ4Block.unpackedFile(LZ4Block.mark + [1]) }
    }

    @Test func `a packed backup is read as one that is not packed`() throws {
        let json = Array(JSONBookmarksTests.firefox.utf8)
        let extra = json.count - 15
        let block = [0xF0] + [UInt8](repeating: 255, count: extra / 255) + [UInt8(extra % 255)] + json
        let reading = try Reading(Self.file(block, size: json.count))
        #expect(reading.outline == ["Example", "Bookmarks Toolbar/News: Daily"])
        // Cut in the middle: the whole part is read.
        let cut = try Reading(Array(Self.file(block, size: json.count).prefix(json.count * 3 / 4)))
        #expect(cut.outline.first == "Example")
        #expect(cut.faults.count == 2)
    }

    @Test func `unpacking ends with any bytes`() {
        var random = SeededGenerator.forFuzzing
        for _ in 0..<FuzzSetting.cases(5000) {
            let block = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect(LZ4Block.unpacked(block[...], size: 1000).text.count <= 1000)
        }
    }
}
