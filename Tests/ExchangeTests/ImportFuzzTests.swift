import Exchange
import TestSupport
import Testing

/// A good file of each kind with damage anywhere: import always reads it to an end.
struct ImportFuzzTests {
    struct Kind: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let samples: [[UInt8]]

        init(_ name: String, _ samples: [String]) { self.init(name, bytes: samples.map { Array($0.utf8) }) }

        init(_ name: String, bytes: [[UInt8]]) {
            testDescription = name
            samples = bytes
        }
    }

    static let kinds = [
        Kind("bookmark HTML", [NetscapeBookmarksTests.firefox]),
        Kind("a list of Safari's in XML", [SafariBookmarksTests.list]),
        Kind("a binary list of Safari's", bytes: [safari]),
        Kind("CSV", [CSVTests.bookmarks] + CSVTests.services.map(\.1)),
        Kind("JSON of browsers", [JSONBookmarksTests.chromium, JSONBookmarksTests.firefox]),
        Kind("JSON of services", JSONBookmarksTests.services.map(\.json)),
        Kind("notes and items in JSON", notesAndItems),
        Kind("a packed backup", bytes: [packed]), Kind("Markdown", markdown),
        Kind("services' HTML", ServiceSamples.html.map(\.text)),
        Kind("services' JSON", ServiceSamples.json.map(\.text)),
        Kind("services' CSV", ServiceSamples.csv.map(\.text)), Kind("XML", ServiceSamples.xml.map(\.text)),
        Kind("lists and clippings", ServiceSamples.texts.map(\.text)),
    ]

    private static let pieces = [
        "\0", "\n", "\r\n", "\"", "'", ",", ":", "{", "}", "[", "]", "\\", "<", ">", "</", "<!--", "&#x", "---\n", "- ",
        "=", "é",
        "\u{FEFF}", "\u{1F600}", "<![CDATA[", "]]>", "<DL>", "</DL>", "<H3>", "<array>", "</dict>", "null", "-1",
        "99999999999999999999", "1e999", "#FOLDERS\n", "<outline>", "<folder>", "</item>",
        "<!DOCTYPE x [<!ENTITY a \"b\">]>", "==========\n", "?a",
    ].map { Array($0.utf8) }

    @Test(arguments: kinds)
    func `reading ends with any damage`(kind: Kind) {
        var generator = SeededGenerator.forFuzzing
        for _ in 0..<FuzzSetting.cases(500) {
            let sample = kind.samples.randomElement(using: &generator) ?? []
            let bytes = generator.damaged(sample, pieces: Self.pieces)
            let count = [1, 7, 1 << 20].randomElement(using: &generator) ?? 1
            guard let reading = try? Reading(bytes, pieceByteCount: count) else { continue }
            if reading.entries.count > bytes.count { Issue.record("\(bytes)") }
        }
    }

    /// Otherwise the damage would be in bytes that are never read.
    @Test(arguments: kinds)
    func `each sample is read as it is`(kind: Kind) throws {
        for sample in kind.samples { #expect(try !Reading(sample).entries.isEmpty) }
    }

    // MARK: Samples

    private static let safari = BinaryList.bytes(
        .members([
            (
                "Children",
                .list([
                    .members([
                        ("Title", .text("BookmarksBar")), ("WebBookmarkType", .text("WebBookmarkTypeList")),
                        (
                            "Children",
                            .list([leaf("https://example.org/", "Größe"), leaf("https://example.org/2", "x")])
                        ),
                    ]), leaf("https://example.org/3", "three"),
                ])
            )
        ]))

    private static func leaf(_ url: String, _ title: String) -> BinaryList.Value {
        .members([
            ("WebBookmarkType", .text("WebBookmarkTypeLeaf")), ("URLString", .text(url)),
            ("URIDictionary", .members([("title", .text(title))])),
            ("WebBookmarkUUID", .text("7A6F1F5B-0001-4000-8000-000000000001")),
        ])
    }

    private static let notesAndItems = [
        #"[{"title":"One","content":"Text\n","createdAt":721692800,"modifiedAt":721692801.5},"#
            + #"{"title":"é","content":"Two\n","createdAt":"2023-11-14T22:13:20Z","modifiedAt":"2023-11-14T22:13:20Z"},null]"#,
        #"{"id":"0198aaaa-bbbb-7ccc-8ddd-eeeeeeeeeec4","type":"link","title":"T","linkURL":"https://e.org/","tags":["a","collection:W"],"foreign":[1.50,{"a":null}]}"#
            + "\n" + #"{"id":"0198aaaa-bbbb-7ccc-8ddd-eeeeeeeeeec5","type":"snippet","title":"é","textContent":"t"}"#,
    ]

    /// Literals only, then one match that overlaps itself.
    private static let packed: [UInt8] = {
        let json = Array((JSONBookmarksTests.firefox + "\n").utf8)
        let extra = json.count - 15
        let block = [0xF0] + [UInt8](repeating: 255, count: extra / 255) + [UInt8(extra % 255)] + json
        return LZ4BlockTests.file(block + [1, 0, 0x10, 0x20], size: json.count + 5)
    }()

    private static let markdown = [
        "---\ntitle: \"a: b\"\ntags: [x, 'y z', \"é\"]\ncreated: 2024-01-02T03:04:05Z\nurl: https://e.org/\n"
            + "aliases:\n  - a\n  - b\n---\n\n# Heading\n\ntext with #tag\n"
    ]
}
