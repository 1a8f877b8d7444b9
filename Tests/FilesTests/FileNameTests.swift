import Files
import Testing

struct FileNameTests {
    @Test func `a name in UTF-8 is text, byte for byte`() {
        let decomposed = FileName(bytes: [0x65, 0xCC, 0x81])
        let composed = FileName("é")
        #expect(decomposed.string.map { Array($0.utf8) } == [0x65, 0xCC, 0x81])
        #expect(composed.bytes == [0xC3, 0xA9])
        #expect(decomposed != composed)
    }

    @Test(
        arguments: [[0xFF], [0x61, 0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]] as [[UInt8]])
    func `a name that is not UTF-8 is no text and is repaired for messages only`(_ bytes: [UInt8]) {
        let name = FileName(bytes: bytes)
        #expect(name.string == nil)
        #expect(name.repaired.contains("\u{FFFD}"))
        #expect(name.bytes == bytes)
    }

    @Test func `names differ by bytes`() {
        #expect(Set([FileName("a"), FileName("A"), FileName(bytes: [0x61])]).count == 2)
        #expect(FileName("").string == "")
    }
}
