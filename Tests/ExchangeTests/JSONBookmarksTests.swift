import Exchange
import TestSupport
import Testing
import Time

@testable import sbfs

struct JSONBookmarksTests {
    static let chromium = """
        {"checksum": "0", "roots": {
          "bookmark_bar": {"children": [
            {"date_added": "13344473600000000", "date_last_used": "0", "guid": "g-1", "id": "5", "name": "Example",
             "type": "url", "url": "https://example.org/"},
            {"children": [{"date_added": "13344473600000000", "guid": "g-2", "id": "7", "name": "Inner", "type": "url",
              "url": "https://example.org/inner"}], "name": "AI/ML", "type": "folder"},
            {"children": [], "name": "Empty", "type": "folder"}, {"type": "odd"}, 7
          ], "name": "Bookmarks bar", "type": "folder"},
          "other": {"children": [{"guid": "g-3", "name": "Alone", "type": "url", "url": "https://example.org/other",
            "date_added": "0"}], "name": "Other bookmarks", "type": "folder"},
          "synced": {"children": [], "name": "Mobile bookmarks", "type": "folder"}},
         "version": 1}
        """

    @Test func `Chromium's file has three roots and microseconds since 1601`() throws {
        let reading = try Reading(Self.chromium)
        #expect(reading.format == .chromium)
        #expect(reading.outline == ["Bookmarks bar: Example", "Bookmarks bar/AI\\/ML: Inner", "Alone"])
        #expect(reading.entries[0].createdAt == Timestamp(milliseconds: 1_700_000_000_000))
        #expect(reading.entries[0].externalID == "chromium:g-1")
        #expect(reading.entries[2].createdAt == nil)
        #expect(reading.folders == [ImportedFolder(["Bookmarks bar", "Empty"])])
        #expect(reading.faults.count == 2)
    }

    static let firefox = """
        {"guid":"root________","title":"","id":1,"typeCode":2,"type":"text/x-moz-place-container","root":"placesRoot",
         "children":[
          {"guid":"menu________","title":"menu","type":"text/x-moz-place-container","root":"bookmarksMenuFolder","children":[
            {"guid":"f-1","title":"Example","dateAdded":1700000000000000,"lastModified":1700000001000000,
             "type":"text/x-moz-place","uri":"https://example.org/","tags":"soup,winter","keyword":"ex"},
            {"type":"text/x-moz-place-separator"}]},
          {"guid":"toolbar_____","title":"toolbar","type":"text/x-moz-place-container","root":"toolbarFolder","children":[
            {"title":"News","type":"text/x-moz-place-container","children":[
              {"guid":"f-2","title":"Daily","type":"text/x-moz-place","uri":"https://example.org/daily"}]}]},
          {"guid":"tags________","title":"tags","type":"text/x-moz-place-container","root":"tagsFolder","children":[
            {"title":"soup","type":"text/x-moz-place-container","children":[
              {"type":"text/x-moz-place","uri":"https://example.org/"}]}]}]}
        """

    @Test func `Firefox's backup has tags and microseconds since 1970`() throws {
        let reading = try Reading(Self.firefox)
        #expect(reading.format == .firefox)
        #expect(reading.outline == ["Example", "Bookmarks Toolbar/News: Daily"])
        #expect(reading.entries[0].tags == ["soup", "winter", "keyword-ex"])
        #expect(reading.entries[0].createdAt == Timestamp(milliseconds: 1_700_000_000_000))
        #expect(reading.entries[0].externalID == "firefox:f-1")
    }

    @Test func `a file that is cut off is read up to there`() throws {
        for whole in [Self.chromium, Self.firefox] {
            let count = try Reading(whole).entries.count
            var best = 0
            for length in stride(from: 40, to: whole.utf8.count - 4, by: 11) {
                guard let reading = try? Reading(Array(whole.utf8.prefix(length))) else { continue }
                #expect(!reading.faults.isEmpty)
                best = max(best, reading.entries.count)
            }
            #expect(best >= count - 1)
        }
    }

