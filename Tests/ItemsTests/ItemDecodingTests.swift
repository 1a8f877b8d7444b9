import JSONFormat
import Testing

@testable import Items
@testable import Time

/// item.json as a value: every field, right and wrong.
struct ItemDecodingTests {
    static let id = ItemID(high: 0x0198_C0DE_1234_7ABC, low: 0x8DEF_0123_4567_89AB)

    private func decode(_ text: String) throws -> (item: Item, faults: [FieldFault]) {
        var faults: [FieldFault] = []
        let item = Item(id: Self.id, json: try JSONDocument(parsing: Array(text.utf8)), faults: &faults)
        return (item, faults)
    }

    @Test func `every field is read`() throws {
        let hash = String(repeating: "AB", count: 32)
        let (item, faults) = try decode(
            """
            {"id": "0198C0DE-1234-7ABC-8DEF-0123456789AB", "type": "link", "title": "T", "description": "D",
            "tags": ["a", "A", " b "], "isPinned": true, "isFavorite": true, "sortOrder": -1.5, "textContent": "x",
            "annotations": ["one", {"quote": "two", "note": "three", "createdAt": "2026-01-01T00:00:00Z"}, {}],
            "linkURL": "HTTPS://Example.com/a", "linkTitle": "LT", "linkAuthor": "LA", "linkSite": "LS",
            "linkLanguage": "de", "linkPublishedDate": "2026-11-21",
            "linkCanonicalURL": "https://example.com/", "favicon": "favicon.png",
            "archiveStatus": "partial", "capturedBy": "fetch", "archiveReason": "r", "archiveAttempts": 3,
            "archivedAt": "2026-11-21T10:15:00Z", "htmlRelativePath": "page.html", "linkStatus": "dead",
            "linkStatusEvidence": {"status": 404}, "lastCheckedDate": "2026-11-21T10:15:00Z",
            "documentRelativePath": "document/a b.pdf", "documentName": "a\\\\x01b.pdf", "documentSHA256": "\(hash)",
            "source": "import", "sourceExternalID": "e", "sourceExternalIDs": ["e", "f"], "sourceFolderPath": "A/B", "sourceFileName": "b.md",
            "aiSummary": "s", "aiArtifacts": [1], "aiModelID": "m", "aiUpdatedAt": "2026-11-21T10:15:00Z",
            "createdAt": "2026-11-21T11:15:00+01:00", "updatedAt": "2026-11-21T10:15:00.5Z",
            "trashedAt": "2026-11-21T10:15:01Z", "myOwnKey": {"any": "thing"}}
            """)
        #expect(faults.map(\.description) == [])
        #expect(item.id == Self.id)
        #expect(item.type == .link)
        #expect([item.title, item.description, item.textContent] == ["T", "D", "x"])
        #expect(item.tags == ["a", "b"])
        #expect(item.isPinned && item.isFavorite)
        #expect(item.sortOrder == -1.5)
        #expect(item.annotations == ["one", "two", "three"])
        #expect(item.linkURL == "HTTPS://Example.com/a")
        #expect([item.linkTitle, item.linkAuthor, item.linkSite] == ["LT", "LA", "LS"])
        #expect(item.linkCanonicalURL == "https://example.com/")
        #expect(item.archiveStatus == .partial)
        #expect(item.linkStatus == .dead)
        #expect([item.favicon, item.htmlRelativePath] == ["favicon.png", "page.html"])
        #expect(item.documentRelativePath == "document/a b.pdf")
        #expect(item.documentName == #"a\x01b.pdf"#)
        #expect(item.documentSHA256 == hash.lowercased())
        #expect([item.source, item.sourceExternalID, item.aiSummary] == ["import", "e", "s"])
        #expect(item.createdAt?.rfc3339 == "2026-11-21T10:15:00.000Z")
        #expect(item.updatedAt?.rfc3339 == "2026-11-21T10:15:00.500Z")
        #expect(item.trashedAt?.rfc3339 == "2026-11-21T10:15:01.000Z")
    }

