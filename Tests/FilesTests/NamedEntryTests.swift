import Files
import TestSupport
import Testing

/// Entries by the bytes of their names.
struct NamedEntryTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    @Test func `a name need not be UTF-8`() throws {
        let folder = try Directory(path: scratch.path)
        try scratch.write("a", "text")
        let odd = FileName(bytes: [0xFF, 0x0A])
        try folder.move(named: FileName("a"), to: folder, as: odd)
        #expect(try folder.file(named: odd).readAll(expecting: 4, limit: 10) == Array("text".utf8))
        #expect(try folder.status(named: odd)?.byteCount == 4)
        try scratch.write("b", "other")
        #expect(throws: FileError.self) { try folder.move(named: FileName("b"), to: folder, as: odd) }
        try folder.removeFile(named: odd)
        #expect(try folder.status(named: odd) == nil)
    }

    @Test(arguments: ["", ".", "..", "a/b", "a\u{0}b"]) func `what is no name is refused`(name: String) throws {
        let folder = try Directory(path: scratch.path)
        try scratch.write("a/b", "text")
        #expect(throws: FileError.self) { try folder.removeFile(named: FileName(name)) }
        #expect(throws: FileError.self) { _ = try folder.file(named: FileName(name)) }
        #expect(throws: FileError.self) { _ = try folder.directory(named: FileName(name)) }
    }

    @Test func `links and FIFOs are not opened`() throws {
        let folder = try Directory(path: scratch.path)
        try scratch.link("link", to: "/etc/passwd")
        try scratch.link("folder", to: "/etc")
        try scratch.makeFIFO("pipe")
        for name in ["link", "pipe"] {
            #expect(throws: FileError.self) { _ = try folder.file(named: FileName(name)) }
        }
        #expect(throws: FileError.self) { _ = try folder.directory(named: FileName("folder")) }
    }

    @Test(arguments: [
        ("a.txt", " (2)", "a (2).txt"), ("a", " (2)", "a (2)"), (".rc", "-1", ".rc-1"), ("a.b.c", "-1", "a.b-1.c"),
        ("a." + String(repeating: "x", count: 30), "-1", "a." + String(repeating: "x", count: 30) + "-1"),
        (String(repeating: "n", count: 251) + ".txt", " (2)", String(repeating: "n", count: 247) + " (2).txt"),
        (String(repeating: "é", count: 127), "-1", String(repeating: "é", count: 126) + "-1"),
    ])
    func `a mark goes before the extension, and whole characters are cut`(_ name: String, _ mark: String, _ new: String)
    {
        #expect(FileName(name).marked(mark).string == new)
        #expect(FileName(name).marked(mark).bytes.count <= 255)
    }
}
