import Files
internal import Glibc
import TestSupport
import Testing

final class RemoveTreeTests {
    let scratch: ScratchDirectory
    let directory: Directory

    init() throws {
        scratch = try ScratchDirectory()
        directory = try scratch.directory()
    }

    @Test func `files, folders, links and FIFOs are removed, targets of links stay`() throws {
        try scratch.write("kept/file", "kept")
        try scratch.write("tree/a/b/c", "x")
        try scratch.makeDirectory("tree/empty")
        try scratch.link("tree/file", to: "../kept/file")
        try scratch.link("tree/a/folder", to: scratch.full("kept"))
        try scratch.link("tree/dangling", to: "nowhere")
        try scratch.makeFIFO("tree/fifo")
        try directory.removeTree("tree")
        #expect(try scratch.names() == ["kept"])
        #expect(try scratch.text("kept/file") == "kept")
    }

    @Test func `a link is removed itself`() throws {
        try scratch.write("kept/file", "kept")
        try scratch.link("link", to: "kept")
        try directory.removeTree("link")
        #expect(try scratch.names() == ["kept"])
        #expect(try scratch.text("kept/file") == "kept")
    }

    @Test func `a single file goes, an absent name is fine`() throws {
        try scratch.write("file", "x")
        try directory.removeTree("file")
        try directory.removeTree("file")
        #expect(try scratch.names().isEmpty)
    }

    @Test func `names of any bytes go`() throws {
        try scratch.makeDirectory("tree")
        let tree = Array(scratch.full("tree/").utf8)
        let names: [[UInt8]] = [
            [0xFF, 0xFE], [0xC3, 0x28], Array("new\nline".utf8), Array(" ".utf8), Array("-rf".utf8),
            [0x1B, 0x5B, 0x6D],
            [0xC3, 0xA9], [0x65, 0xCC, 0x81],
        ]
        for name in names {
            #expect(mkdir((tree + name).map(CChar.init(bitPattern:)) + [0], 0o777) == 0)
            let file = open((tree + name + [0x2F] + name).map(CChar.init(bitPattern:)) + [0], O_CREAT | O_WRONLY, 0o666)
            #expect(file >= 0)
            close(file)
        }
        #expect(Set(try directory.directory("tree").entries().map(\.name.bytes)) == Set(names))
        try directory.removeTree("tree")
        #expect(try scratch.names().isEmpty)
    }

    @Test func `two hundred nested folders go`() throws {
        try scratch.makeDirectory("tree/" + String(repeating: "d/", count: 200))
        try directory.removeTree("tree")
        #expect(try scratch.names().isEmpty)
    }

    @Test func `nesting without end is refused, not followed until memory or descriptors end`() throws {
        try scratch.makeDirectory("tree/" + String(repeating: "d/", count: 300))
        let error = #expect(throws: FileError.self) { try directory.removeTree("tree") }
        #expect(error?.reason == .tooDeep(limit: 256))
    }

    @Test func `a tree is never removed through a link or by an unsafe path`() throws {
        try scratch.write("kept/folder/file", "kept")
        try scratch.makeDirectory("base")
        try scratch.link("base/link", to: "../kept")
        let base = try directory.directory("base")
        #expect(throws: FileError.self) { try base.removeTree("link/folder") }
        #expect(throws: FileError.self) { try base.removeTree("../kept") }
        #expect(try scratch.text("kept/folder/file") == "kept")
    }

    @Test func `a file is never removed through a link on the way`() throws {
        try scratch.write("kept/file", "kept")
        try scratch.link("link", to: "kept")
        #expect(throws: FileError.self) { try directory.removeTree("link/file") }
        #expect(try scratch.text("kept/file") == "kept")
    }
}