    @Test func `an empty object is an item of its folder's id`() throws {
        let (item, faults) = try decode("{}")
        #expect(faults.isEmpty)
        #expect(item.id == Self.id)
        #expect(item.type == nil && item.title == nil && item.tags.isEmpty && !item.isPinned && item.createdAt == nil)
    }

    @Test(arguments: ItemField.allCases)
    func `a null is the same as an absent key`(_ field: ItemField) throws {
        let (item, faults) = try decode("{\"\(field.key)\": null}")
        #expect(faults.isEmpty)
        #expect(item.tags.isEmpty && item.title == nil && item.trashedAt == nil)
    }

    static let wrongValues: [(key: String, value: String, expected: String, found: String)] = [
        ("id", "5", "a string", "a number"),
        ("id", "\"x\"", "the folder's name 0198c0de-1234-7abc-8def-0123456789ab", "\"x\""),
        ("type", "[]", "a string", "an array"),
        ("title", "5", "a string", "a number"),
        ("description", "{}", "a string", "an object"),
        ("tags", "\"a, b\"", "an array of strings", "\"a, b\""),
        ("tags", "{}", "an array of strings", "an object"),
        ("isPinned", "\"yes\"", "true or false", "\"yes\""),
        ("isFavorite", "1", "true or false", "a number"),
        ("sortOrder", "\"1\"", "a number", "\"1\""),
        ("textContent", "false", "a string", "false"),
        ("annotations", "\"x\"", "an array", "\"x\""),
        ("linkURL", "\"javascript:alert(1)\"", "an http or https URL", "\"javascript:alert(1)\""),
        ("linkURL", "\"file:///etc/passwd\"", "an http or https URL", "\"file:///etc/passwd\""),
        ("linkCanonicalURL", "\"/a\"", "an http or https URL", "\"/a\""),
        ("linkTitle", "true", "a string", "true"),
        ("linkAuthor", "[\"a\"]", "a string", "an array"),
        ("linkSite", "1", "a string", "a number"),
        ("linkLanguage", "1", "a string", "a number"),
        ("archiveStatus", "1", "a string", "a number"),
        ("capturedBy", "1", "a string", "a number"),
        ("archiveReason", "1", "a string", "a number"),
        ("archiveAttempts", "-1", "a whole number from 0 on", "a number"),
        ("archiveAttempts", "1.5", "a whole number from 0 on", "a number"),
        ("archiveAttempts", "\"2\"", "a number", "\"2\""),
        ("linkStatus", "[]", "a string", "an array"),
        ("linkStatusEvidence", "[]", "an object", "an array"),
        ("favicon", "\"/etc/passwd\"", "a path inside the item's folder", "\"/etc/passwd\""),
        ("htmlRelativePath", "\"../x\"", "a path inside the item's folder", "\"../x\""),
        ("htmlRelativePath", "\"a/../../x\"", "a path inside the item's folder", "\"a/../../x\""),
        ("documentRelativePath", "\"\"", "a path inside the item's folder", "\"\""),
        ("documentRelativePath", "\"document/a\\u0000b\"", "a path inside the item's folder", "\"document/a\0b\""),
        ("documentRelativePath", "5", "a string", "a number"),
        ("documentName", "5", "a string", "a number"),
        ("documentSHA256", "\"abc\"", "64 hexadecimal digits", "\"abc\""),
        ("documentSHA256", "5", "64 hexadecimal digits", "a number"),
        ("source", "5", "a string", "a number"),
        ("sourceExternalID", "5", "a string", "a number"),
        ("sourceExternalIDs", "\"e\"", "an array of strings", "\"e\""),
        ("sourceFolderPath", "5", "a string", "a number"), ("sourceFileName", "[]", "a string", "an array"),
        ("aiSummary", "5", "a string", "a number"),
        ("aiModelID", "5", "a string", "a number"),
    ]

