import Files
import TestSupport
import Testing

/// A relative path never reaches anything outside its folder.
struct DirectoryResolutionTests {
    let scratch: ScratchDirectory

    /// A folder `inside` with a file, next to a secret, with links of every kind that lead out and in.
    init() throws {
        scratch = try ScratchDirectory()
        try scratch.write("secret", "secret")
        try scratch.write("inside/folder/file", "content")
        try scratch.link("inside/out", to: "../secret")
        try scratch.link("inside/up", to: "..")
        try scratch.link("inside/absolute", to: scratch.full("secret"))
        try scratch.link("inside/alias", to: "folder/file")
        try scratch.link("inside/shortcut", to: "folder")
        try scratch.link("inside/loop", to: "loop")
        try scratch.link("inside/null", to: "/dev/null")
        try scratch.makeFIFO("inside/fifo")
    }

    private func inside() throws -> Directory { try Directory(path: scratch.full("inside")) }

    @Test func `a plain path below the folder is read`() throws {
        #expect(try inside().contents(of: "folder/file", limit: 100).bytes == Array("content".utf8))
        #expect(try inside().directory("folder").entries().map(\.name.repaired) == ["file"])
    }

    @Test(arguments: [
        "", "/", "/etc/hostname", "..", "../secret", "folder/../folder/file", "folder/..", ".", "./folder/file",
        "folder/./file", "folder//file", "folder/file/", "/folder/file", "folder\0/file", "folder/file\0", "\0",
    ])
    func `a path that leaves its folder by spelling is refused before the kernel sees it`(_ path: String) throws {
        let directory = try inside()
        #expect(!Directory.isSafe(path))
        let open = #expect(throws: FileError.self) { _ = try directory.file(path) }
        #expect(open?.reason == .unsafePath)
        #expect(open?.isEscape == true)
        let create = #expect(throws: FileError.self) { _ = try directory.createFile(path) }
        #expect(create?.reason == .unsafePath)
        let append = #expect(throws: FileError.self) { try directory.append([1], to: path) }
        #expect(append?.reason == .unsafePath)
        #expect(try scratch.text("secret") == "secret")
        #expect(try scratch.names() == ["inside", "secret"])
    }

    @Test(arguments: [
        "out", "absolute", "alias", "loop", "null", "up/secret", "shortcut/file", "up/inside/folder/file", "loop/x",
    ])
    func `a link at the end or in the path is refused, whatever its target`(_ path: String) throws {
        let directory = try inside()
        let open = #expect(throws: FileError.self) { _ = try directory.file(path) }
        #expect(open?.isEscape == true, "\(String(describing: open))")
        #expect(throws: FileError.self) { _ = try directory.contents(of: path, limit: 100) }
        #expect(throws: FileError.self) { _ = try directory.contentsIfPresent(of: path, limit: 100) }
        #expect(throws: FileError.self) { _ = try directory.prefixIfPresent(of: path, count: 1) }
        #expect(throws: FileError.self) { try directory.append([1], to: path) }
        #expect(try scratch.text("secret") == "secret")
        #expect(try scratch.text("inside/folder/file") == "content")
    }

    @Test(arguments: ["up", "shortcut", "shortcut/x", "absolute", "loop"])
    func `a link is never opened as a folder`(_ path: String) throws {
        let directory = try inside()
        #expect(throws: FileError.self) { _ = try directory.directory(path) }
    }

    @Test func `a new file is not created through a link`() throws {
        let directory = try inside()
        for path in ["up/new", "shortcut/new", "loop/new"] {
            #expect(throws: FileError.self) { _ = try directory.createFile(path) }
            #expect(throws: FileError.self) { try directory.writeFile(path, [1]) }
        }
        #expect(!scratch.exists("new"))
        #expect(!scratch.exists("inside/folder/new"))
    }

    @Test func `writing a file under a link's name replaces the link, not its target`() throws {
        try inside().writeFile("out", Array("mine".utf8))
        #expect(try scratch.text("secret") == "secret")
        #expect(try scratch.text("inside/out") == "mine")
    }

    @Test func `a FIFO is refused at once, not waited for`() throws {
        let directory = try inside()
        let error = #expect(throws: FileError.self) { _ = try directory.contents(of: "fifo", limit: 100) }
        #expect(error?.reason == .notRegular(.fifo))
        #expect(throws: FileError.self) { _ = try Descriptor.open(path: scratch.full("inside/fifo")) }
    }

    @Test func `a folder where a file must be is refused`() throws {
        let directory = try inside()
        let error = #expect(throws: FileError.self) { _ = try directory.file("folder") }
        #expect(error?.reason == .notRegular(.directory))
    }

    @Test func `a device is refused by a person's path too`() throws {
        let error = #expect(throws: FileError.self) { _ = try Descriptor.open(path: scratch.full("inside/null")) }
        #expect(error?.reason == .notRegular(.device))
    }

    @Test func `a person's own path may lead through links`() throws {
        let file = try Descriptor.open(path: scratch.full("inside/shortcut/file"))
        #expect(try file.readAll(expecting: 7, limit: 100) == Array("content".utf8))
        #expect(try Directory(path: scratch.full("inside/shortcut")).entries().count == 1)
    }

    @Test func `status is that of the link itself`() throws {
        let directory = try inside()
        #expect(try directory.statusIfPresent(of: "out")?.kind == .symbolicLink)
        #expect(try directory.statusIfPresent(of: "loop")?.kind == .symbolicLink)
        #expect(try directory.statusIfPresent(of: "fifo")?.kind == .fifo)
        #expect(try directory.statusIfPresent(of: "folder")?.kind == .directory)
        #expect(try directory.statusIfPresent(of: "absent") == nil)
        #expect(try directory.statusIfPresent(of: "folder/file/x") == nil)
    }
}
