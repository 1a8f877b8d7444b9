import Files
import TestSupport
import Testing

/// Moving, replacing and swapping names.
final class DirectoryNamesTests {
    let scratch: ScratchDirectory
    let here: Directory
    let there: Directory

    init() throws {
        scratch = try ScratchDirectory()
        try scratch.write("here/one", "first")
        try scratch.write("there/two", "second")
        here = try Directory(path: scratch.full("here"))
        there = try Directory(path: scratch.full("there"))
    }

    @Test func `a move takes the file to a free name`() throws {
        try here.move("one", to: there, as: "moved")
        #expect(try scratch.names("here").isEmpty)
        #expect(try scratch.text("there/moved") == "first")
    }

    @Test func `a move does not overwrite`() throws {
        let error = #expect(throws: FileError.self) { try here.move("one", to: there, as: "two") }
        #expect(error?.operation == .rename)
        #expect(error?.description.hasSuffix("File exists") == true)
        #expect(try scratch.text("here/one") == "first")
        #expect(try scratch.text("there/two") == "second")
    }

    @Test func `a move does not overwrite a dangling link or an empty folder`() throws {
        try scratch.link("there/link", to: "nowhere")
        try scratch.makeDirectory("there/empty")
        #expect(throws: FileError.self) { try here.move("one", to: there, as: "link") }
        #expect(throws: FileError.self) { try here.move("one", to: there, as: "empty") }
        #expect(try scratch.text("here/one") == "first")
    }

    @Test func `a folder moves with its contents`() throws {
        try scratch.write("here/folder/a/b", "deep")
        try here.move("folder", to: there, as: "folder")
        #expect(try scratch.text("there/folder/a/b") == "deep")
    }

    @Test func `a replacement replaces the entry with the name`() throws {
        try here.replace("one", to: there, as: "two")
        #expect(try scratch.text("there/two") == "first")
        #expect(try scratch.names("here").isEmpty)
    }

    @Test func `two files swap names in one step`() throws {
        try #require(try here.swap("one", with: there, "two"))
        #expect(try scratch.text("here/one") == "second")
        #expect(try scratch.text("there/two") == "first")
    }

    @Test func `a file and a folder swap names`() throws {
        try scratch.write("there/folder/inner", "x")
        try #require(try here.swap("one", with: there, "folder"))
        #expect(try scratch.text("here/one/inner") == "x")
        #expect(try scratch.text("there/folder") == "first")
    }

    @Test func `a swap with an absent name changes nothing`() throws {
        let error = #expect(throws: FileError.self) { _ = try here.swap("one", with: there, "absent") }
        #expect(error?.isAbsent == true)
        #expect(error?.operation == .swap)
        #expect(try scratch.text("here/one") == "first")
        #expect(try scratch.names("there") == ["two"])
    }

    @Test func `moving an absent entry is an error`() throws {
        let move = #expect(throws: FileError.self) { try here.move("absent", to: there, as: "x") }
        #expect(move?.isAbsent == true)
        let replace = #expect(throws: FileError.self) { try here.replace("absent", to: there, as: "two") }
        #expect(replace?.isAbsent == true)
        #expect(try scratch.text("there/two") == "second")
    }

    @Test func `removing a file leaves a folder, and the other way round`() throws {
        try scratch.makeDirectory("here/folder")
        #expect(throws: FileError.self) { try here.removeFile("folder") }
        #expect(throws: FileError.self) { try here.removeDirectory("one") }
        try here.removeFile("one")
        try here.removeDirectory("folder")
        #expect(try scratch.names("here").isEmpty)
    }

    @Test func `a folder with something in it is not removed as an empty one`() throws {
        try scratch.write("here/folder/x", "x")
        #expect(throws: FileError.self) { try here.removeDirectory("folder") }
        #expect(try scratch.text("here/folder/x") == "x")
    }
}
