import Files
import Glibc
import TestSupport
import Testing

final class DirectoryWritingTests {
    let scratch: ScratchDirectory
    let directory: Directory

    init() throws {
        scratch = try ScratchDirectory()
        directory = try scratch.directory()
    }

    @Test(arguments: [0, 1, 5_000_000])
    func `a written file holds every byte`(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 + $0 >> 8) }
        try directory.writeFile("file", bytes)
        #expect(try scratch.bytes("file") == bytes)
    }

    @Test func `a name may begin with a combining mark`() throws {
        try scratch.makeDirectory("folder")
        try directory.writeFile("folder/\u{301}x", Array("text".utf8))
        #expect(try scratch.names("folder").map { Array($0.utf8) } == [Array("\u{301}x".utf8)])
        #expect(try directory.contents(of: "folder/\u{301}x", limit: 100).bytes == Array("text".utf8))
    }

    @Test func `writing replaces the leftover of a killed process`() throws {
        try scratch.write("file", "a longer old content")
        try directory.writeFile("file", Array("new".utf8))
        #expect(try scratch.text("file") == "new")
    }

    @Test func `writing into a folder that was removed fails and leaves nothing`() throws {
        try scratch.makeDirectory("gone")
        let gone = try directory.directory("gone")
        try scratch.removeEmptyDirectory("gone")
        let error = #expect(throws: FileError.self) { try gone.writeFile("file", [1, 2, 3]) }
        #expect(error?.isAbsent == true)
        #expect(try scratch.names().isEmpty)
    }

    @Test func `writing where a folder has the name fails and leaves the folder`() throws {
        try scratch.write("file/inner", "x")
        let error = #expect(throws: FileError.self) { try directory.writeFile("file", [1, 2, 3]) }
        #expect(error?.description.hasSuffix("Is a directory") == true)
        #expect(try scratch.text("file/inner") == "x")
    }

    @Test func `writing below a missing folder fails and makes none`() throws {
        #expect(throws: FileError.self) { try directory.writeFile("missing/file", [1]) }
        #expect(throws: FileError.self) { try directory.append([1], to: "missing/file") }
        #expect(try scratch.names().isEmpty)
    }

    @Test func `a name that is too long is an error, not a crash`() throws {
        let name = String(repeating: "n", count: 300)
        #expect(throws: FileError.self) { try directory.writeFile(name, [1]) }
        #expect(try scratch.names().isEmpty)
    }

    @Test func `permissions are the requested ones, within the process's mask`() throws {
        try directory.writeFile("private", [1], permissions: 0o600)
        #expect(try directory.statusIfPresent(of: "private")?.permissions == 0o600)
    }

    @Test func `creating a file that exists fails and leaves it`() throws {
        try scratch.write("file", "old")
        let error = #expect(throws: FileError.self) { _ = try directory.createFile("file") }
        #expect(error?.description.hasSuffix("file: File exists") == true)
        #expect(try scratch.text("file") == "old")
    }

    @Test func `appending makes the file and then adds at its end`() throws {
        try directory.append(Array("one\n".utf8), to: "log")
        try directory.append(Array("two\n".utf8), to: "log")
        try directory.append([], to: "log")
        #expect(try scratch.text("log") == "one\ntwo\n")
    }

    @Test func `appending to a FIFO fails at once, whether or not somebody reads it`() throws {
        try scratch.makeFIFO("fifo")
        #expect(throws: FileError.self) { try directory.append([1], to: "fifo") }
        let reader = open(scratch.full("fifo"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        let error = #expect(throws: FileError.self) { try directory.append([1], to: "fifo") }
        #expect(error?.reason == .notRegular(.fifo))
    }

    @Test func `appending to a folder fails`() throws {
        try scratch.makeDirectory("log")
        #expect(throws: FileError.self) { try directory.append([1], to: "log") }
    }

    @Test func `a folder is made once`() throws {
        #expect(try directory.makeDirectory("folder"))
        #expect(try !directory.makeDirectory("folder"))
        #expect(throws: FileError.self) { try directory.makeDirectory("missing/folder") }
    }

    @Test func `folders above are made by a person's path, and existing ones are fine`() throws {
        try Directory.make(path: scratch.full("a/b/c"))
        try Directory.make(path: scratch.full("a//b/c/d/"))
        #expect(try scratch.names("a/b/c") == ["d"])
    }

    @Test func `a file on the way of a person's path is an error`() throws {
        try scratch.write("a", "x")
        #expect(throws: FileError.self) { try Directory.make(path: scratch.full("a/b")) }
        #expect(try scratch.text("a") == "x")
    }

    @Test func `a clone shares the bytes or changes nothing`() throws {
        try scratch.write("source", "content")
        let source = try directory.file("source")
        let target = try directory.createFile("target")
        let isCloned = target.clone(source)
        #expect(try scratch.text("target") == (isCloned ? "content" : ""))
    }

    @Test func `syncing a file, its folder and the file system succeeds`() throws {
        let file = try directory.createFile("file")
        try file.write([1, 2, 3])
        try file.sync()
        try directory.sync()
        try directory.syncFileSystem()
        #expect(try scratch.bytes("file") == [1, 2, 3])
    }
}
