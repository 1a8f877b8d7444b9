import Files
import TestSupport
import Testing

final class DirectoryReadingTests {
    let scratch: ScratchDirectory
    let directory: Directory

    init() throws {
        scratch = try ScratchDirectory()
        directory = try scratch.directory()
    }

    @Test(arguments: [0, 1, 4095, 4096, 65_535, 65_536, 200_000])
    func `a file of any size is read whole`(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try scratch.write("file", bytes)
        let contents = try directory.contents(of: "file", limit: 200_000)
        #expect(contents.bytes == bytes)
        #expect(contents.status.byteCount == count)
        #expect(contents.status.kind == .regular)
    }

    @Test func `the limit itself is allowed, one byte more is not`() throws {
        try scratch.write("file", [UInt8](repeating: 1, count: 100))
        #expect(try directory.contents(of: "file", limit: 100).bytes.count == 100)
        let error = #expect(throws: FileError.self) { _ = try directory.contents(of: "file", limit: 99) }
        #expect(error?.reason == .tooLarge(byteCount: 100, limit: 99))
    }

    @Test(arguments: [0, 5, 99, 100, 101, 70_000])
    func `a file that is larger or smaller than it was is read to its end`(_ expected: Int) throws {
        let bytes = (0..<100).map { UInt8($0) }
        try scratch.write("file", bytes)
        #expect(try directory.file("file").readAll(expecting: expected, limit: 100_000) == bytes)
    }

    @Test func `a file that grew above the limit is not read`() throws {
        try scratch.write("file", [UInt8](repeating: 1, count: 1000))
        let error = #expect(throws: FileError.self) {
            _ = try directory.file("file").readAll(expecting: 10, limit: 500)
        }
        guard case .tooLarge(let byteCount, 500) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(byteCount > 500)
    }

    @Test func `chunks follow each other up to the end`() throws {
        try scratch.write("file", "abcdefg")
        let file = try directory.file("file")
        var chunks: [String] = []
        while true {
            let chunk = try file.readChunk(3)
            if chunk.isEmpty { break }
            chunks.append(String(decoding: chunk, as: UTF8.self))
        }
        #expect(chunks == ["abc", "def", "g"])
    }

    @Test func `an absent entry is nil, also if a file replaces a folder`() throws {
        try scratch.write("file", "x")
        for path in ["absent", "absent/file", "file/below"] {
            #expect(try directory.contentsIfPresent(of: path, limit: 10) == nil)
            #expect(try directory.prefixIfPresent(of: path, count: 10) == nil)
            let error = #expect(throws: FileError.self) { _ = try directory.contents(of: path, limit: 10) }
            #expect(error?.isAbsent == true)
        }
    }

    @Test func `a prefix is at most as long as requested`() throws {
        try scratch.write("file", "abcdef")
        #expect(try directory.prefixIfPresent(of: "file", count: 4) == Array("abcd".utf8))
        #expect(try directory.prefixIfPresent(of: "file", count: 40) == Array("abcdef".utf8))
    }

    @Test func `entries have names and kinds, without the folder itself`() throws {
        try scratch.write("file", "x")
        try scratch.makeDirectory("folder")
        try scratch.link("link", to: "nowhere")
        try scratch.makeFIFO("fifo")
        let kinds = try directory.entries().map { "\($0.name.repaired): \($0.kind)" }.sorted()
        #expect(kinds == ["fifo: fifo", "file: regular", "folder: directory", "link: symbolicLink"])
        #expect(try directory.directory("folder").entries().isEmpty)
    }

    @Test func `a second listing begins at the front again`() throws {
        for number in 0..<100 { try scratch.write("file\(number)", "") }
        #expect(try directory.entries().count == 100)
        #expect(try directory.entries().count == 100)
        #expect(try directory.duplicate().entries().count == 100)
    }

    @Test func `status has identity, permissions and times`() throws {
        try scratch.write("file", "abc")
        try scratch.setModified("file", seconds: 1_000_000_000)
        let status = try #require(try directory.statusIfPresent(of: "file"))
        #expect(status.modified == 1_000_000_000_000_000_000)
        #expect(status.byteCount == 3)
        #expect(status.linkCount == 1)
        #expect(try directory.file("file").status() == status)
        try scratch.write("other", "abc")
        let other = try #require(try directory.statusIfPresent(of: "other"))
        #expect(status.isSameFile(as: status))
        #expect(!status.isSameFile(as: other))
    }
}