    @Test(arguments: wrongValues)
    func `a value that does not fit reads as absent and is reported with its place`(
        _ wrong: (key: String, value: String, expected: String, found: String)
    ) throws {
        let (item, faults) = try decode("{\n  \"a\": null,\n  \"b\": 1,\n  \"\(wrong.key)\": \(wrong.value)\n}")
        let fault = try #require(faults.first)
        #expect(faults.count == 1)
        #expect(fault.key == wrong.key)
        #expect(fault.expected.description == wrong.expected)
        #expect(fault.found.description == wrong.found)
        #expect(fault.position.line == 4)
        #expect(fault.position.column == wrong.key.count + 7)
        #expect(item.title == nil && item.tags.isEmpty && item.linkURL == nil && item.documentRelativePath == nil)
        #expect(!item.isPinned && !item.isFavorite && item.sortOrder == nil && item.favicon == nil)
    }

    @Test(arguments: [
        "createdAt", "updatedAt", "trashedAt", "linkPublishedDate", "archivedAt", "lastCheckedDate", "aiUpdatedAt",
    ])
    func `an invalid time is reported`(_ key: String) throws {
        for value in ["5", "\"yesterday\"", "\"2026-13-01\""] {
            let (item, faults) = try decode("{\"\(key)\": \(value)}")
            #expect(faults.map(\.expected) == [.time])
            #expect(item.createdAt == nil && item.updatedAt == nil && item.trashedAt == nil)
        }
    }

    @Test func `wrong elements of a list are reported one by one, the others are read`() throws {
        let (item, faults) = try decode(
            "{\"tags\": [\"a\", 5, \"b\", null], \"annotations\": [1, \"x\", {\"quote\": 7}]}")
        #expect(item.tags == ["a", "b"])
        #expect(item.annotations == ["x"])
        #expect(
            faults.map(\.description) == [
                "1:16: tags: expected a string, found a number", "1:24: tags: expected a string, found null",
                "1:47: annotations: expected a string or an object, found a number",
            ])
    }

    @Test(arguments: ["type", "archiveStatus", "linkStatus", "capturedBy", "source"])
    func `a word of a later version reads as absent and is no fault`(_ key: String) throws {
        let (item, faults) = try decode("{\"\(key)\": \"hologram\"}")
        #expect(faults.isEmpty)
        #expect(item.type == nil && item.archiveStatus == nil && item.linkStatus == nil)
    }

    @Test(arguments: [("[]", "an array"), ("5", "a number"), ("\"x\"", "a string"), ("null", "null")])
    func `a file that is no object is a fault of the file`(_ text: String, found: String) throws {
        let (_, faults) = try decode(text)
        #expect(faults.map(\.description) == ["1:1: item.json: expected an object, found \(found)"])
    }

    @Test func `a long wrong value is reported by its first part`() throws {
        let (_, faults) = try decode("{\"linkURL\": \"\(String(repeating: "x", count: 500))\"}")
        #expect(faults.first?.found == .string(String(repeating: "x", count: 60)))
    }

    @Test func `either mark hides an item, both allow its purge`() throws {
        let marks = try [
            "{}", #"{"tags":["TRASHCAN"]}"#, #"{"trashedAt":"2026-11-21T10:15:00Z"}"#,
            #"{"tags":["trashcan"],"trashedAt":"2026-11-21T10:15:00Z"}"#, #"{"tags":["trashcans"]}"#,
        ].map { try decode($0).item }
        #expect(marks.map(\.isTrashed) == [false, true, true, true, false])
        #expect(marks.map(\.hasBothTrashMarks) == [false, false, false, true, false])
    }

    @Test func `of very many faults, the first hundred and the number of others are reported`() throws {
        let values = (0..<500).map { "\n\($0)" }.joined(separator: ",")
        let (item, faults) = try decode("{\"tags\": [\(values)], \"id\": \"another\", \"title\": \"T\"}")
        #expect(item.title == "T")
        #expect(faults.count == 102)
        #expect(faults[99].description == "101:1: tags: expected a string, found a number")
        #expect(faults[100].key == "id")
        #expect(
            faults[101].description
                == "501:1: tags: expected a string, found 400 more values that do not fit, of which this is the last")
    }
}
