import Files
import TestSupport
import Testing

struct OutputFileTests {
    @Test func `without finish the old file stays, and nothing else is there`() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("a", "old")
        do {
            let file = try OutputFile(scratch.full("a"))
            try file.write([UInt8](repeating: 0x78, count: 1 << 20))
        }
        #expect(try scratch.text("a") == "old")
        #expect(try scratch.directory().entries().count == 1)
    }

    @Test func `a large file is whole, and its folder holds nothing else`() throws {
        let scratch = try ScratchDirectory()
        for _ in 0..<2 {
            let file = try OutputFile(scratch.full("a"), .private)
            for _ in 0..<3 { try file.write([UInt8](repeating: 0x78, count: 300_000)) }
            try file.finish()
        }
        let folder = try scratch.directory()
        #expect(try folder.statusIfPresent(of: "a")?.byteCount == 900_000)
        #expect(try folder.statusIfPresent(of: "a")?.permissions == 0o600)
        #expect(try folder.entries().count == 1)
    }
}
