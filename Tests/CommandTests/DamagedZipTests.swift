import Foundation
import Testing

/// `sbfs import` of a full export as a zip file of which a part is damaged.
struct DamagedZipTests {
    /// Where the packed bytes of an entry are in a zip file, by its local header (APPNOTE.TXT 4.3.7) and the directory.
    private func place(of name: String, in bytes: [UInt8]) throws -> Range<Int> {
        func number(_ place: Int, _ count: Int) -> Int {
            bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let path = Array(name.utf8)
        let entry = try #require(
            bytes.indices.dropLast(46).last { place in
                bytes[place..<place + 4].elementsEqual([0x50, 0x4B, 1, 2])
                    && bytes[(place + 46)..<min(bytes.count, place + 46 + number(place + 28, 2))].suffix(path.count)
                        .elementsEqual(path)
            })
        let header = number(entry + 42, 4)
        let start = header + 30 + number(header + 26, 2) + number(header + 28, 2)
        return start..<(start + number(entry + 20, 4))
    }

    /// Ten notes; the text of one is long.
    private func exported(_ sandbox: Sandbox) throws -> (ids: [String], bytes: [UInt8]) {
        var ids: [String] = []
        for number in 0..<10 { ids.append(try sandbox.snippet("words of \(number)", title: "Note \(number)")) }
        let words = (0..<5000).map { "word\($0 &* 7919 % 104_729)" }.joined(separator: " ")
        try sandbox.file("long.md", words)
        try sandbox.sbfs("attach", ids[0], "long.md")
        try sandbox.sbfs("export", "--full", "full.zip")
        return (ids.sorted(), try sandbox.scratch.bytes("desk/full.zip"))
    }

    @Test(arguments: [0.02, 0.5, 0.98])
    func `only the damaged file is damaged, and everything else comes`(_ part: Double) throws {
        let sandbox = try Sandbox()
        let (ids, bytes) = try exported(sandbox)
        let place = try place(of: "document/long.md", in: bytes)
        var damaged = bytes
        damaged[place.lowerBound + Int(Double(place.count - 1) * part)] ^= 0x10
        try sandbox.scratch.write("desk/damaged.zip", damaged)
        try sandbox.sbfs("--library", "other", "init")
        for isDry in [true, false] {
            let run = try sandbox.sbfs(
                words: ["--library", "other", "import", "damaged.zip"] + (isDry ? ["--dry-run"] : []), exits: 4)
            #expect(run.err.contains("long.md: its bytes are not those that were exported"), "\(run.err)")
            #expect(run.err.contains("10 items added") && run.err.contains("1 damaged"), "\(run.err)")
        }
        #expect(try sandbox.sbfs("--library", "other", "list", "--ids").lines.sorted() == ids)
    }

    @Test func `two damaged files and a damaged item are named, and the other items come`() throws {
        let sandbox = try Sandbox()
        let (ids, bytes) = try exported(sandbox)
        var damaged = bytes
        for name in ["document/long.md", "\(ids[3])/text.md", "\(ids[7])/item.json"] {
            let place = try place(of: name, in: bytes)
            damaged[place.lowerBound + place.count / 2] ^= 0x40
        }
        try sandbox.scratch.write("desk/damaged.zip", damaged)
        try sandbox.sbfs("--library", "other", "init")
        let run = try sandbox.sbfs("--library", "other", "import", "damaged.zip", exits: 4)
        for name in ["long.md", "\(ids[3])/text.md", "\(ids[7])/item.json"] {
            #expect(run.err.contains(name + ": its bytes are not those that were exported"), "\(run.err)")
        }
        let found = Set(try sandbox.sbfs("--library", "other", "list", "--ids").lines)
        #expect(found.isSuperset(of: ids.filter { $0 != ids[7] }))
    }
}