    static let services: [(name: String, json: String, title: String, tags: [String])] = [
        (
            "Pinboard",
            #"[{"href":"https://example.org/","description":"Title","extended":"More","meta":"m","time":"2023-11-14T22:13:20Z","shared":"no","toread":"yes","tags":"a b"}]"#,
            "Title", ["a", "b", "toread", "private"]
        ),
        (
            "wallabag",
            #"[{"is_archived":0,"is_starred":1,"tags":["a","b"],"title":"Title","url":"https://example.org/","created_at":"2023-11-14T22:13:20+0000","content":"<p>x</p>"}]"#,
            "Title", ["a", "b", "toread"]
        ),
        (
            "Karakeep",
            #"{"bookmarks":[{"createdAt":1700000000,"title":"Title","tags":["a"],"content":{"type":"link","url":"https://example.org/"},"note":"mine"}]}"#,
            "Title", ["a"]
        ),
        (
            "Omnivore",
            #"[{"id":"1","slug":"s","title":"Title","description":"d","url":"https://example.org/","state":"Active","labels":["a"],"savedAt":"2023-11-14T22:13:20.000Z"}]"#,
            "Title", ["a"]
        ),
    ]

    @Test(arguments: services.indices)
    func `services' JSON is known by its members`(index: Int) throws {
        let service = Self.services[index]
        let reading = try Reading(service.json)
        #expect(reading.format == .service, "\(service.name)")
        let entry = try #require(reading.entries.first, "\(service.name)")
        #expect(entry.url == "https://example.org/")
        #expect(entry.title == service.title, "\(service.name)")
        #expect(entry.tags == service.tags, "\(service.name)")
        #expect(entry.createdAt == Timestamp(milliseconds: 1_700_000_000_000), "\(service.name)")
    }

    @Test func `notes have dates since 2001 or in ISO 8601`() throws {
        let reading = try Reading(
            """
            [{"title":"One","content":"Text\\n","createdAt":721692800,"modifiedAt":721692801.5},
             {"title":"Two","content":"# Two","createdAt":"2023-11-14T22:13:20Z","modifiedAt":"2023-11-14T22:13:20Z"}, null]
            """)
        #expect(reading.format == .notes)
        #expect(
            reading.entries.map(\.createdAt)
                == [1_700_000_000_000, 1_700_000_000_000].map { Timestamp(milliseconds: $0) })
        #expect(reading.entries[0].updatedAt == Timestamp(milliseconds: 1_700_000_001_500))
        #expect(reading.entries[0].text == Array("Text\n".utf8))
        #expect(reading.faults.count == 1)
    }

    @Test func `exported items come one a line or in an array, and keep unknown keys`() throws {
        let item =
            #"{"id":"0198aaaa-bbbb-7ccc-8ddd-eeeeeeeeeec4","type":"link","title":"T","linkURL":"https://example.org/","tags":["a","collection:W"],"textContent":"t","foreign":[1.50]}"#
        for text in [item + "\n" + item + "\n", "[" + item + "]", item] {
            let reading = try Reading(text)
            #expect(reading.format == .items)
            #expect(reading.entries[0].itemID?.description == "0198aaaa-bbbb-7ccc-8ddd-eeeeeeeeeec4")
            #expect(reading.entries[0].members.map(\.key) == ["type", "foreign"])
        }
        let lines = try Reading(item + "\n{\"id\": }\n" + item + "\n")
        #expect(lines.entries.count == 2)
        #expect(lines.faults.map(\.place) == [.line(2)])
    }

    @Test func `reading ends with any bytes`() throws {
        var random = SeededGenerator.forFuzzing
        for _ in 0..<FuzzSetting.cases(1000) {
            var bytes = Array([Self.chromium, Self.firefox, Self.services[0].json].randomElement(using: &random)!.utf8)
            for _ in 0...Int.random(in: 0...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                if Bool.random(using: &random) {
                    bytes[place] = "{}[]\",:\\x0".utf8.randomElement(using: &random)!
                } else {
                    bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &random)))
                }
                if bytes.isEmpty { bytes = [0x5B] }
            }
            _ = try? Reading(bytes)
        }
    }

    @Test func `nesting without end is refused and does not exhaust the stack`() throws {
        #expect(throws: ImportError.self) { try Reading(String(repeating: "[", count: 200_000)) }
        let reading = try Reading(String(repeating: "[1,", count: 100_000))
        #expect(reading.entries.isEmpty)
        #expect(reading.faults.contains { $0.kind.wording.contains("nested levels") })
    }
}
