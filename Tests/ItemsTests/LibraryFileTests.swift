import JSONFormat
import Testing

@testable import Items
@testable import Time

struct LibraryFileTests {
    static let id = "0198c0de-1234-7abc-8def-0123456789ab"

    private func read(_ members: String) throws -> LibraryFile {
        try LibraryFile(parsing: Array("{\"format\": 1, \"id\": \"\(Self.id)\"\(members)}".utf8), path: "library.json")
    }

    @Test func `a new library's file has format, id and name`() throws {
        let id = try #require(ItemID(Self.id))
        let bytes = LibraryFile.new(name: "My \"Library\"", id: id, at: Timestamp(milliseconds: 0))
        #expect(
            String(decoding: bytes, as: UTF8.self) == #"""
                {
                  "format": 1,
                  "id": "0198c0de-1234-7abc-8def-0123456789ab",
                  "name": "My \"Library\"",
                  "createdAt": "1970-01-01T00:00:00.000Z",
                  "purgeDays": 10,
                  "maxFileSizeMB": 512,
                  "defaultTags": []
                }

                """#)
        let file = try LibraryFile(parsing: bytes, path: "library.json")
        #expect(file.id == id)
        #expect(file.name == "My \"Library\"")
        #expect(file.faults.isEmpty)
        #expect(file.isWritable)
    }

    @Test func `settings that are absent have their defaults`() throws {
        let file = try read("")
        #expect(file.purgeDays == 10)
        #expect(file.maxFileSizeMB == 512)
        #expect(file.maxFileByteCount == 536_870_912)
        #expect(file.defaultTags.isEmpty && !file.weekStartsOnSunday && file.name == "")
        #expect(file.faults.isEmpty)
    }

    @Test func `settings are read`() throws {
        let file = try read(
            #", "name": " A  B ", "purgeDays": 3650, "maxFileSizeMB": 50, "defaultTags": ["a", "A", "b"], "weekStart": "sunday""#
        )
        #expect(file.name == "A B")
        #expect(file.purgeDays == 3650)
        #expect(file.maxFileSizeMB == 50)
        #expect(file.defaultTags == ["a", "b"])
        #expect(file.weekStartsOnSunday)
        #expect(file.faults.isEmpty)
        #expect(LibraryFile.Setting.allCases.map { file.text(of: $0) } == ["A B", "3650", "50", "a, b", "sunday"])
    }

    @Test(arguments: [
        ("purgeDays", "0", "a whole number from 1 to 3650"), ("purgeDays", "3651", "a whole number from 1 to 3650"),
        ("purgeDays", "-1", "a whole number from 1 to 3650"), ("purgeDays", "1.5", "a whole number from 1 to 3650"),
        ("purgeDays", "\"10\"", "a whole number from 1 to 3650"),
        ("purgeDays", "null", "a whole number from 1 to 3650"),
        ("purgeDays", "99999999999999999999", "a whole number from 1 to 3650"),
        ("maxFileSizeMB", "49", "a whole number from 50 to 4096"),
        ("maxFileSizeMB", "4097", "a whole number from 50 to 4096"),
        ("maxFileSizeMB", "[]", "a whole number from 50 to 4096"), ("name", "5", "a string"),
        ("defaultTags", "\"a\"", "an array of strings"), ("defaultTags", "[1]", "an array of strings"),
        ("weekStart", "\"tuesday\"", "\"monday\" or \"sunday\""), ("weekStart", "1", "\"monday\" or \"sunday\""),
    ])
    func `a setting out of range has its default and is reported`(_ key: String, value: String, expected: String) throws
    {
        let file = try read(",\n \"\(key)\": \(value)")
        #expect(
            file.purgeDays == 10 && file.maxFileSizeMB == 512 && file.defaultTags.isEmpty && !file.weekStartsOnSunday)
        let fault = try #require(file.faults.first)
        #expect(file.faults.count == 1)
        #expect(fault.key == key)
        #expect(fault.expected.description == expected)
        #expect(fault.found.description == value)
        #expect(fault.position.line == 2)
    }

    @Test(arguments: [
        "editor", "command", "browser", "proxy", "hooks", "path", "indexFolder", "host", "url", "apiKey", "token",
        "allowPrivateAddresses", "purgedays", "Name", "$schema", "",
    ])
    func `an unknown key is ignored and reported by its name`(_ key: String) throws {
        let file = try read(", \"\(key)\": \"/bin/sh -c evil\"")
        #expect(file.faults.map(\.key) == [key])
        #expect(file.faults.first?.expected == .setting)
        #expect(file.purgeDays == 10)
    }

    @Test(arguments: [
        ("{}", "library.json: \"format\" must be a whole number from 1 on"),
        ("[]", "library.json: \"format\" must be a whole number from 1 on"),
        ("5", "library.json: \"format\" must be a whole number from 1 on"),
        ("{\"format\": 0}", "library.json: \"format\" must be a whole number from 1 on"),
        ("{\"format\": \"1\"}", "library.json: \"format\" must be a whole number from 1 on"),
        ("{\"format\": 1.0}", "library.json: \"format\" must be a whole number from 1 on"),
        ("{\"format\": 1}", "library.json: \"id\" must be a UUID"),
        ("{\"format\": 1, \"id\": \"x\"}", "library.json: \"id\" must be a UUID"),
        ("{\"format\": 1, \"id\": 5}", "library.json: \"id\" must be a UUID"),
        ("{\"format\": 1,}", "library.json:1:14: expected a key in double quotes, found \"}\" after a trailing comma"),
        ("", "library.json:1:1: expected a JSON value, found the end of the file"),
    ])
    func `a file that makes no library is refused`(_ text: String, message: String) {
        let error = #expect(throws: ItemError.self) {
            _ = try LibraryFile(parsing: Array(text.utf8), path: "library.json")
        }
        #expect(error?.description == message)
    }

    private func format(_ members: String) throws -> LibraryFile {
        try LibraryFile(parsing: Array("{\(members), \"id\": \"\(Self.id)\"}".utf8), path: "library.json")
    }

    @Test func `a newer format is refused, unless it says that this version may read or write it`() throws {
        let error = #expect(throws: ItemError.self) { _ = try format("\"format\": 2") }
        #expect(
            error?.description
                == "library.json: the library has format 2, this program reads up to 1")
        #expect(throws: ItemError.self) { _ = try format("\"format\": 3, \"minReader\": 2, \"minWriter\": 1") }
        let readable = try format("\"format\": 2, \"minReader\": 1")
        #expect(!readable.isWritable)
        #expect(readable.format == 2)
        #expect(try format("\"format\": 2, \"minReader\": 1, \"minWriter\": 1").isWritable)
        #expect(try !format("\"format\": 2, \"minReader\": 1, \"minWriter\": 2").isWritable)
        #expect(throws: ItemError.self) { _ = try format("\"format\": 2, \"minReader\": \"1\"") }
    }

    @Test func `typed values become JSON or are refused with the range`() throws {
        #expect(try LibraryFile.value("30", for: .purgeDays) == .integer(30))
        #expect(try LibraryFile.value("4096", for: .maxFileSizeMB) == .integer(4096))
        #expect(try LibraryFile.value(" a,  b c, A ", for: .defaultTags) == .strings(["a", "b c"]))
        #expect(try LibraryFile.value("sunday", for: .weekStart) == .string("sunday"))
        #expect(try LibraryFile.value("  My   name ", for: .name) == .string("My name"))
        for (text, setting) in [
            ("0", .purgeDays), ("3651", .purgeDays), ("x", .purgeDays), ("", .maxFileSizeMB), ("49", .maxFileSizeMB),
            ("Sunday", .weekStart),
        ] as [(String, LibraryFile.Setting)] {
            #expect(throws: ItemError.self) { _ = try LibraryFile.value(text, for: setting) }
        }
        let error = #expect(throws: ItemError.self) { _ = try LibraryFile.value("5", for: .maxFileSizeMB) }
        #expect(error?.description == "maxFileSizeMB must be a whole number from 50 to 4096, not \"5\"")
    }
}
